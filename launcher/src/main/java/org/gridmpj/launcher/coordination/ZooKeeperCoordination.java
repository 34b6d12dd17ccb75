package org.gridmpj.launcher.coordination;

import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/**
 * Held by ZooKeeper, through Curator.
 *
 * <pre>
 *   /gridmpj/jobs/NAME/generation          number
 *                     /committed           "generation epoch"
 *                     /state               text
 *                     /incarnations/R      number
 *                     /members/R           ephemeral
 * </pre>
 *
 * Compare-and-set is a setData with the version that was read, so that a launcher whose session was declared lost during
 * an election, though nothing had died, still cannot undo what its successor did.
 */
public final class ZooKeeperCoordination implements Coordination {
    private static final int SESSION_MILLIS = 10_000;
    private static final int CONNECT_MILLIS = 10_000;
    private static final int RETRIES = 3;
    private static final int RETRY_MILLIS = 200;

    private final CuratorFramework client;
    private final String servers;
    private final String root;

    /**
     * Connects.
     *
     * @param servers host:port,…
     * @throws CoordinationFailure if none of them answers
     */
    public ZooKeeperCoordination(String servers, String jobName) {
        this.servers = servers;
        this.root = "/gridmpj/jobs/" + jobName;
        this.client = CuratorFrameworkFactory.newClient(
                servers, SESSION_MILLIS, CONNECT_MILLIS, new RetryNTimes(RETRIES, RETRY_MILLIS));
        client.start();
        try {
            if (!client.blockUntilConnected(CONNECT_MILLIS, TimeUnit.MILLISECONDS)) {
                client.close();
                throw new CoordinationFailure(
                        "no ZooKeeper answers at " + servers + " within " + CONNECT_MILLIS / 1000 + " s", null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            client.close();
            throw new CoordinationFailure("interrupted while connecting to ZooKeeper at " + servers, e);
        }
        ensure("generation", "0");
        ensure("committed", "-1 -1");
        ensure("state", "starting");
        ensure("incarnations", "");
        ensure("members", "");
    }

    private <T> T ask(String what, Callable<T> call) {
        try {
            return call.call();
        } catch (CoordinationFailure e) {
            throw e;
        } catch (Exception e) { // Curator declares Exception everywhere
            boolean isSilence = e instanceof KeeperException.ConnectionLossException
                    || e instanceof KeeperException.SessionExpiredException
                    || e instanceof KeeperException.OperationTimeoutException;
            throw new CoordinationFailure("ZooKeeper at " + servers + " could not " + what + ": " + e, e, isSilence);
        }
    }

    private String node(String name) {
        return root + "/" + name;
    }

    private void ensure(String name, String value) {
        boolean _ = ask("create " + node(name), () -> {
            try {
                client.create().creatingParentsIfNeeded().forPath(node(name), value.getBytes(StandardCharsets.UTF_8));
                return true;
            } catch (KeeperException.NodeExistsException e) {
                return false;
            }
        });
    }

    private String get(String name, Stat stat) {
        return ask(
                "read " + node(name),
                () -> new String(client.getData().storingStatIn(stat).forPath(node(name)), StandardCharsets.UTF_8));
    }

    private boolean set(String name, String value, int version) {
        return ask("write " + node(name), () -> {
            try {
                Stat _ = client.setData()
                        .withVersion(version)
                        .forPath(node(name), value.getBytes(StandardCharsets.UTF_8));
                return true;
            } catch (KeeperException.BadVersionException e) {
                return false;
            }
        });
    }

    private int number(String name) {
        return Integer.parseInt(get(name, new Stat()));
    }

    private boolean raise(String name, int expected) {
        Stat stat = new Stat();
        return Integer.parseInt(get(name, stat)) == expected
                && set(name, Integer.toString(expected + 1), stat.getVersion());
    }

    @Override
    public int generation() {
        return number("generation");
    }

    @Override
    public boolean raiseGeneration(int expected) {
        return raise("generation", expected);
    }

    @Override
    public int incarnation(int worldRank) {
        ensure("incarnations/" + worldRank, "0");
        return number("incarnations/" + worldRank);
    }

    @Override
    public boolean raiseIncarnation(int worldRank, int expected) {
        ensure("incarnations/" + worldRank, "0");
        return raise("incarnations/" + worldRank, expected);
    }

    private static Committed committed(String text) {
        String[] words = text.split(" ", 2);
        return new Committed(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
    }

    @Override
    public Committed committed() {
        return committed(get("committed", new Stat()));
    }

    @Override
    public boolean commit(Committed epoch) {
        while (true) {
            Stat stat = new Stat();
            if (!epoch.isLaterThan(committed(get("committed", stat)))) {
                return false;
            }
            if (set("committed", epoch.generation() + " " + epoch.epoch(), stat.getVersion())) {
                return true;
            }
        }
    }

    @Override
    public String state() {
        return get("state", new Stat());
    }

    @Override
    public void state(String state) {
        boolean _ = set("state", state, -1);
    }

    @Override
    public void join(int worldRank, String member) {
        leave(worldRank);
        String _ = ask(
                "note rank " + worldRank,
                () -> client.create()
                        .withMode(CreateMode.EPHEMERAL)
                        .forPath(node("members/" + worldRank), member.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void leave(int worldRank) {
        boolean _ = ask("remove rank " + worldRank, () -> {
            try {
                client.delete().forPath(node("members/" + worldRank));
                return true;
            } catch (KeeperException.NoNodeException e) {
                return false;
            }
        });
    }

    @Override
    public SortedMap<Integer, String> members() {
        return ask("list the ranks", () -> {
            TreeMap<Integer, String> members = new TreeMap<>();
            for (String rank : client.getChildren().forPath(node("members"))) {
                try {
                    members.put(Integer.valueOf(rank), get("members/" + rank, new Stat()));
                } catch (CoordinationFailure e) {
                    if (!(e.getCause() instanceof KeeperException.NoNodeException)) {
                        throw e;
                    }
                    // it has left since it was listed
                }
            }
            return members;
        });
    }

    @Override
    public void close() {
        client.close();
    }
}
