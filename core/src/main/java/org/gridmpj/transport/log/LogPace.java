package org.gridmpj.transport.log;

import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Whether a rank's logs slow it down: each byte it sends is copied to memory that is in no cache, where it stays until the
 * next snapshot, and what comes is hashed. Then it logs nothing for a while, and all go back if one dies.
 *
 * <pre>
 *   logs ── more than the limit within a second ──▶ too fast ── paused ──▶ logs nothing
 *    ▲                                                                         │
 *    └────────────── the first cut after 4 s, then 8, 16, …, 64 s ◀────────────┘
 * </pre>
 *
 * <p>The limit is a part of the time, or a number of bytes. In time, what has a long payload is measured: how fast a core
 * copies differs by more than twice from machine to machine. A short one is not, as the clock would take as long as the work;
 * it counts as if it were copied at {@value #SHORT_BYTES_PER_NANO} GB/s.
 *
 * <p>Guarded by the progress lock.
 */
public final class LogPace {
    /** Of work that is not measured. */
    private static final long NOT_MEASURED = Long.MIN_VALUE;

    private static final int LONG_PAYLOAD_BYTES = 8 << 10;
    private static final int SHORT_BYTES_PER_NANO = 10;
    /** Work that takes longer than at 1 GB/s was interrupted, or is not compiled yet. */
    private static final int MOST_NANOS_PER_BYTE = 1;

    private static final long WINDOW_NANOS = 1_000_000_000;
    private static final int FIRST_PAUSE_WINDOWS = 4;
    private static final int LONGEST_PAUSE_WINDOWS = 64;
    /** Who has logged for so long begins with a short pause. */
    private static final int CALM_WINDOWS = 10;

    private final boolean inTime;
    /** Bytes or nanoseconds in a window. */
    private final long most;

    private final long windowNanos;
    private final LongSupplier nanoClock;
    private final String description;

    private long spent;
    private long windowBeganNanos;
    private long begunNanos;
    private boolean tooFast;
    private int pauseWindows = FIRST_PAUSE_WINDOWS;
    private boolean paused;
    private long pausedUntilNanos;
    private int givenUpEpoch = -1;
    /** The last cut that was asked about; all channels ask. */
    private int cutEpoch = -1;

    private LogPace(boolean inTime, long most, long windowNanos, LongSupplier nanoClock, String description) {
        this.inTime = inTime;
        this.most = most;
        this.windowNanos = windowNanos;
        this.nanoClock = nanoClock;
        this.description = description;
    }

    /** So many bytes a second, of all logs of a rank together. */
    public static LogPace ofBytes(long mostBytesPerSecond, LongSupplier nanoClock) {
        return ofBytes(mostBytesPerSecond, WINDOW_NANOS, nanoClock);
    }

    /** So many bytes in windows of this length; pauses are in proportion. */
    public static LogPace ofBytes(long mostBytesInWindow, long windowNanos, LongSupplier nanoClock) {
        return new LogPace(
                false,
                mostBytesInWindow,
                windowNanos,
                nanoClock,
                "more than " + mostBytesInWindow / 1_000_000 + " MB in a second");
    }

    /** So much of a rank's time, for all its logs together; in percent of a second. */
    public static LogPace ofTime(int mostPercent, LongSupplier nanoClock) {
        return new LogPace(
                true,
                WINDOW_NANOS / 100 * mostPercent,
                WINDOW_NANOS,
                nanoClock,
                "which takes more than " + mostPercent + " % of its time");
    }

    /** No limit. */
    public static LogPace unlimited() {
        return ofBytes(Long.MAX_VALUE, () -> 0);
    }

    /**
     * So many bytes are about to be copied or hashed.
     *
     * @return when, for {@link #copied} or {@link #hashed}
     */
    long begin(long bytes) {
        return inTime && bytes >= LONG_PAYLOAD_BYTES ? nanoClock.getAsLong() : NOT_MEASURED;
    }

    /** What was sent is in a log. */
    void copied(long bytes, long began) {
        if (inTime) {
            took(bytes, began);
        } else {
            spend(bytes);
        }
    }

    /** What has come is hashed. */
    void hashed(long bytes, long began) {
        if (inTime) {
            took(bytes, began);
        }
    }

    private void took(long bytes, long began) {
        spend(
                began == NOT_MEASURED
                        ? bytes / SHORT_BYTES_PER_NANO
                        : Math.min(nanoClock.getAsLong() - began, bytes * MOST_NANOS_PER_BYTE));
    }

    /** The clock is looked at when as much as the limit has come together. */
    private void spend(long amount) {
        spent += amount;
        if (spent >= most) {
            long now = nanoClock.getAsLong();
            tooFast |= now - windowBeganNanos < windowNanos;
            beginWindow(now);
        }
    }

    private void beginWindow(long now) {
        spent = 0;
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

    /** Of what a rank sends: "more than 400 MB in a second", or "which takes more than 3 % of its time". */
    String describe() {
        return description;
    }
}
