package org.gridmpj.capture.samples;

import java.util.List;
import java.util.Vector;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import mpj.Probe;
import org.gridmpj.capture.samples.awkward.Counter;
import org.gridmpj.capture.samples.awkward.Idle;
import org.gridmpj.capture.samples.awkward.Tokens;

/** Frames that cannot be captured: a snapshot waits for the call after. */
public final class Awkward {
    static final StringBuilder OUT = new StringBuilder();

    enum Initialised {
        ONLY;

        static final long VALUE = Probe.Call(1);
    }

    static final class Made {
        final long value = Probe.Call(2);
    }

    static class Slow {
        final long value = Probe.Call(2);
    }

    @SuppressWarnings("JdkObsolete") // a class that holds its monitor is wanted
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "forEach" -> new Vector<>(List.of(1, 2)).forEach(each -> OUT.append(Probe.Call(each)));
            case "stream" -> OUT.append(numbers().mapToLong(Probe::Call).sum());
            case "reflection" -> {
                Runnable called = Awkward::called;
                Object _ = Runnable.class.getMethod("run").invoke(called);
            }
            case "initialiser" -> OUT.append(Initialised.VALUE);
            case "reference" -> {
                Supplier<Made> maker = Made::new;
                OUT.append(maker.get().value);
            }
            case "type" -> handedOn();
            case "parameter" -> enclosed();
            case "superclass" -> OUT.append(new Counter());
            case "thread" -> withThread();
            case "virtual" -> withVirtualThread();
            case "light" -> Idle.withVirtualThread(OUT);
            case "timer" -> Idle.withTimer(OUT, true);
            case "idle timer" -> Idle.withTimer(OUT, false);
            case "scheduled" -> Idle.withScheduledPool(OUT, true);
            case "idle pool" -> Idle.withScheduledPool(OUT, false);
            case "busy" -> Idle.withBusyPool(OUT);
            case "common" -> Idle.withCommonPool(OUT, true);
            case "idle common" -> Idle.withCommonPool(OUT, false);
            case "timeout" -> Idle.withTimeout(OUT);
            default -> throw new IllegalArgumentException(args[0]);
        }
        Thread.sleep(10); // other threads are not looked at again at once
        OUT.append(' ').append(Probe.Call(3));
    }

    private static void handedOn() {
        var token = Tokens.take();
        OUT.append(Tokens.back(token, Probe.Call(4)));
    }

    /** The constructor of the class has a parameter that no source names. */
    private static void enclosed() {
        var token = Tokens.take();
        class Keeper extends Slow {
            String back() {
                return Tokens.back(token, value);
            }
        }
        OUT.append(new Keeper().back());
    }

    private static IntStream numbers() {
        return IntStream.range(0, 2);
    }

    static void called() {
        OUT.append(Probe.Call(5));
    }

    private static void withVirtualThread() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread other = Thread.ofVirtual().name("light").start(() -> {
            started.countDown();
            try {
                done.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        started.await();
        OUT.append(Probe.Call(6));
        done.countDown();
        other.join();
    }

    private static void withThread() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread other = new Thread(
                () -> {
                    started.countDown();
                    while (done.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                },
                "helper");
        other.start();
        started.await();
        OUT.append(Probe.Call(6));
        done.countDown();
        other.join();
    }
}
