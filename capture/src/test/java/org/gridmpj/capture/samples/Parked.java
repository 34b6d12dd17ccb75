package org.gridmpj.capture.samples;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import mpj.Probe;

/** Threads that are parked, or wait for what others complete, while main makes calls. */
public final class Parked {
    static final StringBuilder OUT = new StringBuilder();
    private static final Map<String, Long> SEEN = new ConcurrentHashMap<>();

    private Parked() {}

    interface Body {
        void run() throws InterruptedException, ExecutionException, TimeoutException;
    }

    private static Thread start(String name, Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (InterruptedException | ExecutionException | TimeoutException e) {
                        say(name + ": " + e);
                    }
                },
                name);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        parks();
        interrupted();
        completes();
        fails();
        chains();
        acquires();
        sleeps();
        consumes();
        say("seen " + SEEN.get("first") + SEEN.get("second"));
    }

    private static void parks() throws InterruptedException {
        boolean[] open = new boolean[3];
        Object blocker = new Object();
        Thread[] threads = {
            start("parked", () -> {
                while (!isSet(open, 0)) {
                    LockSupport.park();
                }
                SEEN.put("first", Probe.Call(1));
            }),
            start("parked by", () -> {
                while (!isSet(open, 1)) {
                    LockSupport.park(blocker);
                }
                SEEN.put("second", Probe.Call(2));
            }),
            start("parked for", () -> {
                while (!isSet(open, 2)) {
                    LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1));
                }
            })
        };
        long sum = Probe.Call(3);
        for (int i = 0; i < threads.length; i++) {
            sum += Probe.Call(sum);
            set(open, i);
            LockSupport.unpark(threads[i]);
            sum += Probe.Call(sum);
        }
        for (Thread each : threads) {
            each.join();
        }
        LockSupport.unpark(Thread.currentThread());
        sum += Probe.Call(sum);
        LockSupport.park(); // it has a permit, which is in an image too
        LockSupport.parkUntil(System.currentTimeMillis() + 12);
        say("parked " + sum);
    }

    private static void set(boolean[] flags, int index) {
        synchronized (flags) {
            flags[index] = true;
        }
    }

    private static boolean isSet(boolean[] flags, int index) {
        synchronized (flags) {
            return flags[index];
        }
    }

    private static void interrupted() throws InterruptedException {
        Thread parked = start("interrupted", () -> {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
            say("interrupted " + Thread.interrupted());
        });
        long value = Probe.Call(4);
        parked.interrupt();
        parked.join();
        say("value " + value);
    }

    private static void completes() throws Exception {
        CompletableFuture<Long> there = new CompletableFuture<>();
        CompletableFuture<Long> back = new CompletableFuture<>();
        CompletableFuture<Long> never = new CompletableFuture<>();
        Thread thread = start("completes", () -> {
            long given = there.get();
            back.complete(given + Probe.Call(5));
            try {
                say("never " + never.get(30, TimeUnit.MILLISECONDS));
            } catch (TimeoutException e) {
                say("time is over");
            }
        });
        long value = Probe.Call(6) + Probe.Call(7);
        there.complete(value);
        say("back " + back.join() + back.get(1, TimeUnit.MINUTES) + Probe.Call(8) + never.isDone());
        thread.join();
    }

    private static void fails() throws InterruptedException {
        CompletableFuture<Long> failing = new CompletableFuture<>();
        CompletableFuture<Long> cancelled = new CompletableFuture<>();
        Thread thread = start("fails", () -> {
            try {
                say("never " + failing.get());
            } catch (ExecutionException e) {
                say("failed " + e.getCause());
            }
            say("cancelled " + cancelled.isCancelled());
            failing.get();
        });
        long value = Probe.Call(9);
        cancelled.cancel(true);
        failing.completeExceptionally(new IllegalStateException("as it should " + value));
        thread.join();
        try {
            say("never " + failing.join());
        } catch (CompletionException e) {
            say("joined " + e.getCause() + Probe.Call(1));
        }
    }

    private static void chains() {
        CompletableFuture<Long> first = new CompletableFuture<>();
        List<Long> seen = new ArrayList<>();
        CompletableFuture<Long> last = first.thenApply(value -> value + 1)
                .thenCombine(CompletableFuture.completedFuture(Probe.Call(10)), Long::sum)
                .whenComplete((value, _) -> seen.add(value));
        long value = Probe.Call(11);
        first.complete(value);
        say("chain " + last.join() + seen + Probe.Call(12));
    }

    private static void acquires() throws InterruptedException {
        Semaphore semaphore = new Semaphore(0, true);
        CountDownLatch done = new CountDownLatch(2);
        start("two", () -> {
            semaphore.acquire(2);
            done.countDown();
        });
        long sum = Probe.Call(13);
        semaphore.release();
        sum += Probe.Call(14);
        semaphore.release();
        start("one", () -> {
            semaphore.acquireUninterruptibly();
            done.countDown();
        });
        sum += Probe.Call(15);
        semaphore.release();
        done.await();
        say("acquired " + sum + semaphore.availablePermits());
    }

    private static void sleeps() throws InterruptedException {
        Thread sleeper = start("sleeper", () -> TimeUnit.MILLISECONDS.sleep(40));
        say("meanwhile " + Probe.Call(16) + Probe.Call(17));
        sleeper.join();
    }

    private static void consumes() throws InterruptedException {
        BlockingQueue<Long> queue = new ArrayBlockingQueue<>(1, true);
        Thread consumer = start("consumer", () -> {
            long sum = 0;
            for (int i = 0; i < 4; i++) {
                sum += queue.take();
            }
            say("consumed " + sum);
        });
        for (int i = 0; i < 4; i++) {
            queue.put(Probe.Call(i));
        }
        consumer.join();
    }

    private static synchronized void say(String text) {
        OUT.append(text).append('\n');
    }
}
