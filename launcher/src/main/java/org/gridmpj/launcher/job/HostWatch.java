package org.gridmpj.launcher.job;

import java.io.IOException;
import java.net.ConnectException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.Durations;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.AgentRegistry;

/**
 * Finds out which hosts are gone and which are to be left. A thread of its own; it posts {@link JobEvent}s.
 *
 * <pre>
 *   connection ended, dialling is refused     the agent is dead, and its ranks with it: gone
 *   connection ended, dialling succeeds       the agent has ended its ranks with the connection: gone, and at once usable again
 *   silence for a lease and a margin          the agent, if it lives, has ended its ranks: gone as soon as ZooKeeper
 *                                             does not know it any more, at the latest after another session's time
 *   ZooKeeper cannot be asked                 nobody is declared dead for silence
 *   an agent that was given up answers        it may be used again: whoever opens the job there ends what is left of it
 * </pre>
 *
 * Without the registration a silent host could be one whose network is slow for a moment; without the lease a lost session
 * could be ZooKeeper's own election. Ranks that live on in spite of all this are fenced by the job's generation.
 */
final class HostWatch implements AutoCloseable {
    private static final long PERIOD_MILLIS = 200;
    private static final long MARGIN_NANOS = 1_000_000_000L;
    private static final long SESSION_NANOS = 8_000_000_000L;
    private static final long ASK_NANOS = 1_000_000_000L;
    private static final int DIAL_MILLIS = 1_000;
    private static final long DIAL_LOST_NANOS = 5_000_000_000L;
    private static final int LOST_MILLIS = 2_000;

    private final AgentRegistry registry;
    private final JobSecret cluster;
    private final long leaseNanos;
    private final Consumer<JobEvent> events;
    /** Agents that were given up, by host: their processes, which a later registration of the host does not have. */
    private final Map<String, Long> lost = new ConcurrentHashMap<>();

    private volatile Set<String> draining = Set.of();
    private volatile boolean closed;
    private long askedNanos = System.nanoTime() - ASK_NANOS;
    private long dialledNanos = System.nanoTime();

    HostWatch(AgentRegistry registry, JobSecret cluster, int leaseMillis, Consumer<JobEvent> events) {
        this.registry = registry;
        this.cluster = cluster;
        this.leaseNanos = leaseMillis * 1_000_000L;
        this.events = events;
        try {
            draining = Set.copyOf(registry.draining());
        } catch (CoordinationFailure e) {
            // it is asked again
        }
    }

    void start(Hosts hosts) {
        Thread thread = new Thread(null, () -> run(hosts), "host-watch", 256 << 10);
        thread.setDaemon(true);
        thread.start();
    }

    /** Hosts on which no rank is to stay. */
    Set<String> draining() {
        return draining;
    }

    /** Whether this agent, this very process, was given up for dead. */
    boolean wasLost(AgentRegistration agent) {
        return Long.valueOf(agent.instance()).equals(lost.get(agent.host()));
    }

    private void run(Hosts hosts) {
        try {
            while (!closed) {
                Thread.sleep(PERIOD_MILLIS);
                look(hosts);
            }
        } catch (InterruptedException e) {
            // nobody interrupts this thread
            Thread.currentThread().interrupt();
        }
    }

    private void look(Hosts hosts) {
        boolean ask = System.nanoTime() - askedNanos > ASK_NANOS;
        if (ask) {
            askedNanos = System.nanoTime();
            askForDraining();
        }
        if (!lost.isEmpty() && System.nanoTime() - dialledNanos > DIAL_LOST_NANOS) {
            dialLost();
            dialledNanos = System.nanoTime();
        }
        for (AgentHost host : hosts.all()) {
            String cause = host.isEnded() ? causeOfEnd(host) : causeOfSilence(host, ask);
            if (!cause.isEmpty()) {
                hosts.giveUp(host, cause);
            }
        }
    }

    private void askForDraining() {
        try {
            Set<String> now = registry.draining();
            Set<String> fresh = new HashSet<>(now);
            fresh.removeAll(draining);
            draining = Set.copyOf(now);
            fresh.forEach(host -> events.accept(new JobEvent.HostDraining(host)));
        } catch (CoordinationFailure e) {
            // nothing is changed because ZooKeeper is silent
        }
    }

    /** Agents that were given up for silence: one that answers has been cut off, or has stood still. */
    void dialLost() {
        List<AgentRegistration> registered;
        try {
            registered = registry.agents();
        } catch (CoordinationFailure e) {
            return;
        }
        for (AgentRegistration agent : registered) {
            if (wasLost(agent)) {
                try (AgentLink _ = AgentLink.dial(agent.address(), agent.port(), DIAL_MILLIS, cluster, LOST_MILLIS)) {
                    lost.remove(agent.host(), agent.instance());
                } catch (IOException e) {
                    // not yet
                }
            }
        }
    }

    /** Why a host whose connection has ended is given up, or an empty text. */
    private String causeOfEnd(AgentHost host) {
        AgentRegistration agent = host.agent();
        try (AgentLink again = AgentLink.dial(agent.address(), agent.port(), DIAL_MILLIS, cluster)) {
            return dropped(again.peer());
        } catch (ConnectException e) {
            lost.put(agent.host(), agent.instance());
            return "its agent has ended";
        } catch (IOException e) {
            return causeOfSilence(host, true);
        }
    }

    /**
     * Why a host is given up whose connection has ended, and which answers.
     *
     * @param agent where it does
     */
    static String dropped(String agent) {
        return "its agent has dropped the connection of " + agent;
    }

    /** Why a silent host is given up, or an empty text. */
    String causeOfSilence(AgentHost host, boolean ask) {
        long silence = host.silenceNanos();
        if (silence < leaseNanos + MARGIN_NANOS || !ask) {
            return "";
        }
        boolean known;
        try {
            AgentRegistry.Listing listing = registry.listing();
            known = listing.unreadable().containsKey(host.name())
                    || listing.agents().stream()
                            .anyMatch(agent -> agent.host().equals(host.name())
                                    && agent.instance() == host.agent().instance());
        } catch (CoordinationFailure e) {
            return "";
        }
        if (known && silence < leaseNanos + MARGIN_NANOS + SESSION_NANOS) {
            return "";
        }
        lost.put(host.name(), host.agent().instance());
        return "it has given no sign of life for " + Durations.seconds(silence)
                + (known ? ", though ZooKeeper still knows it" : "");
    }

    @Override
    public void close() {
        closed = true;
    }
}
