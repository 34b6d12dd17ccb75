package org.gridmpj.capture.samples;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import mpj.Probe;
import org.jspecify.annotations.Nullable;

/** Threads that wait to be notified, by monitors and conditions, while others make calls. */
public final class Notified {
    static final StringBuilder OUT = new StringBuilder();

    private Notified() {}

    /** A place for one value. */
    static final class Slot {
        private @Nullable Long value;

        synchronized void put(long given) throws InterruptedException {
            while (value != null) {
                wait();
            }
            value = given;
            notifyAll();
        }

        synchronized long take() throws InterruptedException {
            while (value == null) {
                wait();
            }
            long taken = value;
            value = null;
            notifyAll();
            return taken;
        }
    }

    /** A queue of two places. */
    static final class Bounded {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition notFull = lock.newCondition();
        private final Condition notEmpty = lock.newCondition();
        private final List<Long> values = new ArrayList<>();

        void put(long value) throws InterruptedException {
            lock.lock();
            try {
                while (values.size() == 2) {
                    notFull.await();
                }
                values.add(value);
                notEmpty.signal();
            } finally {
                lock.unlock();
            }
        }

        long take() throws InterruptedException {
            lock.lock();
            try {
                while (values.isEmpty()) {
                    notEmpty.awaitUninterruptibly();
                }
                notFull.signal();
                return values.removeFirst();
            } finally {
                lock.unlock();
            }
        }
    }

    interface Body {
        void run() throws InterruptedException;
    }

    private static Thread start(String name, Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (InterruptedException e) {
                        say(name + " is interrupted");
                    }
                },
                name);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        slots();
        bounded();
        once();
        ends();
        times();
        interrupts();
    }

    private static void slots() throws InterruptedException {
        Slot there = new Slot();
        Slot back = new Slot();
        Thread echo = start("echo", () -> {
            for (int i = 0; i < 3; i++) {
                back.put(Probe.Call(there.take()));
            }
        });
        for (int i = 0; i < 3; i++) {
            there.put(Probe.Call(i));
            say("echoed " + back.take());
        }
        echo.join();
    }

    private static void bounded() throws InterruptedException {
        Bounded queue = new Bounded();
        Thread consumer = start("consumer", () -> {
            long sum = 0;
            for (int i = 0; i < 6; i++) {
                sum += queue.take();
            }
            say("consumed " + sum + " " + Probe.Call(sum));
        });
        for (int i = 0; i < 6; i++) {
            queue.put(Probe.Call(i));
        }
        consumer.join();
    }

    /** A wait that trusts in being notified once, and only then. */
    @SuppressWarnings("WaitNotInLoop") // that is what is tested
    private static void once() throws InterruptedException {
        Object first = new Object();
        Object second = new Object();
        boolean[] said = new boolean[2];
        CountDownLatch ready = new CountDownLatch(2);
        Thread one = start("one", () -> {
            synchronized (first) {
                ready.countDown();
                first.wait();
            }
            say("one " + said[0] + Probe.Call(1));
        });
        Thread two = start("two", () -> {
            synchronized (second) {
                ready.countDown();
                second.wait(10_000);
            }
            one.join();
            say("two " + said[1] + Probe.Call(2));
        });
        ready.await();
        long sum = Probe.Call(3) + Probe.Call(4);
        synchronized (first) {
            said[0] = true;
            first.notify();
        }
        sum += Probe.Call(5);
        synchronized (second) {
            said[1] = true;
            second.notify();
        }
        two.join();
        say("sum " + sum);
    }

    private static void ends() throws InterruptedException {
        Thread worker = start("worker", () -> say("work " + Probe.Call(1) + Probe.Call(2)));
        synchronized (worker) {
            while (worker.isAlive()) {
                worker.wait();
            }
        }
        say("worker " + worker.isAlive());
    }

    @SuppressWarnings("WaitNotInLoop") // nobody notifies
    private static void times() throws InterruptedException {
        Thread caller = start("caller", () -> say("meanwhile " + Probe.Call(9)));
        caller.join();
        Object nobody = new Object();
        long before = System.nanoTime();
        synchronized (nobody) {
            nobody.wait(12);
        }
        ReentrantLock lock = new ReentrantLock();
        boolean signalled;
        lock.lock();
        try {
            signalled = lock.newCondition().await(12, TimeUnit.MILLISECONDS);
        } finally {
            lock.unlock();
        }
        say("waited " + (System.nanoTime() - before >= 24_000_000) + signalled);
        try {
            nobody.notifyAll();
        } catch (IllegalMonitorStateException e) {
            say("" + e.getMessage());
        }
    }

    private static void interrupts() throws InterruptedException {
        Object nobody = new Object();
        CountDownLatch ready = new CountDownLatch(1);
        Thread sleeper = start("sleeper", () -> {
            synchronized (nobody) {
                ready.countDown();
                while (true) {
                    nobody.wait();
                }
            }
        });
        ready.await();
        say("call " + Probe.Call(1) + Probe.Call(2));
        sleeper.interrupt();
        long meanwhile = Probe.Call(4);
        sleeper.join();
        say("interrupted " + meanwhile);
        say("end " + Probe.Call(3));
    }

    private static synchronized void say(String text) {
        OUT.append(text).append('\n');
    }
}
