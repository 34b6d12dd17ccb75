package org.gridmpj.capture.library;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.gridmpj.capture.frames.CapturePoint;

/**
 * Where threads of the program wait for each other: a little at a time, so that they take part in a capture meanwhile. The
 * first argument is the receiver of the JDK's method.
 */
public final class Waiting {
    private Waiting() {}

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
        // a clock reading means nothing in another process: what is left does
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
}
