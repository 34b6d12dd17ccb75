package org.gridmpj.transport.log;

import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Whether a rank sends so much that its logs would slow it down: each byte is copied to memory that is in no cache, where it
 * stays until the next snapshot. Then it logs nothing for a while, and all go back if one dies.
 *
 * <pre>
 *   logs ── more than the limit within a second ──▶ too fast ── paused ──▶ logs nothing
 *    ▲                                                                         │
 *    └────────────── the first cut after 4 s, then 8, 16, …, 64 s ◀────────────┘
 * </pre>
 *
 * <p>Guarded by the progress lock.
 */
public final class LogPace {
    private static final long WINDOW_NANOS = 1_000_000_000;
    private static final int FIRST_PAUSE_WINDOWS = 4;
    private static final int LONGEST_PAUSE_WINDOWS = 64;
    /** Who has logged for so long begins with a short pause. */
    private static final int CALM_WINDOWS = 10;

    private final long mostBytes;
    private final long windowNanos;
    private final LongSupplier nanoClock;

    private long bytes;
    private long windowBeganNanos;
    private long begunNanos;
    private boolean tooFast;
    private int pauseWindows = FIRST_PAUSE_WINDOWS;
    private boolean paused;
    private long pausedUntilNanos;
    private int givenUpEpoch = -1;
    /** The last cut that was asked about; all channels ask. */
    private int cutEpoch = -1;

    /**
     * A limit.
     *
     * @param mostBytesPerSecond of all logs of a rank together; {@link Long#MAX_VALUE} for none
     */
    public LogPace(long mostBytesPerSecond, LongSupplier nanoClock) {
        this(mostBytesPerSecond, WINDOW_NANOS, nanoClock);
    }

    /** The limit is for windows of this length, and pauses are in proportion. */
    public LogPace(long mostBytesInWindow, long windowNanos, LongSupplier nanoClock) {
        this.mostBytes = mostBytesInWindow;
        this.windowNanos = windowNanos;
        this.nanoClock = nanoClock;
    }

    /** No limit. */
    public static LogPace unlimited() {
        return new LogPace(Long.MAX_VALUE, () -> 0);
    }

    /** So much more was logged. The clock is looked at when as much as the limit has come together. */
    void logged(long moreBytes) {
        bytes += moreBytes;
        if (bytes >= mostBytes) {
            long now = nanoClock.getAsLong();
            tooFast |= now - windowBeganNanos < windowNanos;
            beginWindow(now);
        }
    }

    private void beginWindow(long now) {
        bytes = 0;
        windowBeganNanos = now;
    }

    boolean isTooFast() {
        return tooFast;
    }

    /** The logs are given up: nobody goes back alone to this epoch or an earlier one. */
    void pause(int epoch) {
        givenUpEpoch = epoch;
        long now = nanoClock.getAsLong();
        if (now - begunNanos > CALM_WINDOWS * windowNanos) {
            pauseWindows = FIRST_PAUSE_WINDOWS;
        }
        pausedUntilNanos = now + pauseWindows * windowNanos;
        pauseWindows = Math.min(2 * pauseWindows, LONGEST_PAUSE_WINDOWS);
        paused = true;
        tooFast = false;
    }

    /**
     * A cut is being drawn, on one channel after the other: whether logs begin with it that do not run yet.
     *
     * @param tell hears of the epoch, once, if they do not
     */
    boolean beginsAt(int epoch, IntConsumer tell) {
        if (epoch != cutEpoch) {
            cutEpoch = epoch;
            long now = nanoClock.getAsLong();
            if (paused && now - pausedUntilNanos < 0) {
                givenUpEpoch = epoch;
                tell.accept(epoch);
            } else {
                paused = false;
                begunNanos = now;
                beginWindow(now);
            }
        }
        return !paused;
    }

    /** Whether nobody goes back alone to this epoch. */
    boolean isGivenUp(int epoch) {
        return paused && epoch <= givenUpEpoch;
    }

    /** "more than 400 MB in a second", for people. */
    String describe() {
        return "more than " + mostBytes / 1_000_000 + " MB in a second";
    }
}
