package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.AgentRegistry;

/** The agents that are registered in ZooKeeper, each reached by a connection. */
final class AgentCluster implements Cluster {
    private static final int DIAL_MILLIS = 2_000;

    private final AgentMessage.Open open;
    private final ProgramParts parts;
    private final AgentRegistry registry;
    private final JobSecret secret;
    private final HostWatch watch;
    private final Consumer<String> say;
    private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

    /**
     * @param secret of the cluster
     * @param say is told which registrations cannot be read, once for each host
     */
    AgentCluster(
            AgentMessage.Open open,
            ProgramParts parts,
            AgentRegistry registry,
            JobSecret secret,
            Consumer<JobEvent> events,
            Consumer<String> say) {
        this.open = open;
        this.parts = parts;
        this.registry = registry;
        this.secret = secret;
        this.say = say;
        this.watch = new HostWatch(registry, secret, open.leaseMillis(), events);
    }

    @Override
    public List<AgentRegistration> agents() {
        AgentRegistry.Listing listing = registry.listing();
        unreadable.retainAll(listing.unreadable().keySet());
        listing.unreadable().forEach((host, why) -> {
            if (unreadable.add(host)) {
                say.accept("host " + host + " cannot be used: " + why);
            }
        });
        return listing.agents();
    }

    @Override
    public AgentHost open(AgentRegistration agent, AgentHost.Listener listener) throws IOException {
        AgentLink link = AgentLink.dial(agent.address(), agent.port(), DIAL_MILLIS, secret);
        return HostLink.open(agent, link, open, parts.files(), listener);
    }

    @Override
    public void watch(Hosts hosts) {
        watch.start(hosts);
    }

    @Override
    public boolean wasLost(AgentRegistration agent) {
        return watch.wasLost(agent);
    }

    @Override
    public Set<String> draining() {
        return watch.draining();
    }

    @Override
    public void object(String host, String reason) {
        registry.object(host, open.job(), reason);
    }

    @Override
    public void close() {
        watch.close();
        registry.close();
    }
}
