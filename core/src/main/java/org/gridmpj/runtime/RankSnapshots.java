package org.gridmpj.runtime;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.gridmpj.coll.Collectives;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.Keyval;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.snapshot.CutCopy;
import org.gridmpj.snapshot.CutListener;
import org.gridmpj.snapshot.Departure;
import org.gridmpj.snapshot.SnapshotEngine;
import org.gridmpj.snapshot.StackCapture;
import org.gridmpj.snapshot.TokenBinder;
import org.jspecify.annotations.Nullable;

/** The engine as the module {@code checkpoint} sees it. Thread-safe as the engine is. */
final class RankSnapshots implements SnapshotEngine {
    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);

    private final Parent parent;
    private final PointToPoint pointToPoint;
    private final MpiProcess process;
    private Communicator agreement;

    /** The engine's state of a rank, and what stands above it, as plain data. */
    private record RankState(
            Object engine,
            Communicator world,
            Communicator self,
            Communicator agreement,
            @Nullable Object facade) {}

    /**
     * The snapshots of a rank.
     *
     * @param agreement a communicator of all ranks that nobody else uses
     */
    RankSnapshots(MpiProcess process, Parent parent, PointToPoint pointToPoint, Communicator agreement) {
        this.process = process;
        this.parent = parent;
        this.pointToPoint = pointToPoint;
        this.agreement = agreement;
    }

    @Override
    public JobSpec job() {
        return parent.job();
    }

    @Override
    public int worldRank() {
        return pointToPoint.worldRank();
    }

    @Override
    public int resumeEpoch() {
        return parent.resumeEpoch();
    }

    @Override
    public long agree(long valueOfRankZero) {
        long[] value = {valueOfRankZero};
        pointToPoint.await(Collectives.of(agreement).bcast(value, 0, 1, LONG, 0));
        return value[0];
    }

    @Override
    public List<String> pendingOperations() {
        return pointToPoint.pendingOperations();
    }

    @Override
    public void exchangeMarkers(int epoch) {
        pointToPoint.exchangeMarkers(epoch);
    }

    @Override
    public Map<String, byte[]> freeze() {
        return pointToPoint.freeze();
    }

    @Override
    public void thaw(Map<String, byte[]> sections) {
        pointToPoint.thaw(sections);
    }

    @Override
    public void release() {
        pointToPoint.release();
    }

    @Override
    public void report(ControlMessage message) {
        parent.report(message);
    }

    @Override
    public void captureWith(StackCapture capture, CutListener listener) {
        pointToPoint.captureWith(capture, listener);
    }

    @Override
    public boolean requestCut(int epoch) {
        return pointToPoint.requestCut(epoch);
    }

    @Override
    public boolean cut(CutCopy copy) {
        return pointToPoint.cut((epoch, engine) -> copy.copy(epoch, state(engine)));
    }

    @Override
    public boolean practise(CutCopy copy) throws IOException {
        return pointToPoint.practise((epoch, engine) -> copy.copy(epoch, state(engine)));
    }

    private RankState state(Object engine) {
        FacadeState facade = process.facade();
        return new RankState(
                engine, process.world(), process.self(), agreement, facade == null ? null : facade.state());
    }

    @Override
    public void leave(boolean leaving) {
        pointToPoint.leave(leaving);
    }

    @Override
    public String departureObstacle() {
        return pointToPoint.departureObstacle();
    }

    @Override
    public boolean depart(Departure departure) {
        FacadeState facade = process.facade();
        return pointToPoint.depart((engine, channels) -> departure.leave(
                () -> new RankState(
                        engine.get(),
                        process.world(),
                        process.self(),
                        agreement,
                        facade == null ? null : facade.state()),
                channels));
    }

    @Override
    public void takeOver(Map<String, byte[]> channels) {
        pointToPoint.takeOver(channels);
    }

    @Override
    public void rehearse() {
        pointToPoint.rehearse();
    }

    @Override
    public boolean awaitLinks(Duration timeout) {
        return pointToPoint.awaitLinks(timeout);
    }

    @Override
    public void goesBackTo(int epoch, boolean alone) {
        pointToPoint.goesBackTo(epoch, alone);
    }

    @Override
    public void peerGoesBack(int peerRank, int incarnation, int epoch) {
        pointToPoint.peerGoesBack(peerRank, incarnation, epoch);
    }

    @Override
    public void committed(int epoch) {
        pointToPoint.committed(epoch);
    }

    @Override
    public void abandonCut(int epoch, String reason) {
        pointToPoint.abandonCut(epoch, reason);
    }

    @Override
    public void bindTokens(TokenBinder binder) {
        pointToPoint.bindTokens(binder);
        binder.bind("keyval/null-copy", Keyval.NULL_COPY);
        binder.bind("keyval/dup", Keyval.DUP);
        binder.bind("keyval/null-delete", Keyval.NULL_DELETE);
        FacadeState facade = process.facade();
        if (facade != null) {
            facade.bindTokens(binder);
        }
    }

    @Override
    public void adopt(Object engineState, byte[] inFlight) {
        RankState state = (RankState) engineState;
        agreement = state.agreement();
        process.adopt(state.world(), state.self());
        FacadeState facade = process.facade();
        if (facade != null && state.facade() != null) {
            facade.adopt(state.facade());
        }
        pointToPoint.adopt(state.engine(), inFlight);
    }

    @Override
    public long mpiCalls() {
        return pointToPoint.calls();
    }
}
