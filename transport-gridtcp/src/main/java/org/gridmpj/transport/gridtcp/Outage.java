package org.gridmpj.transport.gridtcp;

/**
 * For how long a peer has had no link though it should have one. Counted by looks at the clock: time in which this process was
 * stopped, or in which the peer is known to be on its way to another process, does not count. Confined to the holder of the
 * progress lock.
 */
final class Outage {
    /**
     * From here on somebody is told. Connections that are reset are back within a second, and a lost host is noticed by the
     * launcher within some 15 s, after which there is another table; what lasts for longer does not go away by itself.
     */
    static final long LONG_NANOS = 30_000_000_000L;

    /**
     * Who is dialed waits for so much more: the dialer is told more of why, and who tells first is shown.
     */
    private static final long WHO_IS_DIALED_NANOS = 5_000_000_000L;

    /** Who has not looked for so long was stopped. */
    private static final long LONGEST_STEP_NANOS = 2_000_000_000L;

    private final long patienceNanos;
    private long lookedNanos;
    private long missedNanos;

    Outage(boolean dials, long nowNanos) {
        patienceNanos = dials ? LONG_NANOS : LONG_NANOS + WHO_IS_DIALED_NANOS;
        lookedNanos = nowNanos;
    }

    /** The clock is looked at again. */
    void look(boolean missing, long nowNanos) {
        missedNanos = missing ? missedNanos + Math.min(nowNanos - lookedNanos, LONGEST_STEP_NANOS) : 0;
        lookedNanos = nowNanos;
    }

    /** There is a link, or no reason yet for one. */
    void ends() {
        missedNanos = 0;
    }

    /** A link is given up that has been none since then. */
    void began(long sinceNanos, long nowNanos) {
        missedNanos = nowNanos - sinceNanos;
        lookedNanos = nowNanos;
    }

    boolean isLong() {
        return missedNanos >= patienceNanos;
    }

    int seconds() {
        return (int) (missedNanos / 1_000_000_000);
    }
}
