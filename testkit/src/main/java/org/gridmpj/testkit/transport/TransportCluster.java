package org.gridmpj.testkit.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.transport.Knocker;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;

/**
 * The transports of all ranks of a job in one JVM, on loopback. Connected in parallel, then polled by the test's thread.
 */
public final class TransportCluster implements AutoCloseable {
    /** Long enough for anything that should happen on a busy machine. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<Transport> transports = new ArrayList<>();
    private final List<FrameRecorder> recorders = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final List<Knock> knocks = new CopyOnWriteArrayList<>();
    private volatile boolean knocksLost;

    private TransportCluster() {}

    /** Opens and binds a transport per rank, each with a recorder as its engine. */
    public static TransportCluster bound(TransportProvider provider, Map<String, String> options, int size) {
        TransportCluster cluster = new TransportCluster();
        JobSecret secret = JobSecret.random();
        for (int rank = 0; rank < size; rank++) {
            FrameRecorder recorder = new FrameRecorder();
            Transport transport = provider.open(new TransportProvider.Context(
                    new JobSpec("contract", size, 0), rank, 0, secret, recorder, options, cluster.knocker(rank)));
            cluster.recorders.add(recorder);
            cluster.transports.add(transport);
            cluster.ports.add(transport.bind("127.0.0.1"));
        }
        return cluster;
    }

    /** Passes what a rank says on at once; the other's transport takes it from any thread. */
    private Knocker knocker(int ownRank) {
        return new Knocker() {
            @Override
            public void knock(int peerRank) {
                if (!knocksLost) {
                    knocks.add(new Knock(ownRank, peerRank));
                    transports.get(peerRank).onKnock(ownRank);
                }
            }

            @Override
            public boolean saysGoodbyes() {
                return true;
            }

            @Override
            public void sayGoodbye(List<Integer> peerRanks) {
                peerRanks.forEach(peerRank -> transports.get(peerRank).onGoodbye(ownRank));
            }
        };
    }

    /**
     * Somebody had something for a rank with which it was not connected.
     *
     * @param from the rank that had
     * @param to the rank that was to dial
     */
    public record Knock(int from, int to) {}

    /** The knocks that have been passed on so far. */
    public List<Knock> knocks() {
        return List.copyOf(knocks);
    }

    /** Whether knocks get lost from now on, as they do while a rank is being started anew. */
    public void loseKnocks(boolean lost) {
        knocksLost = lost;
    }

    /** As {@link #bound}, and connected. */
    public static TransportCluster connected(TransportProvider provider, Map<String, String> options, int size) {
        TransportCluster cluster = bound(provider, options, size);
        try {
            cluster.connect(cluster.table());
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    /** The IP table of these ranks. */
    public RankTable table() {
        return table(ports);
    }

    /** An IP table on loopback. */
    public static RankTable table(List<Integer> ports) {
        List<RankTable.Entry> entries = new ArrayList<>();
        for (int rank = 0; rank < ports.size(); rank++) {
            entries.add(new RankTable.Entry(rank, "127.0.0.1", ports.get(rank), 0, "loopback"));
        }
        return new RankTable(0, entries);
    }

    /** Connects all ranks by a table, each on a thread of its own. */
    public void connect(RankTable table) {
        onAll(transport -> {
            transport.connect(table, PATIENCE);
            return true;
        });
    }

    /** Drains all ranks at once; whether all were drained. */
    public boolean drain() {
        return onAll(transport -> transport.drain(PATIENCE));
    }

    private interface Step {
        boolean run(Transport transport);
    }

    private boolean onAll(Step step) {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<Boolean>> futures = new ArrayList<>();
            for (Transport transport : transports) {
                futures.add(threads.submit(() -> step.run(transport)));
            }
            boolean all = true;
            for (Future<Boolean> future : futures) {
                all &= future.get();
            }
            return all;
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The transport of a rank. */
    public Transport transport(int rank) {
        return transports.get(rank);
    }

    /** What a rank has received. */
    public FrameRecorder recorder(int rank) {
        return recorders.get(rank);
    }

    /** The port on which a rank listens. */
    public int port(int rank) {
        return ports.get(rank);
    }

    /** Polls all ranks until a condition holds. */
    public void pollUntil(String what, BooleanSupplier condition) {
        pollUntil(what, condition, transports);
    }

    /** Polls some ranks until a condition holds. */
    public static void pollUntil(String what, BooleanSupplier condition, List<Transport> transports) {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            boolean any = false;
            for (Transport transport : transports) {
                any |= transport.poll();
            }
            if (!any) {
                LockSupport.parkNanos(20_000);
            }
            if (System.nanoTime() - startNanos > PATIENCE.toNanos()) {
                throw new AssertionError("not within " + PATIENCE + ": " + what);
            }
        }
    }

    @Override
    public void close() {
        for (Transport transport : transports) {
            transport.close();
        }
    }
}
