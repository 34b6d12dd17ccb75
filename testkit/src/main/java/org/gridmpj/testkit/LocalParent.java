package org.gridmpj.testkit;

import java.util.ArrayList;
import java.util.HashMap;
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
    private final Map<Integer, Consumer<ControlMessage>> listeners = new HashMap<>();
    private final Map<Integer, List<ControlMessage>> early = new HashMap<>();
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

    /** The thread's name says which rank it is: all ranks share this parent. */
    private static int ownRank() {
        return Integer.parseInt(Thread.currentThread().getName().substring("rank-".length()));
    }

    @Override
    public synchronized RankTable exchange(ControlMessage.Bound address) {
        int rank = ownRank();
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
    public boolean passesOn() {
        return true;
    }

    @Override
    public synchronized void report(ControlMessage message) {
        reports.add(message);
        if (message instanceof ControlMessage.Knock knock) {
            pass(knock.toRank(), knock);
        } else if (message instanceof ControlMessage.Goodbye goodbye) {
            goodbye.toRanks().forEach(rank -> pass(rank, goodbye));
        }
    }

    /** What comes before a rank listens it hears then, as over a control connection. */
    private void pass(int toRank, ControlMessage message) {
        Consumer<ControlMessage> listener = listeners.get(toRank);
        if (listener == null) {
            early.computeIfAbsent(toRank, _ -> new ArrayList<>()).add(message);
        } else {
            listener.accept(message);
        }
    }

    @Override
    public synchronized void listen(Consumer<ControlMessage> listener) {
        int rank = ownRank();
        listeners.put(rank, listener);
        early.getOrDefault(rank, List.of()).forEach(listener);
    }

    @Override
    public void heartbeat(Supplier<ControlMessage.Heartbeat> source) {}

    @Override
    public void end(ControlMessage.EndKind kind, int exitCode, String text) {
        throw new MpiFailure(ErrorClass.OTHER, kind + " with code " + exitCode + ": " + text);
    }
}
