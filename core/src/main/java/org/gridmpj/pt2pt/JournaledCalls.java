package org.gridmpj.pt2pt;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the program as the cut sees them: how many there were, and, where capture is possible, the
 * {@link CapturePoints} with the journals of those under way.
 */
final class JournaledCalls implements EngineImage.Calls {
    private final Initiation initiation;
    /** Null while capture is not possible; set before the program's threads come. */
    private @Nullable CapturePoints capturePoints;

    JournaledCalls(Initiation initiation) {
        this.initiation = initiation;
    }

    /** Makes calls capture points from now on. */
    void captureAt(CapturePoints points) {
        capturePoints = points;
    }

    /** A blocking call begins; its journal, or null when capture is not possible. */
    @Nullable
    CallJournal enter() {
        CapturePoints points = capturePoints;
        return points == null ? null : points.enter();
    }

    /** A call that does not block begins. */
    void point() {
        CapturePoints points = capturePoints;
        if (points != null) {
            points.point();
        }
    }

    /** A call whose answer depends on time. */
    void poll() {
        CapturePoints points = capturePoints;
        if (points != null) {
            points.poll();
        }
    }

    /** The steps of the blocking call that the current thread is in; null if nobody needs them. */
    @Nullable
    CallJournal inCall() {
        CapturePoints points = capturePoints;
        return points == null ? null : points.inCall();
    }

    @Override
    public long count() {
        return initiation.calls();
    }

    @Override
    public void suspended(List<String> threads, List<CallJournal> journals) {
        CapturePoints points = capturePoints;
        if (points != null) {
            points.suspended(threads, journals);
        }
    }

    @Override
    public void adopt(long count, String[] threads, CallJournal[] journals) {
        initiation.adoptCalls(count);
        CapturePoints points = capturePoints;
        if (points != null) {
            points.adopt(threads, journals);
        }
    }
}
