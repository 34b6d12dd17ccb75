package org.gridmpj.capture.frames;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Static initialisers that the program's methods call before they first use a class, as the agent has written it, so that they
 * can be captured: the JVM's own call of one cannot be left by an exception, which would make the class unusable. What the
 * JVM promises (JVMS 5.5) holds here: one thread runs it, others wait, that thread itself goes on.
 *
 * <p>Where the JVM comes first, as by reflection, it runs the initialiser as ever.
 *
 * <p>Thread-safe; the class guards all but the fast way.
 */
public final class Initialization {
    private static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(boolean[].class);

    /** By number, whether there is nothing left to do: set once and never taken back. */
    @SuppressWarnings("NonFinalStaticField") // it grows
    private static boolean[] settled = new boolean[64];

    private static final Map<String, Integer> NUMBERS = new HashMap<>();
    private static final List<String> NAMES = new ArrayList<>();
    private static final Map<String, Progress> PROGRESS = new HashMap<>();

    private enum Stage {
        /** Called by the program. */
        CALLED,
        /** Called by the JVM. */
        BY_JVM,
        DONE,
        FAILED
    }

    /** @param thread that runs it */
    private record Progress(Stage stage, Thread thread) {}

    private Initialization() {}

    /** Called by the agent: what stands for a class, by its binary name, in the code of this process. */
    public static synchronized int number(String name) {
        Integer known = NUMBERS.get(name);
        if (known != null) {
            return known;
        }
        int number = NAMES.size();
        NAMES.add(name);
        NUMBERS.put(name, number);
        return number;
    }

    // ---------------------------------------------------------------- called by instrumented code

    /** Before a use of a class: whether the caller is to run its initialiser now. */
    public static boolean isDue(int number) {
        boolean[] known = settled;
        return (number >= known.length || !(boolean) FLAG.getAcquire(known, number)) && begins(number);
    }

    /** The initialiser of a class has come to its end. */
    public static synchronized void ended(int number) {
        PROGRESS.put(NAMES.get(number), new Progress(Stage.DONE, Thread.currentThread()));
        settle(number);
        Initialization.class.notifyAll();
    }

    /** The initialiser of a class has thrown this: what its caller is to throw. */
    public static synchronized Throwable failed(int number, Throwable thrown) {
        PROGRESS.put(NAMES.get(number), new Progress(Stage.FAILED, Thread.currentThread()));
        Initialization.class.notifyAll();
        return thrown instanceof Error ? thrown : new ExceptionInInitializerError(thrown);
    }

    // ---------------------------------------------------------------- the rest

    private static synchronized boolean begins(int number) {
        String name = NAMES.get(number);
        boolean interrupted = false;
        try {
            while (true) {
                Progress now = PROGRESS.get(name);
                if (now == null && !ProgramStatics.isSkipped(name)) {
                    PROGRESS.put(name, new Progress(Stage.CALLED, Thread.currentThread()));
                    return true;
                }
                if (now == null || now.stage() == Stage.DONE) {
                    settle(number);
                    return false;
                }
                if (now.stage() == Stage.FAILED) {
                    throw new NoClassDefFoundError("Could not initialize class " + name);
                }
                if (now.stage() == Stage.BY_JVM || now.thread().equals(Thread.currentThread())) {
                    return false; // the JVM has others wait
                }
                try {
                    Initialization.class.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void settle(int number) {
        boolean[] known = settled;
        if (number >= known.length) {
            known = Arrays.copyOf(known, Math.max(NAMES.size(), known.length * 2));
        }
        FLAG.setRelease(known, number, true);
        settled = known;
    }

    /** The JVM begins to initialise a class: whether the program runs its initialiser. */
    static synchronized boolean isCalled(String name) {
        if (!NUMBERS.containsKey(name)) {
            return false;
        }
        Progress now = PROGRESS.putIfAbsent(name, new Progress(Stage.BY_JVM, Thread.currentThread()));
        return now != null && now.stage() == Stage.CALLED;
    }

    /** What is under way or has failed, as plain data: name, thread (null for this one), whether it has failed. */
    static synchronized Object[] plain() {
        List<Object> all = new ArrayList<>();
        PROGRESS.forEach((name, now) -> {
            if (now.stage() == Stage.CALLED || now.stage() == Stage.FAILED) {
                @Nullable Thread other = now.thread().equals(Thread.currentThread()) ? null : now.thread();
                boolean failed = now.stage() == Stage.FAILED;
                all.add(new Object[] {name, failed ? null : other, failed});
            }
        });
        return all.toArray();
    }

    static synchronized void restore(Object[] plain) {
        for (Object each : plain) {
            Object[] of = (Object[]) each;
            Thread thread = of[1] == null ? Thread.currentThread() : (Thread) of[1];
            PROGRESS.put((String) of[0], new Progress((Boolean) of[2] ? Stage.FAILED : Stage.CALLED, thread));
        }
    }

    /** Forgets what has run; for tests that load a program again. */
    static synchronized void reset() {
        PROGRESS.clear();
        settled = new boolean[64];
    }
}
