package org.gridmpj.capture.samples;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import mpj.Probe;

/** Pools whose tasks make calls while main waits for them. */
public final class Pooled {
    static final StringBuilder OUT = new StringBuilder();
    private static final ExecutorService SHARED = Executors.newSingleThreadExecutor();

    private Pooled() {}

    public static void main(String[] args) throws Exception {
        say("alone " + Probe.Call(1));
        futures();
        all();
        executed();
        inOrder();
        fails();
        started();
        Future<Long> last = SHARED.submit(() -> Probe.Call(5));
        SHARED.shutdown();
        say("last " + last.get() + SHARED.awaitTermination(10, TimeUnit.SECONDS) + Probe.Call(6));
    }

    private static void futures() throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Long>> futures = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            long number = i;
            futures.add(pool.submit(() -> Probe.Call(number) + Probe.Call(number + 100)));
        }
        long own = Probe.Call(50);
        for (Future<Long> each : futures) {
            say("future " + each.get());
        }
        pool.shutdown();
        say("terminated " + pool.awaitTermination(1, TimeUnit.MINUTES) + pool.isTerminated() + own);
    }

    private static void all() throws InterruptedException, ExecutionException {
        try (ExecutorService pool = Executors.newCachedThreadPool()) {
            List<Callable<Long>> tasks = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int depth = i;
                tasks.add(() -> recursion(depth));
            }
            for (Future<Long> each : pool.invokeAll(tasks)) {
                say("all " + each.get() + each.isDone());
            }
            say("any " + pool.invokeAny(List.of(() -> Probe.Call(3))));
        }
    }

    private static void executed() throws InterruptedException {
        int[] threads = {0};
        ExecutorService pool = Executors.newFixedThreadPool(3, task -> new Thread(task, "mine-" + threads[0]++));
        AtomicLong sum = new AtomicLong();
        CountDownLatch done = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            int number = i;
            pool.execute(() -> {
                sum.addAndGet(Probe.Call(number));
                done.countDown();
            });
        }
        done.await();
        say("executed " + sum + " by " + threads[0]);
        pool.shutdown();
        try {
            pool.execute(() -> say("never"));
        } catch (RejectedExecutionException e) {
            say("rejected");
        }
    }

    private static void inOrder() throws InterruptedException, ExecutionException {
        for (int i = 0; i < 3; i++) {
            int number = i;
            SHARED.execute(() -> say("in order " + Probe.Call(number)));
        }
        say("submitted " + SHARED.submit(() -> say("runnable"), "given").get());
    }

    private static void fails() throws InterruptedException {
        Future<Long> failing = SHARED.submit(() -> {
            if (Probe.Call(1) > 0) {
                throw new IllegalArgumentException("as it should");
            }
            return 1L;
        });
        try {
            say("never " + failing.get());
        } catch (ExecutionException e) {
            say("failed " + e.getMessage());
        }
    }

    private static void started() throws InterruptedException {
        AtomicLong sum = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            threads.add(new Thread(() -> sum.addAndGet(Probe.Call(number))));
        }
        threads.forEach(Thread::start);
        for (Thread each : threads) {
            each.join();
        }
        say("started " + sum);
    }

    private static long recursion(int depth) {
        return depth == 0 ? Probe.Call(7) : recursion(depth - 1) + Probe.Call(depth);
    }

    private static void say(String text) {
        synchronized (OUT) {
            OUT.append(text).append('\n');
        }
    }
}
