package org.gridmpj.checkpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.snapshot.Departure;

/** The engine of a job that sends no messages, of one rank unless said otherwise: every cut is consistent. */
class LoneEngine implements CooperativeEngine {
    final List<ControlMessage> reports = new CopyOnWriteArrayList<>();
    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<String> pending = new ArrayList<>();
    Map<String, byte[]> thawed = Map.of();

    private final AtomicBoolean leaving = new AtomicBoolean();
    private final int generation;
    private final int resumeEpoch;

    LoneEngine(int generation, int resumeEpoch) {
        this.generation = generation;
        this.resumeEpoch = resumeEpoch;
    }

    /** The first report of a kind, which must be there. */
    <T extends ControlMessage> T report(Class<T> kind) {
        return reports.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public JobSpec job() {
        return new JobSpec(Images.JOB, 1, generation);
    }

    @Override
    public int worldRank() {
        return 0;
    }

    @Override
    public int resumeEpoch() {
        return resumeEpoch;
    }

    @Override
    public long agree(long valueOfRankZero) {
        return valueOfRankZero;
    }

    @Override
    public List<String> pendingOperations() {
        return List.copyOf(pending);
    }

    @Override
    public void exchangeMarkers(int epoch) {
        calls.add("markers " + epoch);
    }

    @Override
    public Map<String, byte[]> freeze() {
        calls.add("freeze");
        return new HashMap<>(Map.of("engine/a", new byte[] {1, 2}, "channel/b", new byte[0]));
    }

    @Override
    public void thaw(Map<String, byte[]> sections) {
        thawed = sections;
    }

    @Override
    public void release() {
        calls.add("release");
    }

    @Override
    public void report(ControlMessage message) {
        reports.add(message);
    }

    @Override
    public long mpiCalls() {
        return 0;
    }

    @Override
    public void leave(boolean newLeaving) {
        leaving.set(newLeaving);
        calls.add("leave " + newLeaving);
    }

    @Override
    public boolean depart(Departure departure) {
        boolean left = leaving.getAndSet(false);
        if (left) {
            departure.leave(() -> "engine", () -> Map.of("b", new byte[] {3}));
        }
        return left;
    }
}
