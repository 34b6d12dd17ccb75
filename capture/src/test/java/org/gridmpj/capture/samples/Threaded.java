package org.gridmpj.capture.samples;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import mpj.Probe;

/** Threads of the program's own that make calls while main waits for them or makes calls too. */
public final class Threaded {
    static final StringBuilder OUT = new StringBuilder();

    private Threaded() {}

    /** A subclass with state and a run of its own. */
    static class Worker extends Thread {
        private final int from;
        private final long[] sums;

        Worker(String name, int from, long[] sums) {
            super(name);
            this.from = from;
            this.sums = sums;
        }

        @Override
        public void run() {
            for (int i = 0; i < 3; i++) {
                sums[from] += Probe.Call(from * 10 + i);
            }
        }
    }

    static final class Twice extends Worker {
        Twice(int from, long[] sums) {
            super("twice", from, sums);
        }

        @Override
        public void run() {
            super.run();
            super.run();
        }
    }

    static final class Account {
        private long balance;

        synchronized void add(long value) {
            long before = balance;
            // another thread must not come in between
            long more = Probe.Call(value) % 100;
            balance = before + more;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long[] sums = new long[3];
        Worker one = new Worker("one", 0, sums);
        Thread two = new Twice(1, sums);
        Thread three = new Thread(() -> sums[2] = Probe.Call(2) + recursion(3), "three");
        one.start();
        two.start();
        three.start();
        long own = Probe.Call(100);
        one.join();
        two.join();
        three.join();
        say("sums " + sums[0] + " " + sums[1] + " " + sums[2] + " " + own + one.isAlive() + two.getState());
        exclusive();
        handedOver();
        inStep();
        Thread last = new Thread(() -> say("never before its start"), "last");
        say("unstarted " + last.getState() + Probe.Call(1));
        last.start();
        last.join();
    }

    private static void exclusive() throws InterruptedException {
        Account account = new Account();
        ReentrantLock lock = new ReentrantLock();
        int[] counted = {0};
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int number = i;
            Thread thread = new Thread(
                    () -> {
                        account.add(number);
                        lock.lock();
                        try {
                            int before = counted[0];
                            counted[0] = before + (int) (Probe.Call(number) % 10);
                        } finally {
                            lock.unlock();
                        }
                    },
                    "exclusive-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        say("account " + account.balance + " " + counted[0]);
    }

    private static void inStep() throws InterruptedException {
        long[] parts = new long[3];
        long[] sums = new long[2];
        int[] round = {0};
        CyclicBarrier barrier = new CyclicBarrier(3, () -> {
            sums[round[0]++] = Probe.Call(parts[0] + parts[1] + parts[2]);
        });
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            Thread thread = new Thread(
                    () -> {
                        try {
                            for (int step = 0; step < 2; step++) {
                                parts[number] += Probe.Call(number + step);
                                int _ = barrier.await();
                            }
                        } catch (InterruptedException | BrokenBarrierException e) {
                            say("broken");
                        }
                    },
                    "step-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        say("steps " + sums[0] + " " + sums[1] + barrier.getNumberWaiting());
    }

    private static void handedOver() throws InterruptedException {
        BlockingQueue<Long> queue = new LinkedBlockingQueue<>(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread consumer = new Thread(
                () -> {
                    try {
                        long sum = 0;
                        for (int i = 0; i < 3; i++) {
                            sum += queue.take();
                        }
                        say("consumed " + sum + Thread.currentThread().getName());
                        done.countDown();
                    } catch (InterruptedException e) {
                        say("interrupted");
                    }
                },
                "consumer");
        consumer.setDaemon(true);
        consumer.start();
        for (int i = 0; i < 3; i++) {
            queue.put(Probe.Call(i));
        }
        done.await();
    }

    private static long recursion(int depth) {
        return depth == 0 ? Probe.Call(7) : recursion(depth - 1) + Probe.Call(depth);
    }

    private static synchronized void say(String text) {
        OUT.append(text).append('\n');
    }
}
