package org.gridmpj.capture.library;

import java.util.Date;
import java.util.PriorityQueue;
import java.util.Timer;
import java.util.TimerTask;
import org.gridmpj.capture.frames.CapturePoint;
import org.gridmpj.capture.frames.TimerInside;
import org.jspecify.annotations.Nullable;

/**
 * A timer whose thread is the program's, in the place of the JDK's, of which it has the type and nothing else. In another
 * process what is left of a delay is waited for. A timer that nobody cancels or refers to any more keeps its thread, which
 * the JDK's does until the garbage collector has seen it.
 */
@SuppressWarnings("JavaUtilDate") // the type of the methods that are replaced
public final class TaskTimer extends Timer {
    @SuppressWarnings("NonFinalStaticField") // the JDK numbers its timers too; guarded by the class
    private static int made;

    private final Schedule schedule = new Schedule();

    /** {@link Timer#Timer()}. */
    public TaskTimer() {
        this(name(), false);
    }

    /** {@link Timer#Timer(boolean)}. */
    public TaskTimer(boolean daemon) {
        this(name(), daemon);
    }

    /** {@link Timer#Timer(String)}. */
    public TaskTimer(String name) {
        this(name, false);
    }

    /** {@link Timer#Timer(String, boolean)}. */
    public TaskTimer(String name, boolean daemon) {
        super(name, true);
        TimerInside.end(this);
        Thread thread = new Thread(schedule, name);
        thread.setDaemon(daemon);
        thread.start();
    }

    private static synchronized String name() {
        return "Timer-" + made++;
    }

    /** In the order of their times, and those of one time in the order in which they came. */
    private record Due(long time, long number, TimerTask task) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /**
     * The tasks, by {@link CapturePoint#programMillis}, and the thread that runs them. Guarded by its monitor, which no thread
     * has when it is captured.
     */
    private static final class Schedule implements Runnable {
        private static final long SLICE_MILLIS = 5;

        private final PriorityQueue<Due> queue = new PriorityQueue<>();
        private long added;
        private boolean over;

        @Override
        public void run() {
            try {
                while (true) {
                    CapturePoint.poll();
                    if (isOver()) {
                        return;
                    }
                    TimerTask task = next();
                    if (task != null) {
                        task.run();
                    }
                }
            } finally {
                end();
            }
        }

        synchronized void add(TimerTask task, long delay, long period) {
            if (over) {
                throw new IllegalStateException("Timer already cancelled.");
            }
            long time = CapturePoint.programMillis() + delay;
            if (delay > 0 && time < 0) {
                throw new IllegalArgumentException("Illegal execution time.");
            }
            // as the JDK does it, lest times overflow
            long fitting = Math.abs(period) > Long.MAX_VALUE >> 1 ? period >> 1 : period;
            if (!TimerInside.schedule(task, System.currentTimeMillis() + delay, fitting)) {
                throw new IllegalStateException("Task already scheduled or cancelled");
            }
            queue.add(new Due(time, added++, task));
            notifyAll();
        }

        /** The task to run now; null after a little while without. */
        @SuppressWarnings("WaitNotInLoop") // the loop is around the slice
        private synchronized @Nullable TimerTask next() {
            Due first = queue.peek();
            long now = CapturePoint.programMillis();
            if (first == null || first.time > now) {
                try {
                    wait(first == null ? SLICE_MILLIS : Math.min(SLICE_MILLIS, first.time - now));
                } catch (InterruptedException e) {
                    // meant for a task that is over; the JDK's forgets it too
                }
                return null;
            }
            Due _ = queue.poll();
            long period = TimerInside.period(first.task);
            long next = period == 0 ? first.time : period < 0 ? now - period : first.time + period;
            if (!TimerInside.fire(first.task, next + System.currentTimeMillis() - now, period != 0)) {
                return null;
            }
            if (period != 0) {
                queue.add(new Due(next, added++, first.task));
            }
            return first.task;
        }

        private synchronized boolean isOver() {
            return over;
        }

        synchronized void end() {
            over = true;
            queue.clear();
            notifyAll();
        }

        synchronized int purge() {
            int before = queue.size();
            queue.removeIf(each -> TimerInside.isCancelled(each.task));
            return before - queue.size();
        }
    }

    @Override
    public void schedule(TimerTask task, long delay) {
        schedule.add(task, notNegative(delay), 0);
    }

    @Override
    public void schedule(TimerTask task, Date time) {
        schedule.add(task, until(time), 0);
    }

    @Override
    public void schedule(TimerTask task, long delay, long period) {
        schedule.add(task, notNegative(delay), -positive(period));
    }

    @Override
    public void schedule(TimerTask task, Date firstTime, long period) {
        schedule.add(task, until(firstTime), -positive(period));
    }

    @Override
    public void scheduleAtFixedRate(TimerTask task, long delay, long period) {
        schedule.add(task, notNegative(delay), positive(period));
    }

    @Override
    public void scheduleAtFixedRate(TimerTask task, Date firstTime, long period) {
        schedule.add(task, until(firstTime), positive(period));
    }

    private static long notNegative(long delay) {
        if (delay < 0) {
            throw new IllegalArgumentException("Negative delay.");
        }
        return delay;
    }

    private static long positive(long period) {
        if (period <= 0) {
            throw new IllegalArgumentException("Non-positive period.");
        }
        return period;
    }

    private static long until(Date time) {
        if (time.getTime() < 0) {
            throw new IllegalArgumentException("Illegal execution time.");
        }
        return time.getTime() - System.currentTimeMillis();
    }

    @Override
    public void cancel() {
        schedule.end();
    }

    @Override
    public int purge() {
        return schedule.purge();
    }
}
