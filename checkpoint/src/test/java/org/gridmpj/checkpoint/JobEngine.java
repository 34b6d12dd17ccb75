package org.gridmpj.checkpoint;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.snapshot.CutCopy;
import org.gridmpj.snapshot.CutListener;
import org.gridmpj.snapshot.Departure;
import org.gridmpj.snapshot.SnapshotEngine;
import org.gridmpj.snapshot.StackCapture;
import org.gridmpj.snapshot.TokenBinder;

/** The engine of a rank of a local cluster, in a job that has been rolled back before. */
record JobEngine(SnapshotEngine engine, int generation, int resumeEpoch, BiConsumer<Integer, ControlMessage> parent)
        implements SnapshotEngine {
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

    @Override
    public void captureWith(StackCapture capture, CutListener listener) {
        throw new UnsupportedOperationException("cooperative");
    }

    @Override
    public boolean requestCut(int epoch) {
        throw new UnsupportedOperationException("cooperative");
    }

    @Override
    public boolean cut(CutCopy copy) {
        throw new UnsupportedOperationException("cooperative");
    }

    @Override
    public void abandonCut(int epoch, String reason) {
        throw new UnsupportedOperationException("cooperative");
    }

    @Override
    public void leave(boolean leaving) {
        throw new UnsupportedOperationException("cooperative");
    }

    @Override
    public String departureObstacle() {
        throw new UnsupportedOperationException("cooperative");
    }

    @Override
    public boolean depart(Departure departure) {
        throw new UnsupportedOperationException("cooperative");
    }

    @Override
    public void takeOver(Map<String, byte[]> channels) {
        throw new UnsupportedOperationException("cooperative");
    }

    @Override
    public boolean awaitLinks(Duration timeout) {
        throw new UnsupportedOperationException("cooperative");
    }

    @Override
    public void bindTokens(TokenBinder binder) {}

    @Override
    public void adopt(Object engineState, byte[] inFlight) {
        throw new UnsupportedOperationException("cooperative");
    }
}
