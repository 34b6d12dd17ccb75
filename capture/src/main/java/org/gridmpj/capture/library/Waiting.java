package org.gridmpj.capture.library;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.gridmpj.capture.frames.CapturePoint;
import org.jspecify.annotations.Nullable;

/**
 * Where threads of the program wait for each other: a little at a time, so that they take part in a capture meanwhile. The
 * first argument is the receiver of the JDK's method.
 *
 * <p>A clock reading means nothing in another process: what is left of a time does.
 */
public final class Waiting {
    private static final long SLICE_NANOS = 5_000_000;
    private static final long FOREVER = Long.MAX_VALUE;

    private Waiting() {}

    /** One try at something that another thread makes possible. */
    private interface Attempt {
        /** Whether it has succeeded, within so long. */
        boolean within(long nanos) throws InterruptedException;
    }

    /** What an interrupt ends. */
    private interface Interruptible {
        void run() throws InterruptedException;
    }

    /** Tries a slice of the time after the other; what is left of it, negative if there was no success. */
    private static long tryFor(Attempt attempt, long nanos) throws InterruptedException {
        long left = nanos;
        while (true) {
            long before = System.nanoTime();
            boolean done = attempt.within(Math.min(SLICE_NANOS, left));
            left = less(left, before);
            if (done) {
                return Math.max(0, left);
            } else if (left <= 0) {
                return -1;
            }
            CapturePoint.poll();
        }
    }

    private static void tryUntilDone(Attempt attempt) throws InterruptedException {
        long _ = tryFor(attempt, FOREVER);
    }

