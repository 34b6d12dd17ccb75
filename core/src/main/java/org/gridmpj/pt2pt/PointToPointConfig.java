package org.gridmpj.pt2pt;

import java.util.function.LongSupplier;

/**
 * Settings of the engine's point-to-point part.
 *
 * @param eagerLimitBytes messages up to this length are sent before the receiver asks for them; 0: what the transport says
 * @param spinNanos how long a waiting thread polls without a pause before it blocks
 * @param yieldEverySpins a Thread.yield after this many polls without result; 0 for none
 * @param directLooks how often a blocking receive of a short message looks for it in shared memory or at the connection, before it
 *     is posted; if each idle spin yields, with a Thread.yield in between
 * @param tickNanos how often the helper thread looks whether somebody has polled
 * @param holdBudgetBytes payload held behind snapshot markers before polling stops until the release
 * @param recordOrigins whether nonblocking operations remember the line that started them, for messages about pending
 *     operations; costs a stack walk each
 * @param captureLimitNanos how long a thread that cannot be captured may go on to make MPI calls before the epoch is
 *     abandoned
 * @param inFlightBudgetBytes payload in flight at a cut before the epoch is abandoned
 * @param arraysInPlace whether a receive of objects fills the arrays of primitives that lie in its buffer, where one of the type and
 *     length that comes is at its place, instead of replacing them
 * @param nanoClock for the limit of a capture
 */
public record PointToPointConfig(
        int eagerLimitBytes,
        long spinNanos,
        int yieldEverySpins,
        int directLooks,
        long tickNanos,
        long holdBudgetBytes,
        boolean recordOrigins,
        long captureLimitNanos,
        long inFlightBudgetBytes,
        boolean arraysInPlace,
        LongSupplier nanoClock) {
    private static final long CAPTURE_LIMIT_NANOS = 200_000_000;
    private static final long IN_FLIGHT_BUDGET_BYTES = 1L << 30;
    private static final int AS_THE_TRANSPORT_SAYS = 0;
    private static final long LONG_SPIN_NANOS = 2_000_000;
    private static final long SHORT_SPIN_NANOS = 300_000;
    private static final int DIRECT_LOOKS = 64;
    private static final int DIRECT_LOOKS_ON_SHARED_CORES = 32;
    private static final long TICK_NANOS = 8_000_000;
    private static final long HOLD_BUDGET_BYTES = 64L << 20;

    /**
     * Defaults for a rank that shares its host with others. Ranks that have a core each spin for longer than a message
     * takes; where they do not, a spinning rank takes the core from the one that it waits for.
     */
    public static PointToPointConfig forHost(int ranksOnHost, int cores) {
        if (ranksOnHost > cores) {
            return forSharedCores();
        }
        return with(LONG_SPIN_NANOS, 64, DIRECT_LOOKS);
    }

    /** Defaults for a rank that has no core to itself: more ranks than cores, or a machine that does other work too. */
    public static PointToPointConfig forSharedCores() {
        return with(SHORT_SPIN_NANOS, 1, DIRECT_LOOKS_ON_SHARED_CORES);
    }

    private static PointToPointConfig with(long spinNanos, int yieldEverySpins, int directLooks) {
        return new PointToPointConfig(
                AS_THE_TRANSPORT_SAYS,
                spinNanos,
                yieldEverySpins,
                directLooks,
                TICK_NANOS,
                HOLD_BUDGET_BYTES,
                false,
                CAPTURE_LIMIT_NANOS,
                IN_FLIGHT_BUDGET_BYTES,
                false,
                System::nanoTime);
    }

    /** With another threshold between the protocols. */
    public PointToPointConfig withEagerLimitBytes(int bytes) {
        return new PointToPointConfig(
                bytes,
                spinNanos,
                yieldEverySpins,
                directLooks,
                tickNanos,
                holdBudgetBytes,
                recordOrigins,
                captureLimitNanos,
                inFlightBudgetBytes,
                arraysInPlace,
                nanoClock);
    }

    /** With so many looks before a receive is posted. */
    public PointToPointConfig withDirectLooks(int looks) {
        return new PointToPointConfig(
                eagerLimitBytes,
                spinNanos,
                yieldEverySpins,
                looks,
                tickNanos,
                holdBudgetBytes,
                recordOrigins,
                captureLimitNanos,
                inFlightBudgetBytes,
                arraysInPlace,
                nanoClock);
    }

    /** With another budget for held frames. */
    public PointToPointConfig withHoldBudgetBytes(long bytes) {
        return new PointToPointConfig(
                eagerLimitBytes,
                spinNanos,
                yieldEverySpins,
                directLooks,
                tickNanos,
                bytes,
                recordOrigins,
                captureLimitNanos,
                inFlightBudgetBytes,
                arraysInPlace,
                nanoClock);
    }

    /** With or without the origin of nonblocking operations. */
    public PointToPointConfig withRecordOrigins(boolean wanted) {
        return new PointToPointConfig(
                eagerLimitBytes,
                spinNanos,
                yieldEverySpins,
                directLooks,
                tickNanos,
                holdBudgetBytes,
                wanted,
                captureLimitNanos,
                inFlightBudgetBytes,
                arraysInPlace,
                nanoClock);
    }

    /** With receives of objects that fill the arrays in their buffers, or replace them. */
    public PointToPointConfig withArraysInPlace(boolean wanted) {
        return new PointToPointConfig(
                eagerLimitBytes,
                spinNanos,
                yieldEverySpins,
                directLooks,
                tickNanos,
                holdBudgetBytes,
                recordOrigins,
                captureLimitNanos,
                inFlightBudgetBytes,
                wanted,
                nanoClock);
    }
}
