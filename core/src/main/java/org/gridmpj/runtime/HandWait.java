package org.gridmpj.runtime;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What somebody who starts ranks by hand is told while one waits for another: nothing at first, then whom it waits for, and
 * again twice as long after that. One thread.
 */
final class HandWait {
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final LongSupplier nanoTime;
    private final Consumer<String> say;
    private final long beganNanos;
    private final long endNanos;
    private long quietNanos = QUIET.toNanos();

    /** Of a process that waits for so long at most. */
    HandWait(Duration longest) {
        this(longest, System::nanoTime, text -> System.err.println("gridmpj: " + text));
    }

    HandWait(Duration longest, LongSupplier nanoTime, Consumer<String> say) {
        this.nanoTime = nanoTime;
        this.say = say;
        beganNanos = nanoTime.getAsLong();
        endNanos = beganNanos + longest.toNanos();
    }

    /** When it is over. */
    long endNanos() {
        return endNanos;
    }

    /** Time that is left, in ns; 0 or less: none. */
    long leftNanos() {
        return endNanos - nanoTime.getAsLong();
    }

    /** Time until there is something to say, or until the wait is over, in ms, at least 1. */
    int pauseMillis() {
        long untilSaid = beganNanos + quietNanos - nanoTime.getAsLong();
        return (int) Math.max(1, Math.min(untilSaid, leftNanos()) / 1_000_000);
    }

    /** Says what it waits for, if it has waited long enough. */
    void say(String what) {
        if (nanoTime.getAsLong() - beganNanos < quietNanos) {
            return;
        }
        quietNanos *= 2;
        say.accept(what + " (for " + Math.max(0, leftNanos()) / 1_000_000_000 + " s more)");
    }
}
