package org.gridmpj.capture.library;

import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** Pools in the place of those of {@link Executors}: their threads are the program's. */
public final class Pools {
    @SuppressWarnings("NonFinalStaticField") // the JDK numbers its pools too; guarded by the class
    private static int made;

    private Pools() {}

    /** {@link Executors#newFixedThreadPool(int)}. */
    public static ExecutorService newFixedThreadPool(int threads) {
        return newFixedThreadPool(threads, defaultThreadFactory());
    }

    /** {@link Executors#newFixedThreadPool(int, ThreadFactory)}. */
    public static ExecutorService newFixedThreadPool(int threads, ThreadFactory factory) {
        if (threads <= 0) {
            throw new IllegalArgumentException();
        }
        return new Pool(threads, threads, Objects.requireNonNull(factory));
    }

    /** {@link Executors#newCachedThreadPool()}. */
    public static ExecutorService newCachedThreadPool() {
        return newCachedThreadPool(defaultThreadFactory());
    }

    /** {@link Executors#newCachedThreadPool(ThreadFactory)}. */
    public static ExecutorService newCachedThreadPool(ThreadFactory factory) {
        return new Pool(0, Integer.MAX_VALUE, Objects.requireNonNull(factory));
    }

    /** {@link Executors#newSingleThreadExecutor()}. */
    public static ExecutorService newSingleThreadExecutor() {
        return newFixedThreadPool(1);
    }

    /** {@link Executors#newSingleThreadExecutor(ThreadFactory)}. */
    public static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
        return newFixedThreadPool(1, factory);
    }

    /** {@link Executors#defaultThreadFactory()}, with its names. */
    public static ThreadFactory defaultThreadFactory() {
        return new Numbered(next());
    }

    private static synchronized int next() {
        return ++made;
    }

    private static final class Numbered implements ThreadFactory {
        private final int pool;
        private int threads;

        Numbered(int pool) {
            this.pool = pool;
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // as the JDK's
        public synchronized Thread newThread(Runnable task) {
            Thread thread = new Thread(task, "pool-" + pool + "-thread-" + ++threads);
            thread.setDaemon(false);
            thread.setPriority(Thread.NORM_PRIORITY);
            return thread;
        }
    }
}
