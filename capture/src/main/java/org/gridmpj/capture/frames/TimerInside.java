package org.gridmpj.capture.frames;

import java.lang.ref.Cleaner;
import java.util.Timer;
import java.util.TimerTask;
import jdk.internal.misc.Unsafe;

/** What only java.util may see of timers and their tasks. */
public final class TimerInside {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private static final long STAGE = UNSAFE.objectFieldOffset(TimerTask.class, "state");
    private static final long TIME = UNSAFE.objectFieldOffset(TimerTask.class, "nextExecutionTime");
    private static final long PERIOD = UNSAFE.objectFieldOffset(TimerTask.class, "period");
    private static final long LOCK = UNSAFE.objectFieldOffset(TimerTask.class, "lock");

    // what a task's field "state" says
    private static final int VIRGIN = 0;
    private static final int SCHEDULED = 1;
    private static final int EXECUTED = 2;
    private static final int CANCELLED = 3;

    private TimerInside() {}

    /** Ends a timer's thread, and has the timer forget it: another one does its work. */
    public static void end(Timer timer) {
        // what the garbage collector would have done at the timer's end
        if (take(timer, "cleanup") instanceof Cleaner.Cleanable cleanup) {
            cleanup.clean();
        }
        Thread thread = (Thread) take(timer, "thread");
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Object take(Timer timer, String field) {
        long offset = UNSAFE.objectFieldOffset(Timer.class, field);
        Object value = UNSAFE.getReference(timer, offset);
        UNSAFE.putReference(timer, offset, null);
        return value;
    }

    /** Makes a new task one that is scheduled; false if it is no new one. */
    public static boolean schedule(TimerTask task, long time, long period) {
        synchronized (lock(task)) {
            if (stage(task) != VIRGIN) {
                return false;
            }
            UNSAFE.putLong(task, TIME, time);
            UNSAFE.putLong(task, PERIOD, period);
            UNSAFE.putInt(task, STAGE, SCHEDULED);
            return true;
        }
    }

    /** A task's time has come; false if it has been cancelled. */
    public static boolean fire(TimerTask task, long next, boolean again) {
        synchronized (lock(task)) {
            if (stage(task) == CANCELLED) {
                return false;
            }
            UNSAFE.putLong(task, TIME, next);
            UNSAFE.putInt(task, STAGE, again ? SCHEDULED : EXECUTED);
            return true;
        }
    }

    /** Whether it is not to run any more. */
    public static boolean isCancelled(TimerTask task) {
        synchronized (lock(task)) {
            return stage(task) == CANCELLED;
        }
    }

    /** Between two runs, negative if from one to the next, 0 if there is but one. */
    public static long period(TimerTask task) {
        return UNSAFE.getLong(task, PERIOD);
    }

    private static int stage(TimerTask task) {
        return UNSAFE.getInt(task, STAGE);
    }

    private static Object lock(TimerTask task) {
        return UNSAFE.getReference(task, LOCK);
    }
}
