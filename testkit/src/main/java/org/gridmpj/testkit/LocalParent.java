package org.gridmpj.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.runtime.Parent;
import org.jspecify.annotations.Nullable;

/** The parent of all ranks of a {@link LocalCluster}: gathers the addresses, makes the IP table. Thread-safe. */
final class LocalParent implements Parent {
    private static final long LONGEST_WAIT_MILLIS = 30_000;

    private final JobSpec job;
    /** By world rank: the number of an invented host; null for the one that this is. */
    private final int @Nullable [] hosts;

    private final Map<Integer, ControlMessage.Bound> bound = new TreeMap<>();
    private final List<ControlMessage> reports = new ArrayList<>();
    private @Nullable MpiFailure failure;

    LocalParent(JobSpec job, int @Nullable [] hosts) {
        this.job = job;
        this.hosts = hosts;
    }

    @Override
    public JobSpec job() {
        return job;
    }

    @Override
    public int resumeEpoch() {
        return -1;
    }

    @Override
    public synchronized RankTable exchange(ControlMessage.Bound address) {
        // the thread's name says which rank it is: all ranks share this parent
        int rank = Integer.parseInt(Thread.currentThread().getName().substring("rank-".length()));
        bound.put(rank, address);
        notifyAll();
        long endMillis = System.currentTimeMillis() + LONGEST_WAIT_MILLIS;
        while (bound.size() < job.size() && failure == null) {
            long left = endMillis - System.currentTimeMillis();
            if (left <= 0) {
                throw new MpiFailure(ErrorClass.OTHER, "only " + bound.keySet() + " of " + job.size() + " ranks came");
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new MpiFailure(ErrorClass.OTHER, "interrupted while waiting for the other ranks", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
        List<RankTable.Entry> entries = new ArrayList<>();
        bound.forEach((worldRank, each) -> entries.add(new RankTable.Entry(
                worldRank,
                each.host(),
                each.port(),
                0,
                hosts == null ? each.hostId() : "invented-" + hosts[worldRank])));
        return new RankTable(0, entries);
    }

    synchronized void fail(MpiFailure cause) {
        failure = cause;
        notifyAll();
    }

    @Override
    public synchronized void report(ControlMessage message) {
        reports.add(message);
    }

    @Override
    public void listen(Consumer<ControlMessage> listener) {}

    @Override
    public void heartbeat(Supplier<ControlMessage.Heartbeat> source) {}

    @Override
    public void end(ControlMessage.EndKind kind, int exitCode, String text) {
        throw new MpiFailure(ErrorClass.OTHER, kind + " with code " + exitCode + ": " + text);
    }
}
