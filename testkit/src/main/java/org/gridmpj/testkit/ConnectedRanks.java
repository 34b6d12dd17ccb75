package org.gridmpj.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gridmpj.coll.CollectiveExchange;
import org.gridmpj.comm.Communicator;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;

/**
 * N ranks in this JVM over a transport, from point-to-point to COMM_WORLD, with a thread each; no launcher, no facade.
 * Confined to the test's thread.
 */
public final class ConnectedRanks implements AutoCloseable {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(30);
    private static final long RUN_LIMIT_SECONDS = 60;

    /** What one rank does. */
    @FunctionalInterface
    public interface Program {
        /** The world communicator of one rank; called on that rank's thread. */
        void run(Communicator world) throws Exception;
    }

    private final List<PointToPoint> ranks = new ArrayList<>();
    private final List<Communicator> worlds = new ArrayList<>();
    private final ExecutorService threads;
    private boolean broken;

    private ConnectedRanks(int size) {
        threads = Executors.newFixedThreadPool(
                size, Thread.ofPlatform().daemon().name("rank-", 0).factory());
    }

    /** Connects all pairs. */
    public static ConnectedRanks connect(TransportProvider provider, int size) {
        ConnectedRanks connected = new ConnectedRanks(size);
        JobSecret secret = JobSecret.random();
        JobSpec job = new JobSpec("contract", size, 0);
        PointToPointConfig config =
                PointToPointConfig.forHost(size, Runtime.getRuntime().availableProcessors());
        List<Transport> transports = new ArrayList<>();
        List<RankTable.Entry> entries = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            PointToPoint pointToPoint = new PointToPoint(rank, size, config);
            Transport transport = provider.open(
                    new TransportProvider.Context(job, rank, 0, secret, pointToPoint.frameSink(), Map.of()));
            int port = transport.bind("127.0.0.1");
            entries.add(new RankTable.Entry(rank, "127.0.0.1", port, 0, "host"));
            connected.ranks.add(pointToPoint);
            transports.add(transport);
            connected.worlds.add(Communicator.world(pointToPoint, size, rank, new CollectiveExchange()));
        }
        RankTable table = new RankTable(0, entries);
        connected.onEach(rank -> connected.ranks.get(rank).connect(transports.get(rank), table, CONNECT_LIMIT));
        return connected;
    }

    /** Runs a program on all ranks at the same time; throws the failure of the lowest rank that fails. */
    public void run(Program program) {
        onEach(rank -> program.run(worlds.get(rank)));
    }

    /** Whether a program failed, so that messages of it may be left over. */
    public boolean isBroken() {
        return broken;
    }

    private interface Step {
        void run(int rank) throws Exception;
    }

    private void onEach(Step step) {
        List<Future<?>> futures = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            int self = rank;
            futures.add(threads.submit(() -> {
                step.run(self);
                return null;
            }));
        }
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(RUN_LIMIT_SECONDS);
        AssertionError failure = null;
        for (int rank = 0; rank < futures.size(); rank++) {
            try {
                // Once a rank has failed the others may wait for it for ever.
                long leftNanos = failure == null ? deadlineNanos - System.nanoTime() : TimeUnit.SECONDS.toNanos(1);
                futures.get(rank).get(leftNanos, TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                failure = first(failure, "rank " + rank + " failed: " + e.getCause(), e.getCause());
            } catch (TimeoutException e) {
                failure = first(failure, "rank " + rank + " hangs", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure = first(failure, "interrupted", e);
            }
        }
        if (failure != null) {
            broken = true;
            throw failure;
        }
    }

    /** A failure tells more than the hanging of others that it causes. */
    private static AssertionError first(@Nullable AssertionError old, String what, Throwable cause) {
        if (old == null || (old.getCause() instanceof TimeoutException && !(cause instanceof TimeoutException))) {
            return new AssertionError(what, cause);
        }
        return old;
    }

    @Override
    public void close() {
        if (!broken) {
            onEach(rank -> ranks.get(rank).goodbye(Duration.ofSeconds(5)));
        }
        ranks.forEach(PointToPoint::close);
        threads.shutdownNow();
    }
}