    /** Does it again until no interrupt ends it, and keeps an interrupt for later. */
    private static void uninterruptibly(Interruptible work) {
        boolean interrupted = false;
        while (true) {
            try {
                work.run();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits, a slice of the time after the other, until a notification is for this thread; what is left of the time.
     *
     * @param slice whether nothing is to be waited for any more
     */
    private static long untilNotified(Object on, Attempt slice, long nanos) throws InterruptedException {
        Notifications.Waiter me = Notifications.await(on);
        long left = nanos;
        try {
            boolean over;
            do {
                CapturePoint.poll();
                long before = System.nanoTime();
                over = slice.within(Math.min(SLICE_NANOS, left));
                left = less(left, before);
            } while (left > 0 && !over && !Notifications.isNotified(me));
        } catch (InterruptedException e) {
            if (!Notifications.isNotified(me)) {
                throw e;
            }
            // the notification was for this thread and would be lost
            Thread.currentThread().interrupt();
        } finally {
            Notifications.leave(on, me);
        }
        // one that was notified at the last moment was
        return Notifications.isNotified(me) ? Math.max(1, left) : left;
    }

    private static long less(long left, long since) {
        return left == FOREVER ? left : left - (System.nanoTime() - since);
    }

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

    @SuppressWarnings("WaitNotInLoop") // to throw what it throws; and the loop is around the slice
    private static void waitFor(Object on, long nanos) throws InterruptedException {
        if (!Thread.holdsLock(on)) {
            on.wait();
        }
        // a thread's end notifies those that wait for it, and is none of the program's calls
        boolean ends = on instanceof Thread thread && thread.isAlive();
        long _ = untilNotified(
                on,
                slice -> {
                    on.wait((slice - 1) / 1_000_000 + 1);
                    return ends && !((Thread) on).isAlive();
                },
                nanos);
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
        uninterruptibly(() -> await(condition));
    }

    /** {@link Condition#awaitNanos}. */
    @SuppressWarnings("WaitNotInLoop") // the loop is around the slice
    public static long awaitNanos(Condition condition, long nanos) throws InterruptedException {
        return untilNotified(
                condition,
                slice -> {
                    // its answer is about the slice
                    boolean _ = condition.await(slice, TimeUnit.NANOSECONDS);
                    return false;
                },
                nanos);
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
        tryUntilDone(untilEndOf(thread));
    }

    /** {@link Thread#join(long)}. */
    public static void join(Thread thread, long millis) throws InterruptedException {
        if (millis == 0) {
            join(thread);
        } else if (millis < 0) {
            thread.join(millis);
        } else {
            long _ = tryFor(untilEndOf(thread), TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }

    private static Attempt untilEndOf(Thread thread) {
        // one that has not been started yet is not alive either
        return slice -> !thread.isAlive() || thread.join(Duration.ofNanos(slice));
    }

    /** {@link Thread#sleep(long)}. */
    public static void sleep(long millis) throws InterruptedException {
        if (millis <= 10) {
            Thread.sleep(millis);
        } else {
            sleepNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }

    /** {@link TimeUnit#sleep}. */
    public static void sleep(TimeUnit unit, long time) throws InterruptedException {
        if (unit.toMillis(time) <= 10) {
            unit.sleep(time);
        } else {
            sleepNanos(unit.toNanos(time));
        }
    }

    private static void sleepNanos(long nanos) throws InterruptedException {
        long _ = tryFor(
                slice -> {
                    TimeUnit.NANOSECONDS.sleep(slice);
                    return false;
                },
                nanos);
    }

    /** {@link CountDownLatch#await()}. */
    public static void await(CountDownLatch latch) throws InterruptedException {
        long _ = awaitNanos(latch, FOREVER);
    }

    /** {@link CountDownLatch#await(long, TimeUnit)}. */
    public static boolean await(CountDownLatch latch, long time, TimeUnit unit) throws InterruptedException {
        return awaitNanos(latch, unit.toNanos(time)) >= 0;
    }

    /** Waits, at most so long; what is left of the time, negative if the latch is still closed. */
    static long awaitNanos(CountDownLatch latch, long nanos) throws InterruptedException {
        return tryFor(slice -> latch.await(slice, TimeUnit.NANOSECONDS), nanos);
    }

    /** {@link Semaphore#acquire()}. */
    public static void acquire(Semaphore semaphore) throws InterruptedException {
        acquire(semaphore, 1);
    }

    /** {@link Semaphore#tryAcquire(long, TimeUnit)}. */
    public static boolean tryAcquire(Semaphore semaphore, long time, TimeUnit unit) throws InterruptedException {
        return tryFor(slice -> semaphore.tryAcquire(slice, TimeUnit.NANOSECONDS), unit.toNanos(time)) >= 0;
    }

    /** {@link BlockingQueue#take()}. */
    public static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        List<T> taken = new ArrayList<>(1);
        tryUntilDone(firstOf(queue, taken));
        return taken.getFirst();
    }

    /** {@link BlockingQueue#poll(long, TimeUnit)}. */
    public static <T> @Nullable T poll(BlockingQueue<T> queue, long time, TimeUnit unit) throws InterruptedException {
        List<T> taken = new ArrayList<>(1);
        return tryFor(firstOf(queue, taken), unit.toNanos(time)) < 0 ? null : taken.getFirst();
    }

    private static <T> Attempt firstOf(BlockingQueue<T> queue, List<T> taken) {
        return slice -> {
            T element = queue.poll(slice, TimeUnit.NANOSECONDS);
            return element != null && taken.add(element);
        };
    }

    /** {@link BlockingQueue#put}. */
    public static <T> void put(BlockingQueue<T> queue, T element) throws InterruptedException {
        tryUntilDone(slice -> queue.offer(element, slice, TimeUnit.NANOSECONDS));
    }

    /** {@link BlockingQueue#offer(Object, long, TimeUnit)}. */
    public static <T> boolean offer(BlockingQueue<T> queue, T element, long time, TimeUnit unit)
            throws InterruptedException {
        return tryFor(slice -> queue.offer(element, slice, TimeUnit.NANOSECONDS), unit.toNanos(time)) >= 0;
    }

    /** {@link Lock#lock()}. */
    public static void lock(Lock lock) {
        uninterruptibly(() -> lockInterruptibly(lock));
    }

    /** {@link Lock#lockInterruptibly()}. */
    public static void lockInterruptibly(Lock lock) throws InterruptedException {
        tryUntilDone(slice -> lock.tryLock(slice, TimeUnit.NANOSECONDS));
    }

    /** {@link Lock#tryLock(long, TimeUnit)}. */
    public static boolean tryLock(Lock lock, long time, TimeUnit unit) throws InterruptedException {
        return tryFor(slice -> lock.tryLock(slice, TimeUnit.NANOSECONDS), unit.toNanos(time)) >= 0;
    }

    /** {@link Semaphore#acquire(int)}. */
    public static void acquire(Semaphore semaphore, int permits) throws InterruptedException {
        tryUntilDone(slice -> semaphore.tryAcquire(permits, slice, TimeUnit.NANOSECONDS));
    }

    /** {@link Semaphore#acquireUninterruptibly()}. */
    public static void acquireUninterruptibly(Semaphore semaphore) {
        uninterruptibly(() -> acquire(semaphore));
    }

    // ---------------------------------------------------------------- futures

    /** {@link Future#get()}. */
    public static <T> T get(Future<T> future) throws InterruptedException, ExecutionException {
        if (isPlain(future)) {
            tryUntilDone(untilDone(future));
        }
        return future.get();
    }

    /** {@link Future#get(long, TimeUnit)}. */
    public static <T> T get(Future<T> future, long time, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (!isPlain(future)) {
            return future.get(time, unit);
        }
        if (tryFor(untilDone(future), unit.toNanos(time)) < 0) {
            throw new TimeoutException();
        }
        return future.get();
    }

    /** {@link CompletableFuture#join}. */
    public static <T> T join(CompletableFuture<T> future) {
        if (isPlain(future)) {
            uninterruptibly(() -> tryUntilDone(untilDone(future)));
        }
        return future.join();
    }

    /** Whether it waits as the JDK does: subclasses may do anything, and those of ours wait by our means. */
    private static boolean isPlain(Future<?> future) {
        return (future instanceof CompletableFuture<?> || future instanceof FutureTask<?>)
                && future.getClass().getClassLoader() == null;
    }

    private static Attempt untilDone(Future<?> future) {
        return slice -> {
            try {
                Object _ = future.get(slice, TimeUnit.NANOSECONDS);
                return true;
            } catch (ExecutionException | CancellationException e) {
                return true;
            } catch (TimeoutException e) {
                return false;
            }
        };
    }

    // ---------------------------------------------------------------- parking

    /** {@link LockSupport#park()}. */
    public static void park() {
        parkFor(null, FOREVER);
    }

    /** {@link LockSupport#park(Object)}. */
    public static void park(Object blocker) {
        parkFor(blocker, FOREVER);
    }

    /** {@link LockSupport#parkNanos(long)}. */
    public static void parkNanos(long nanos) {
        parkFor(null, nanos);
    }

    /** {@link LockSupport#parkNanos(Object, long)}. */
    public static void parkNanos(Object blocker, long nanos) {
        parkFor(blocker, nanos);
    }

    /** {@link LockSupport#parkUntil(long)}. */
    public static void parkUntil(long deadlineMillis) {
        parkUntil(null, deadlineMillis);
    }

    /** {@link LockSupport#parkUntil(Object, long)}. */
    public static void parkUntil(@Nullable Object blocker, long deadlineMillis) {
        parkFor(blocker, TimeUnit.MILLISECONDS.toNanos(deadlineMillis - System.currentTimeMillis()));
    }

    private static void parkFor(@Nullable Object blocker, long nanos) {
        long left = nanos;
        while (left > 0 && !Permits.take() && !Thread.currentThread().isInterrupted()) {
            CapturePoint.poll();
            long slice = Math.min(SLICE_NANOS, left);
            long before = System.nanoTime();
            LockSupport.parkNanos(blocker, slice);
            if (System.nanoTime() - before < slice) {
                // somebody has unparked it, by a method reference or the JDK's code where we have noted no permit
                boolean _ = Permits.take();
                return;
            }
            left = less(left, before);
        }
    }

    /** {@link LockSupport#unpark}. */
    public static void unpark(@Nullable Thread thread) {
        if (thread != null) {
            Permits.give(thread);
            LockSupport.unpark(thread);
        }
    }
}
