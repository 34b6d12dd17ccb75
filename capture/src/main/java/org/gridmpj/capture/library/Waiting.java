package org.gridmpj.capture.library;

import java.util.Date;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.gridmpj.capture.frames.CapturePoint;
import org.jspecify.annotations.Nullable;

/**
 * Where threads of the program wait for each other: a little at a time, so that they take part in a capture meanwhile. The
 * first argument is the receiver of the JDK's method.
 *
 * <p>A clock reading means nothing in another process: what is left of a time does.
 */
public final class Waiting {
    private static final long SLICE_MILLIS = 5;
    private static final long SLICE_NANOS = 5_000_000;
    private static final long FOREVER = Long.MAX_VALUE;

    private Waiting() {}

    /** {@link Object#wait()}. */
    public static void wait(Object on) throws InterruptedException {
        waitFor(on, FOREVER);
    }

    /** {@link Object#wait(long)}. */
    @SuppressWarnings("WaitNotInLoop") // not to wait: to throw what it throws then
    public static void wait(Object on, long millis) throws InterruptedException {
        if (millis < 0) {
            on.wait(millis);
        }
        waitFor(on, millis == 0 ? FOREVER : TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** {@link Object#wait(long, int)}. */
    @SuppressWarnings("WaitNotInLoop") // not to wait: to throw what it throws then
    public static void wait(Object on, long millis, int nanos) throws InterruptedException {
        if (millis < 0 || nanos < 0 || nanos > 999_999) {
            on.wait(millis, nanos);
        }
        wait(on, nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis);
    }

    @SuppressWarnings("WaitNotInLoop") // not to wait: to throw what it throws then
    private static void waitFor(Object on, long nanos) throws InterruptedException {
        if (!Thread.holdsLock(on)) {
            on.wait();
        }
        // a thread's end notifies those that wait for it, and is none of the program's calls
        boolean ends = on instanceof Thread thread && thread.isAlive();
        Notifications.Waiter me = Notifications.await(on);
        try {
            long left = nanos;
            while (left > 0 && !Notifications.isNotified(me) && !(ends && !((Thread) on).isAlive())) {
                CapturePoint.poll();
                long before = System.nanoTime();
                on.wait(Math.min(SLICE_MILLIS, (left - 1) / 1_000_000 + 1));
                left = less(left, before);
            }
        } catch (InterruptedException e) {
            if (!Notifications.isNotified(me)) {
                throw e;
            }
            // the notification was for this thread and would be lost
            Thread.currentThread().interrupt();
        } finally {
            Notifications.leave(on, me);
        }
    }

    /** {@link Object#notify()}. */
    public static void notify(Object on) {
        on.notifyAll();
        Notifications.one(on);
    }

    /** {@link Object#notifyAll()}. */
    public static void notifyAll(Object on) {
        on.notifyAll();
        Notifications.all(on);
    }

    /** {@link Condition#await()}. */
    public static void await(Condition condition) throws InterruptedException {
        long _ = awaitNanos(condition, FOREVER);
    }

    /** {@link Condition#await(long, TimeUnit)}. */
    public static boolean await(Condition condition, long time, TimeUnit unit) throws InterruptedException {
        return awaitNanos(condition, unit.toNanos(time)) > 0;
    }

    /** {@link Condition#awaitUntil}. */
    @SuppressWarnings("JavaUtilDate") // its type
    public static boolean awaitUntil(Condition condition, Date deadline) throws InterruptedException {
        return await(condition, deadline.getTime() - System.currentTimeMillis(), TimeUnit.MILLISECONDS);
    }

    /** {@link Condition#awaitUninterruptibly}. */
    public static void awaitUninterruptibly(Condition condition) {
        boolean interrupted = false;
        while (true) {
            try {
                await(condition);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@link Condition#awaitNanos}. */
    public static long awaitNanos(Condition condition, long nanos) throws InterruptedException {
        Notifications.Waiter me = Notifications.await(condition);
        long left = nanos;
        try {
            do {
                CapturePoint.poll();
                long before = System.nanoTime();
                boolean _ = condition.await(Math.min(SLICE_NANOS, left), TimeUnit.NANOSECONDS);
                left = less(left, before);
            } while (left > 0 && !Notifications.isNotified(me));
        } catch (InterruptedException e) {
            if (!Notifications.isNotified(me)) {
                throw e;
            }
            Thread.currentThread().interrupt();
        } finally {
            Notifications.leave(condition, me);
        }
        // one that was notified at the last moment was
        return Notifications.isNotified(me) ? Math.max(1, left) : left;
    }

    /** {@link Condition#signal()}. */
    public static void signal(Condition condition) {
        condition.signalAll();
        Notifications.one(condition);
    }

    /** {@link Condition#signalAll()}. */
    public static void signalAll(Condition condition) {
        condition.signalAll();
        Notifications.all(condition);
    }

    /** {@link Thread#join()}. */
    public static void join(Thread thread) throws InterruptedException {
        while (thread.isAlive()) {
            CapturePoint.poll();
            thread.join(5);
        }
    }

    /** {@link Thread#join(long)}. */
    public static void join(Thread thread, long millis) throws InterruptedException {
        if (millis == 0) {
            join(thread);
            return;
        }
        long left = TimeUnit.MILLISECONDS.toNanos(millis);
        if (left < 0) {
            thread.join(millis);
        }
        while (left > 0 && thread.isAlive()) {
            CapturePoint.poll();
            long before = System.nanoTime();
            thread.join(Math.min(5, Math.max(1, left / 1_000_000)));
            left -= System.nanoTime() - before;
        }
    }

    /** {@link Thread#sleep(long)}. */
    public static void sleep(long millis) throws InterruptedException {
        if (millis <= 10) {
            Thread.sleep(millis);
            return;
        }
        long left = TimeUnit.MILLISECONDS.toNanos(millis);
        while (left > 0) {
            CapturePoint.poll();
            long before = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(Math.min(10_000_000, left));
            left -= System.nanoTime() - before;
        }
    }

    /** {@link CountDownLatch#await()}. */
    public static void await(CountDownLatch latch) throws InterruptedException {
        while (!latch.await(5, TimeUnit.MILLISECONDS)) {
            CapturePoint.poll();
        }
    }

    /** {@link Semaphore#acquire()}. */
    public static void acquire(Semaphore semaphore) throws InterruptedException {
        while (!semaphore.tryAcquire(5, TimeUnit.MILLISECONDS)) {
            CapturePoint.poll();
        }
    }

    /** {@link BlockingQueue#take()}. */
    public static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        T taken = queue.poll(5, TimeUnit.MILLISECONDS);
        while (taken == null) {
            CapturePoint.poll();
            taken = queue.poll(5, TimeUnit.MILLISECONDS);
        }
        return taken;
    }

    /** {@link BlockingQueue#put}. */
    public static <T> void put(BlockingQueue<T> queue, T element) throws InterruptedException {
        while (!queue.offer(element, 5, TimeUnit.MILLISECONDS)) {
            CapturePoint.poll();
        }
    }

    /** {@link Lock#lock()}. */
    public static void lock(Lock lock) {
        boolean interrupted = false;
        while (true) {
            try {
                if (lock.tryLock(5, TimeUnit.MILLISECONDS)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
            CapturePoint.poll();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@link Lock#lockInterruptibly()}. */
    public static void lockInterruptibly(Lock lock) throws InterruptedException {
        while (!lock.tryLock(5, TimeUnit.MILLISECONDS)) {
            CapturePoint.poll();
        }
    }

    /** {@link CountDownLatch#await(long, TimeUnit)}. */
    public static boolean await(CountDownLatch latch, long time, TimeUnit unit) throws InterruptedException {
        return awaitNanos(latch, unit.toNanos(time)) >= 0;
    }

    /** Waits, at most so long; what is left of the time, negative if the latch is still closed. */
    static long awaitNanos(CountDownLatch latch, long nanos) throws InterruptedException {
        long left = nanos;
        long before = System.nanoTime();
        while (!latch.await(Math.min(SLICE_NANOS, left), TimeUnit.NANOSECONDS)) {
            left = less(left, before);
            if (left <= 0) {
                return -1;
            }
            CapturePoint.poll();
            before = System.nanoTime();
        }
        return Math.max(0, less(left, before));
    }

    /** {@link Semaphore#tryAcquire(long, TimeUnit)}. */
    public static boolean tryAcquire(Semaphore semaphore, long time, TimeUnit unit) throws InterruptedException {
        long left = unit.toNanos(time);
        long before = System.nanoTime();
        while (!semaphore.tryAcquire(Math.min(SLICE_NANOS, left), TimeUnit.NANOSECONDS)) {
            left = less(left, before);
            if (left <= 0) {
                return false;
            }
            CapturePoint.poll();
            before = System.nanoTime();
        }
        return true;
    }

    /** {@link BlockingQueue#poll(long, TimeUnit)}. */
    public static <T> @Nullable T poll(BlockingQueue<T> queue, long time, TimeUnit unit) throws InterruptedException {
        long left = unit.toNanos(time);
        long before = System.nanoTime();
        T taken = queue.poll(Math.min(SLICE_NANOS, left), TimeUnit.NANOSECONDS);
        while (taken == null) {
            left = less(left, before);
            if (left <= 0) {
                return null;
            }
            CapturePoint.poll();
            before = System.nanoTime();
            taken = queue.poll(Math.min(SLICE_NANOS, left), TimeUnit.NANOSECONDS);
        }
        return taken;
    }

    /** {@link BlockingQueue#offer(Object, long, TimeUnit)}. */
    public static <T> boolean offer(BlockingQueue<T> queue, T element, long time, TimeUnit unit)
            throws InterruptedException {
        long left = unit.toNanos(time);
        long before = System.nanoTime();
        while (!queue.offer(element, Math.min(SLICE_NANOS, left), TimeUnit.NANOSECONDS)) {
            left = less(left, before);
            if (left <= 0) {
                return false;
            }
            CapturePoint.poll();
            before = System.nanoTime();
        }
        return true;
    }

    /** {@link Lock#tryLock(long, TimeUnit)}. */
    public static boolean tryLock(Lock lock, long time, TimeUnit unit) throws InterruptedException {
        long left = unit.toNanos(time);
        long before = System.nanoTime();
        while (!lock.tryLock(Math.min(SLICE_NANOS, left), TimeUnit.NANOSECONDS)) {
            left = less(left, before);
            if (left <= 0) {
                return false;
            }
            CapturePoint.poll();
            before = System.nanoTime();
        }
        return true;
    }

    private static long less(long left, long since) {
        return left == FOREVER ? left : left - (System.nanoTime() - since);
    }
}
