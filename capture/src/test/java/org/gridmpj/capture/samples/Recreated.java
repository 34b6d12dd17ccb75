package org.gridmpj.capture.samples;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import mpj.Probe;

/** Pools that stay the JDK's, and have nothing to do while calls are made; behind each call they have. */
public final class Recreated {
    static final StringBuilder OUT = new StringBuilder();
    private static final int ROUNDS = 8;
    private static final ThreadPoolExecutor OWN = new ThreadPoolExecutor(
            1, 3, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(5), new ThreadPoolExecutor.CallerRunsPolicy());

    static {
        OWN.allowCoreThreadTimeOut(true);
    }

    private Recreated() {}

    /** Counts what it runs. */
    private static final class Counted extends ThreadPoolExecutor {
        private long begun;

        Counted() {
            super(2, 2, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Recreated::daemon);
        }

        @Override
        protected synchronized void beforeExecute(Thread thread, Runnable task) {
            begun++;
        }

        synchronized long begun() {
            return begun;
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    public static void main(String[] args) throws Exception {
        Counted counted = new Counted();
        ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(2, Recreated::daemon);
        ExecutorService ended = new ForkJoinPool(1);
        ended.shutdown();
        ThreadPoolExecutor direct =
                new ThreadPoolExecutor(0, 4, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), Recreated::daemon);
        List<ExecutorService> pools = List.of(
                OWN,
                direct,
                counted,
                scheduled,
                Executors.newFixedThreadPool(2, Recreated::daemon),
                Executors.newSingleThreadExecutor(Recreated::daemon),
                Executors.newWorkStealingPool(2),
                new ForkJoinPool(2));
        for (int round = 1; round <= ROUNDS; round++) {
            long sum = 0;
            for (ExecutorService pool : pools) {
                long number = round;
                sum = sum * 31 + pool.submit(() -> number * 3).get();
            }
            sum += scheduled.schedule(() -> 5L, 1, TimeUnit.MILLISECONDS).get();
            while (pools.stream().anyMatch(Recreated::isBusy)) {
                Thread.onSpinWait();
            }
            say(sum + " " + Probe.Call(round) + " " + Probe.Call(sum) + " " + Probe.Call(3));
            say(OWN.getCompletedTaskCount() + " " + OWN.getQueue().remainingCapacity() + " " + counted.begun());
            try {
                Future<Long> _ = ended.submit(() -> 1L);
            } catch (RejectedExecutionException e) {
                say("rejected " + Probe.Call(4) + ended.isShutdown());
            }
        }
        for (ExecutorService pool : pools) {
            pool.shutdown();
            say(pool.awaitTermination(10, TimeUnit.SECONDS) + " " + Probe.Call(5) + pool.isTerminated());
        }
    }

    private static boolean isBusy(ExecutorService pool) {
        return switch (pool) {
            case ThreadPoolExecutor each ->
                each.getActiveCount() > 0 || each.getCompletedTaskCount() < each.getTaskCount();
            case ForkJoinPool each -> !each.isQuiescent();
            default -> false;
        };
    }

    private static void say(String line) {
        OUT.append(line).append('\n');
    }
}
