package org.gridmpj.runtime;

import java.util.List;
import java.util.Map;
import org.gridmpj.coll.Collectives;
import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.snapshot.SnapshotEngine;

/** The engine as the module {@code checkpoint} sees it. Thread-safe as the engine is. */
final class RankSnapshots implements SnapshotEngine {
    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);

    private final Parent parent;
    private final PointToPoint pointToPoint;
    private final Communicator agreement;

    /**
     * The snapshots of a rank.
     *
     * @param agreement a communicator of all ranks that nobody else uses
     */
    RankSnapshots(Parent parent, PointToPoint pointToPoint, Communicator agreement) {
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
    public long mpiCalls() {
        return pointToPoint.calls();
    }
}
