package org.gridmpj.capture.samples.awkward;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import mpj.Probe;

/** Threads of the JDK that have work of the program's, or none, while they are not in its code. */
public final class Idle {
    /** A timer that stays the JDK's. */
    private static final class Alarm extends Timer {
        Alarm() {
            super("alarm", true);
        }
    }

    private Idle() {}

    public static void withTimer(StringBuilder out, boolean pending) throws InterruptedException {
        Alarm alarm = new Alarm();
        Semaphore begun = new Semaphore(0);
        alarm.schedule(task(begun), 0);
        begun.acquire();
        Thread.sleep(100);
        if (pending) {
            alarm.schedule(task(begun), 3_600_000);
            call(out);
            alarm.cancel();
        } else {
            alarm.purge();
            alarm = null;
            call(out);
        }
    }

    private static TimerTask task(Semaphore begun) {
        return new TimerTask() {
            @Override
            public void run() {
                begun.release();
            }
        };
    }

    public static void withScheduledPool(StringBuilder out, boolean pending) throws InterruptedException {
        ScheduledExecutorService[] pool = {
            Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "delayed");
                thread.setDaemon(true);
                return thread;
            })
        };
        Future<?> _ = pool[0].schedule(() -> {}, pending ? 3_600_000 : 0, TimeUnit.MILLISECONDS);
        Thread.sleep(200);
        if (!pending) {
            pool[0] = null;
        }
        call(out);
        if (pool[0] != null) {
            pool[0].shutdownNow();
            pool[0].awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    public static void withBusyPool(StringBuilder out) throws InterruptedException {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), task -> new Thread(task, "busy"));
        Semaphore gate = new Semaphore(0);
        pool.execute(gate::acquireUninterruptibly);
        while (!gate.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        call(out);
        gate.release();
        pool.shutdown();
        pool.awaitTermination(10, TimeUnit.SECONDS);
    }

    public static void withVirtualThread(StringBuilder out) throws InterruptedException {
        Semaphore gate = new Semaphore(0);
        Thread light = Thread.ofVirtual().name("light").start(gate::acquireUninterruptibly);
        while (!gate.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        call(out);
        gate.release();
        light.join();
    }

    public static void withCommonPool(StringBuilder out, boolean pending) {
        Semaphore gate = new Semaphore(pending ? 0 : 1);
        CompletableFuture<Void> waits = CompletableFuture.runAsync(gate::acquireUninterruptibly);
        if (pending) {
            while (!gate.hasQueuedThreads()) {
                Thread.onSpinWait();
            }
        } else {
            waits = quiet(waits);
        }
        call(out);
        if (pending) {
            gate.release();
            CompletableFuture<Void> _ = quiet(waits);
        }
    }

    private static CompletableFuture<Void> quiet(CompletableFuture<Void> future) {
        future.join();
        while (!ForkJoinPool.commonPool().isQuiescent()) {
            Thread.onSpinWait();
        }
        return future;
    }

    public static void withTimeout(StringBuilder out) throws InterruptedException {
        CompletableFuture<String> answer = new CompletableFuture<String>().orTimeout(1, TimeUnit.HOURS);
        call(out);
        answer.complete("in time");
        Thread.sleep(500);
    }

    private static void call(StringBuilder out) {
        out.append(Probe.Call(6));
    }
}
