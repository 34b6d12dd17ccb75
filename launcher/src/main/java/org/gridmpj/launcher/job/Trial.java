package org.gridmpj.launcher.job;

import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.launcher.Durations;
import org.jspecify.annotations.Nullable;

/**
 * A job that ends with its first snapshot: {@code mpjrun --checkpoint-check} shows by it what no look at the classes can, the
 * objects, threads and monitors that there are. What was given up is tried again, since most obstacles pass.
 */
final class Trial {
    /** What was in the way for so long is in the way. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long BYTES_PER_KILOBYTE = 1_000;
    private static final long BYTES_PER_MEGABYTE = 1_000_000;

    private final Snapshots snapshots;
    private long givenUpNanos;
    private boolean decided;

    Trial(Snapshots snapshots) {
        this.snapshots = snapshots;
    }

    /** How the job ends now, with code 0 if a snapshot was taken; null while it is to go on. */
    @Nullable
    JobFailure outcome(long nowNanos) {
        EpochManifest taken = snapshots.latest();
        if (taken != null) {
            decided = true;
            return new JobFailure(
                    0,
                    "trial: a snapshot of all ranks was taken, " + size(taken.bytes()) + "; they stood still for "
                            + taken.stallNanos() / NANOS_PER_MILLI + " ms at most");
        }
        if (snapshots.givenUp().isEmpty()) {
            return null;
        }
        if (givenUpNanos == 0) {
            givenUpNanos = nowNanos;
        }
        if (nowNanos - givenUpNanos < PATIENCE_NANOS) {
            return null;
        }
        decided = true;
        return new JobFailure(
                1, "trial: no snapshot came about within " + Durations.seconds(PATIENCE_NANOS) + snapshots.givenUp());
    }

    /** The job's exit code, its program having ended by itself. */
    int ended(int code, JobStreams streams) {
        if (decided) {
            return code;
        }
        String why = snapshots.givenUp();
        streams.say("trial: the program has ended before a snapshot was taken"
                + (why.isEmpty() ? ": it is too short to show more than its classes do" : why));
        return code == 0 && !why.isEmpty() ? 1 : code;
    }

    private static String size(long bytes) {
        return bytes < BYTES_PER_MEGABYTE
                ? (bytes + BYTES_PER_KILOBYTE - 1) / BYTES_PER_KILOBYTE + " KB"
                : bytes / BYTES_PER_MEGABYTE + " MB";
    }
}
