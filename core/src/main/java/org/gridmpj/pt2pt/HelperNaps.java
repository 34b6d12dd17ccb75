package org.gridmpj.pt2pt;

/**
 * How long the helper thread sleeps: for a tick, or some while the program makes one call after the other, as whoever calls does
 * its own work; but while a long message is under way only for a part of the time that the program has computed for, or that the
 * message has not moved. So a rendezvous, of three steps, is begun soon after the program has gone to compute, a transfer is over
 * not much later than it could be, and neither it nor one that nobody answers costs the program more than a few per cent. Each
 * look takes some ten microseconds from it.
 */
final class HelperNaps {
    /** At the least, while a long message is under way, or was a moment ago. */
    static final long SHORTEST_NANOS = 500_000;

    /** At the most while a long message moves: a socket's buffers have room for what comes and goes in this time. */
    static final long LONGEST_WHILE_IT_MOVES_NANOS = 2_000_000;

    /** How long ago a long message makes looks frequent. */
    static final long WATCHFUL_FOR_NANOS = 100_000_000;

    /** As many times a tick at the most, while the program makes one call after the other. */
    static final int TICKS_WHILE_IT_CALLS = 4;

    private static final int NAPS_OF_STANDSTILL = 8;
    private static final int NAPS_OF_COMPUTATION = 16;

    private final long tickNanos;
    private long calledNanos;
    private long movedNanos;
    private long longNanos;
    private long quietNanos;

    HelperNaps(long tickNanos, long nowNanos) {
        this.tickNanos = tickNanos;
        quietNanos = tickNanos;
        calledNanos = nowNanos;
        movedNanos = nowNanos;
        longNanos = nowNanos - WATCHFUL_FOR_NANOS;
    }

    /**
     * The next nap.
     *
     * @param isComputing whether the program has made no call since the last one
     * @param isCalling whether it has made some, and is in one now
     * @param hasMoved whether anything has moved since then
     * @param isLongUnderWay whether there is a long message that nobody waits for
     */
    long next(long nowNanos, boolean isComputing, boolean isCalling, boolean hasMoved, boolean isLongUnderWay) {
        if (!isComputing) {
            calledNanos = nowNanos;
        }
        if (!isComputing || hasMoved) {
            movedNanos = nowNanos;
        }
        if (isLongUnderWay) {
            longNanos = nowNanos;
        }
        quietNanos = isCalling ? Math.min(2 * quietNanos, TICKS_WHILE_IT_CALLS * tickNanos) : tickNanos;
        if (nowNanos - longNanos >= WATCHFUL_FOR_NANOS) {
            return quietNanos;
        }
        long moving = Math.min((nowNanos - calledNanos) / NAPS_OF_COMPUTATION, LONGEST_WHILE_IT_MOVES_NANOS);
        long standing = (nowNanos - movedNanos) / NAPS_OF_STANDSTILL;
        return Math.min(Math.max(Math.max(moving, standing), SHORTEST_NANOS), tickNanos);
    }
}
