package org.gridmpj.launcher.hosts;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.jspecify.annotations.Nullable;

/**
 * The agents of a cluster, in ZooKeeper.
 *
 * <pre>
 *   /gridmpj/agents/HOST       ephemeral: gone some seconds after the agent is
 *   /gridmpj/draining/HOST     persistent: no rank is to stay there
 *   /gridmpj/draining/HOST/JOB ephemeral, of the job's launcher: why ranks of the job stay all the same
 * </pre>
 *
 * Any thread may call. A registration that has vanished is a hint only: a session is declared lost during an election of
 * ZooKeeper's too, and then registered again.
 */
public final class AgentRegistry implements AutoCloseable {
    /** Shorter sessions are declared lost during an election although nothing has died. */
    private static final int SESSION_MILLIS = 6_000;

    private static final int CONNECT_MILLIS = 10_000;
    private static final String AGENTS = "/gridmpj/agents";
    private static final String DRAINING = "/gridmpj/draining";

    private final CuratorFramework client;
    private final String servers;
    private @Nullable PersistentNode registered;

    /**
     * Connects.
     *
     * @param servers host:port,…
     * @param patienceMillis how long to wait for one of them to answer
     */
    public AgentRegistry(String servers, int patienceMillis) {
        this.servers = servers;
        this.client =
                CuratorFrameworkFactory.newClient(servers, SESSION_MILLIS, CONNECT_MILLIS, new RetryNTimes(2, 200));
        client.start();
        try {
            if (!client.blockUntilConnected(patienceMillis, TimeUnit.MILLISECONDS)) {
                client.close();
                throw new CoordinationFailure(
                        "no ZooKeeper answers at " + servers + " within " + patienceMillis / 1000 + " s", null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            client.close();
            throw new CoordinationFailure("interrupted while connecting to ZooKeeper at " + servers, e);
        }
    }

    private <T> T ask(String what, Callable<T> call) {
        try {
            return call.call();
        } catch (CoordinationFailure e) {
            throw e;
        } catch (Exception e) { // Curator declares Exception everywhere
            throw new CoordinationFailure("ZooKeeper at " + servers + " could not " + what + ": " + e, e);
        }
    }

    /** Registers an agent, and does so again whenever its session was lost, until this is closed. */
    public synchronized void register(AgentRegistration agent) {
        String path = AGENTS + "/" + agent.host();
        byte[] data = agent.text().getBytes(StandardCharsets.UTF_8);
        PersistentNode node = registered;
        boolean _ = ask("register " + agent.host(), () -> {
            if (node != null) {
                node.setData(data);
                return true;
            }
            PersistentNode created = new PersistentNode(client, CreateMode.EPHEMERAL, false, path, data, true);
            created.start();
            registered = created;
            if (!created.waitForInitialCreate(CONNECT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new CoordinationFailure(
                        "host " + agent.host() + " could not be registered at " + servers + ": is there another agent"
                                + " of this name?",
                        null);
            }
            return true;
        });
    }

    /**
     * What is registered.
     *
     * @param agents by name
     * @param unreadable hosts whose registration cannot be read, as of an agent of another version, and why
     */
    public record Listing(List<AgentRegistration> agents, Map<String, String> unreadable) {}

    /** The agents that are registered and can be read, by name. */
    public List<AgentRegistration> agents() {
        return listing().agents();
    }

    /** All that is registered: one that cannot be read hides no other one. */
    public Listing listing() {
        List<AgentRegistration> agents = new ArrayList<>();
        Map<String, String> unreadable = new TreeMap<>();
        for (String host : children(AGENTS)) {
            byte[] data = ask("read " + AGENTS + "/" + host, () -> {
                try {
                    return client.getData().forPath(AGENTS + "/" + host);
                } catch (KeeperException.NoNodeException e) {
                    return new byte[0]; // has gone since the list was read
                }
            });
            try {
                if (data.length > 0) {
                    agents.add(AgentRegistration.parse(new String(data, StandardCharsets.UTF_8)));
                }
            } catch (IllegalArgumentException | ArithmeticException e) {
                unreadable.put(
                        host,
                        AGENTS + "/" + host + " cannot be read (an agent of another version?): " + e.getMessage());
            }
        }
        return new Listing(agents, unreadable);
    }

    /** Hosts on which no rank is to stay. */
    public Set<String> draining() {
        return new HashSet<>(children(DRAINING));
    }

    private List<String> children(String path) {
        return ask("list " + path, () -> {
            try {
                return client.getChildren().forPath(path).stream().sorted().toList();
            } catch (KeeperException.NoNodeException e) {
                return List.of();
            }
        });
    }

    /** Asks that no rank stays on a host, or takes that back. */
    public void drain(String host, boolean wanted) {
        String path = DRAINING + "/" + host;
        boolean _ = ask((wanted ? "drain " : "undrain ") + host, () -> {
            try {
                if (wanted) {
                    client.create().creatingParentsIfNeeded().forPath(path);
                } else {
                    client.delete().deletingChildrenIfNeeded().forPath(path);
                }
                return true;
            } catch (KeeperException.NodeExistsException | KeeperException.NoNodeException e) {
                return false; // it is so already
            }
        });
    }

    /**
     * Says why ranks of a job stay at a host that is to be drained, for as long as this is open.
     *
     * @param reason an empty text takes it back
     */
    public void object(String host, String job, String reason) {
        String path = DRAINING + "/" + host + "/" + job;
        boolean _ = ask("object to draining " + host, () -> {
            try {
                client.delete().forPath(path);
            } catch (KeeperException.NoNodeException e) {
                // there was no objection
            }
            if (!reason.isEmpty() && client.checkExists().forPath(DRAINING + "/" + host) != null) {
                client.create().withMode(CreateMode.EPHEMERAL).forPath(path, reason.getBytes(StandardCharsets.UTF_8));
            }
            return true;
        });
    }

    /** Why ranks stay at a host that is to be drained: a sentence for each job. */
    public List<String> objections(String host) {
        List<String> reasons = new ArrayList<>();
        for (String job : children(DRAINING + "/" + host)) {
            byte[] data = ask("read what job " + job + " says of draining " + host, () -> {
                try {
                    return client.getData().forPath(DRAINING + "/" + host + "/" + job);
                } catch (KeeperException.NoNodeException e) {
                    return new byte[0]; // has been taken back since the list was read
                }
            });
            if (data.length > 0) {
                reasons.add(new String(data, StandardCharsets.UTF_8));
            }
        }
        return reasons;
    }

    @Override
    public void close() {
        client.close();
    }
}
