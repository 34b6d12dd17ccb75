package org.gridmpj.checkpoint;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.snapshot.SnapshotEngine;

/** The engine of a rank of a local cluster, in a job that has been rolled back before. */
record JobEngine(SnapshotEngine engine, int generation, int resumeEpoch, BiConsumer<Integer, ControlMessage> parent)
        implements CooperativeEngine {
    @Override
    public JobSpec job() {
        return new JobSpec(Images.JOB, engine.job().size(), generation);
    }

    @Override
    public int worldRank() {
        return engine.worldRank();
    }

    @Override
    public long agree(long valueOfRankZero) {
        return engine.agree(valueOfRankZero);
    }

    @Override
    public List<String> pendingOperations() {
        return engine.pendingOperations();
    }

    @Override
    public void exchangeMarkers(int epoch) {
        engine.exchangeMarkers(epoch);
    }

    @Override
    public Map<String, byte[]> freeze() {
        return engine.freeze();
    }

    @Override
    public void thaw(Map<String, byte[]> sections) {
        engine.thaw(sections);
    }

    @Override
    public void release() {
        engine.release();
    }

    @Override
    public void report(ControlMessage message) {
        parent.accept(worldRank(), message);
    }

    @Override
    public long mpiCalls() {
        return engine.mpiCalls();
    }
}
