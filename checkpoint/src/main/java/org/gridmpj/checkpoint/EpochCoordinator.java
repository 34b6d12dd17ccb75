package org.gridmpj.checkpoint;

import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * Rank 0's clock of transparent snapshots: begins epochs, one at a time. An epoch that was abandoned is tried again, each
 * time after twice the pause.
 *
 * <pre>
 *   idle ── due ──▶ under way ── committed ──▶ idle
 *     ▲                  └────── abandoned ──▶ pause ─┐
 *     └───────────────────────────────────────────────┘
 * </pre>
 *
 * <p>Guarded by its own monitor; has a daemon thread of its own, since nobody may be in an MPI call when one is due.
 */
final class EpochCoordinator {
    private static final long FIRST_PAUSE_NANOS = 250_000_000L;
    private static final long LONGEST_PAUSE_NANOS = 30_000_000_000L;
    private static final long LOOK_AGAIN_NANOS = 20_000_000L;
    private static final int NONE = -1;

    private final IntPredicate begin;
    private final SnapshotClock clock;
    private final LongSupplier nanoClock;
    private int nextEpoch;
    private int underWay = NONE;
    private long pauseNanos;
    private long notBeforeNanos;
    private boolean paused;
    private boolean stopped;

    /**
     * The coordinator of a job.
     *
     * @param begin begins an epoch; false if that is too late
     * @param nextEpoch number of the first epoch
     */
    EpochCoordinator(IntPredicate begin, SnapshotClock clock, LongSupplier nanoClock, int nextEpoch) {
        this.begin = begin;
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.nextEpoch = nextEpoch;
        this.notBeforeNanos = nanoClock.getAsLong();
    }

    void start() {
        Thread thread = new Thread(this::run, "gridmpj-epochs");
        thread.setDaemon(true);
        thread.start();
    }

    private synchronized void run() {
        try {
            while (!stopped) {
                beginIfDue();
                TimeUnit.NANOSECONDS.timedWait(this, LOOK_AGAIN_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Begins an epoch if none is under way and one is due; its number, or −1. */
    synchronized int beginIfDue() {
        if (paused || underWay != NONE || !clock.isDue() || nanoClock.getAsLong() - notBeforeNanos < 0) {
            return NONE;
        }
        int epoch = nextEpoch++;
        clock.taken();
        if (!begin.test(epoch)) {
            return NONE;
        }
        underWay = epoch;
        return epoch;
    }

    /** All images of an epoch are real. */
    synchronized void committed(int epoch) {
        if (epoch >= underWay) {
            underWay = NONE;
            pauseNanos = 0;
        }
    }

    /** An epoch was abandoned: it is tried again. */
    synchronized void abandoned(int epoch) {
        if (underWay != NONE && epoch >= underWay) {
            underWay = NONE;
            nextEpoch = Math.max(nextEpoch, epoch + 1);
            pauseNanos = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * pauseNanos));
            notBeforeNanos = nanoClock.getAsLong() + pauseNanos;
            clock.request();
        }
    }

    /**
     * Begins no epoch until {@link #goOn}; waits until the one under way is settled.
     *
     * @return whether it is, within the time
     */
    synchronized boolean pause(long timeoutNanos) throws InterruptedException {
        paused = true;
        long endNanos = nanoClock.getAsLong() + timeoutNanos;
        while (underWay != NONE && paused && !stopped) {
            if (nanoClock.getAsLong() - endNanos > 0) {
                paused = false;
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, LOOK_AGAIN_NANOS);
        }
        return paused && !stopped;
    }

    /** Begins no epoch until {@link #goOn}, whatever becomes of the one under way. */
    synchronized void hold() {
        paused = true;
    }

    /** The first epoch has at least this number. */
    synchronized void beginWith(int epoch) {
        nextEpoch = Math.max(nextEpoch, epoch);
    }

    /** Begins epochs again. */
    synchronized void goOn() {
        paused = false;
    }

    synchronized void stop() {
        stopped = true;
        notifyAll();
    }

    synchronized int nextEpoch() {
        return nextEpoch;
    }
}
