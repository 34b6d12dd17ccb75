package org.gridmpj.checkpoint;

import java.util.function.LongSupplier;
import org.gridmpj.job.control.ControlMessage;

/**
 * Rank 0's decision whether a snapshot is due.
 *
 * <p>{@code auto} is Young's interval √(2·C·M) (CACM 17(9), 1974): C the stall that was measured, smoothed, and M the
 * expected time between failures: what this job has lived through by its number of failures, as the parent tells, with one
 * assumed failure in six hours as prior. The share of time lost is then about √(2·C/M). Never shorter than ten times the time to write an
 * image, so that the disk does not become the program's brake.
 *
 * <p>Guarded by its own monitor: requests come from the thread that reads the control connection.
 */
final class SnapshotClock {
    /** Until a stall has been measured. */
    static final long FIRST_AUTO_NANOS = 5_000_000_000L;

    static final long PRIOR_FAILURE_NANOS = 6L * 3600 * 1_000_000_000L;

    private static final long SHORTEST_AUTO_NANOS = 1_000_000_000L;
    private static final int WRITE_TIMES = 10;
    private static final double SMOOTHING = 0.3;

    private final CheckpointInterval interval;
    private final LongSupplier nanoClock;
    private long startNanos;
    private int failures;
    private long lastNanos;
    private boolean requested;
    private double stallNanos = -1;
    private long writeNanos;

    /** @param failures how often the job has failed already, until the parent tells: its generation */
    SnapshotClock(CheckpointInterval interval, LongSupplier nanoClock, int failures) {
        this.interval = interval;
        this.nanoClock = nanoClock;
        this.failures = failures;
        startNanos = nanoClock.getAsLong();
        lastNanos = startNanos;
    }

    /** Somebody wants a snapshot at the next opportunity. */
    synchronized void request() {
        requested = true;
    }

    synchronized boolean isDue() {
        return requested || nanoClock.getAsLong() - lastNanos >= intervalNanos();
    }

    /** A snapshot is being taken now. */
    synchronized void taken() {
        requested = false;
        lastNanos = nanoClock.getAsLong();
    }

    /** What a snapshot has cost. */
    synchronized void measured(long stall, long write) {
        stallNanos = stallNanos < 0 ? stall : stallNanos + SMOOTHING * (stall - stallNanos);
        writeNanos = write;
    }

    /** Time from one snapshot to the next. */
    synchronized long intervalNanos() {
        return switch (interval) {
            case CheckpointInterval.Off off -> Long.MAX_VALUE;
            case CheckpointInterval.Every every -> every.nanos();
            case CheckpointInterval.Auto auto -> autoNanos();
        };
    }

    /** Share of the time that stalls and lost work are expected to cost. */
    synchronized double waste() {
        double interval = intervalNanos();
        return Math.max(stallNanos, 0) / interval + interval / (2 * betweenFailuresNanos());
    }

    /** The parent knows how long the job has run, in which processes ever, and how often it has failed. */
    synchronized void lived(ControlMessage.Lived life) {
        startNanos = nanoClock.getAsLong() - life.nanos();
        failures = life.failures();
    }

    boolean isAuto() {
        return interval instanceof CheckpointInterval.Auto;
    }

    /** Interval and waste. */
    synchronized ControlMessage.Pace pace() {
        return new ControlMessage.Pace(intervalNanos(), waste());
    }

    private long autoNanos() {
        if (stallNanos < 0) {
            return FIRST_AUTO_NANOS;
        }
        long young = (long) Math.sqrt(2 * stallNanos * betweenFailuresNanos());
        return Math.max(Math.max(young, SHORTEST_AUTO_NANOS), WRITE_TIMES * writeNanos);
    }

    private double betweenFailuresNanos() {
        double lived = nanoClock.getAsLong() - startNanos;
        return (PRIOR_FAILURE_NANOS + lived) / (1.0 + failures);
    }
}
