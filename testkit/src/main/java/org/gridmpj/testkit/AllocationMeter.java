package org.gridmpj.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that a thread allocates for each of many equal rounds. */
public final class AllocationMeter {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /**
     * The least of some windows counts: until the compiler has caught up, which it does late on a busy machine, code
     * allocates what compiled code keeps in registers. An allocation that belongs to the path is in every window.
     */
    private static final int WINDOWS = 6;

    private AllocationMeter() {}

    /**
     * The calling thread's bytes for a round in steady state.
     *
     * @param rounds in each window; twice as many come first, which do not count
     */
    public static double bytesPerRound(int rounds, Runnable round) {
        run(2 * rounds, round);
        long me = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        for (int window = 0; window < WINDOWS; window++) {
            long before = THREADS.getThreadAllocatedBytes(me);
            run(rounds, round);
            least = Math.min(least, THREADS.getThreadAllocatedBytes(me) - before);
        }
        return (double) least / rounds;
    }

    private static void run(int rounds, Runnable round) {
        for (int i = 0; i < rounds; i++) {
            round.run();
        }
    }
}
