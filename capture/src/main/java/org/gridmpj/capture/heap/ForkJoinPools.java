package org.gridmpj.capture.heap;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Whether a fork-join pool has something to do. */
public final class ForkJoinPools {
    /** Above what a thread without a task takes to rest or to end, also on a machine that is busy otherwise. */
    private static final long PASSING_NANOS = 10_000_000;

    private static final long LOOK_NANOS = 20_000;

    private ForkJoinPools() {}

    /** Whether none of a pool's threads has a task, and none is to come. */
    public static boolean isAtRest(ForkJoinPool pool) {
        return isAtRest(pool, System::nanoTime);
    }

    /**
     * As {@link #isAtRest(ForkJoinPool)}, by a clock. A thread is active also while it looks for its next task, and again for a
     * moment when it ends since there has been none for a minute: it is given the time to be done with that.
     */
    static boolean isAtRest(ForkJoinPool pool, LongSupplier nanoClock) {
        long begun = nanoClock.getAsLong();
        while (!pool.isQuiescent()) {
            if (nanoClock.getAsLong() - begun >= PASSING_NANOS) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }
}
