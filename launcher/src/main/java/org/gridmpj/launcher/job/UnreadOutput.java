package org.gridmpj.launcher.job;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntPredicate;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * Images of ranks that had written more at the cut than has been read, or of which it is not settled where in their program's
 * stream they write. What a rank says and what it writes come by different ways; an epoch is committed when both are here, since nobody writes again what is before its cuts: it would be lost with the
 * launcher, or with the host where it waits to be read. Confined to the job's thread.
 */
final class UnreadOutput {
    /** After so long epochs are committed all the same where it is the job's output that nobody reads. */
    static final long PATIENCE_NANOS = 10_000_000_000L;

    private final JobStreams streams;
    private final IntPredicate unsettled;
    private final IntPredicate awaitsReader;
    private final Queue<Waiting> images = new ArrayDeque<>();

    /**
     * An image.
     *
     * @param said by whom
     * @param untilNanos how long the reader of the job's output is waited for
     */
    private record Waiting(JobEvent.Said said, ControlMessage.SnapshotWritten written, long untilNanos) {}

    /**
     * @param unsettled whether what a rank writes begins anew, or goes on, is not known yet
     * @param awaitsReader whether output of a rank waits for who reads the launcher's
     */
    UnreadOutput(JobStreams streams, IntPredicate unsettled, IntPredicate awaitsReader) {
        this.streams = streams;
        this.unsettled = unsettled;
        this.awaitsReader = awaitsReader;
    }

    /** Whether an image has to wait, and does so from now on. */
    boolean holds(JobEvent.Said said, ControlMessage.SnapshotWritten written, long nowNanos) {
        boolean waits =
                unsettled.test(said.worldRank()) || !streams.isHere(said.worldRank(), said.incarnation(), written);
        if (waits) {
            images.add(new Waiting(said, written, nowNanos + PATIENCE_NANOS));
        }
        return waits;
    }

    /** Takes out the next image that waits no longer; null if there is none. */
    JobEvent.@Nullable Said next(long nowNanos) {
        Waiting next = images.stream()
                .filter(each -> isDue(each, nowNanos))
                .findFirst()
                .orElse(null);
        if (next == null) {
            return null;
        }
        images.remove(next);
        return next.said;
    }

    private boolean isDue(Waiting image, long nowNanos) {
        JobEvent.Said said = image.said;
        if (unsettled.test(said.worldRank())) {
            return false;
        }
        return streams.isHere(said.worldRank(), said.incarnation(), image.written)
                || (nowNanos - image.untilNanos >= 0 && awaitsReader.test(said.worldRank()));
    }
}
