package org.gridmpj.capture.frames;

import java.lang.reflect.Field;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a program, which are captured together or not at all:
 *
 * <pre>
 *   running ── a thread at an MPI call is asked to unwind ──▶ gathering: it waits, its frames intact, for the others to come
 *      ▲                                                        to an MPI call or to a wait of theirs
 *      │   patience is over: a thread is named ◀────────────────┤
 *      │                                                        ▼ all are there
 *      └── all frames are entered again ◀── main copies ◀── unwinding: all throw, save their frames, wait at their roots
 * </pre>
 *
 * <p>In two phases since a thread that unwinds leaves its monitors: nobody may run then who could enter them. For the same
 * reason no thread goes on before all have entered their frames again.
 *
 * <p>Guarded by its monitor.
 */
final class ProgramThreads {
    private static final long PATIENCE_NANOS = 50_000_000;

    /** Nobody hears of the last step of a thread. */
    private static final long ENDING_LOOK_NANOS = 200_000;

    /** Between two attempts to gather. */
    private static final long PAUSE_NANOS = 20_000_000;

    @SuppressWarnings("NonFinalStaticField") // that of the program that runs in this process
    private static volatile @Nullable ProgramThreads current;

    private final StackInspection inspection;
    private final LongSupplier nanoClock;

    /** Started and not ended, main first. */
    private final Set<Thread> live = new LinkedHashSet<>();

    /** Have done what they were to do; those that the JVM still ends, and cannot be in an image, are among them. */
    private final Set<Thread> ending = Collections.newSetFromMap(new WeakHashMap<>());

    /** Frames that threads of an image enter when they begin. */
    private final IdentityHashMap<Thread, List<FrameRecord>> toEnter = new IdentityHashMap<>();

    private @Nullable Thread main;

    private final Set<Thread> arrived = Collections.newSetFromMap(new IdentityHashMap<>());
    private final IdentityHashMap<Thread, List<FrameRecord>> unwound = new IdentityHashMap<>();

    /** Interrupted when they had unwound: waiting for each other hides it. */
    private final Set<Thread> interrupted = Collections.newSetFromMap(new IdentityHashMap<>());

    private volatile boolean gathering;
    private boolean unwinding;
    private boolean abandoned;
    private long resumptions;
    private CountDownLatch reentry = new CountDownLatch(0);
    private @Nullable String lastObstacle;
    private long nextTryNanos;

    ProgramThreads(StackInspection inspection, LongSupplier nanoClock) {
        this.inspection = inspection;
        this.nanoClock = nanoClock;
    }

    static @Nullable ProgramThreads current() {
        return current;
    }

    /** The current thread is about to run main. */
    synchronized void main() {
        current = this;
        main = Thread.currentThread();
        live.add(Thread.currentThread());
    }

    /** Main is over; if that is since its state could not be handed on, the threads that it was captured with are too. */
    synchronized void mainEnded() {
        abandoned = unwinding;
        forget(Thread.currentThread());
    }

    /** Whether the program is over since what it was captured for has failed: its threads are not to go on. */
    synchronized boolean isAbandoned() {
        return abandoned;
    }

    synchronized boolean isLive(Thread thread) {
        return live.contains(thread);
    }

    boolean isGathering() {
        return gathering;
    }

    // ---------------------------------------------------------------- threads begin and end

    void start(Thread thread) {
        synchronized (this) {
            if (thread.getState() == Thread.State.NEW && !live.contains(thread)) {
                root(thread);
                live.add(thread);
            }
        }
        try {
            thread.start();
        } catch (RuntimeException | Error e) {
            if (thread.getState() == Thread.State.NEW) {
                forget(thread);
            }
            throw e;
        }
    }

    /** Starts a thread of an image, which is to enter these frames. */
    void startAgain(Thread thread, List<FrameRecord> frames) {
        synchronized (this) {
            live.add(thread);
            toEnter.put(thread, frames);
        }
        thread.start();
    }

    /** Puts a {@link ThreadRoot} below what the thread is to do. */
    private static void root(Thread thread) {
        if (thread instanceof ThreadBody) {
            return;
        }
        try {
            Field holder = Thread.class.getDeclaredField("holder");
            holder.setAccessible(true);
            Object held = holder.get(thread);
            Field task = held.getClass().getDeclaredField("task");
            task.setAccessible(true);
            if (task.get(held) instanceof Runnable runnable && !(runnable instanceof ThreadRoot)) {
                task.set(held, new ThreadRoot(runnable));
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "this JDK does not show what a thread is to do: it is another than JDK 25", e);
        }
    }

    synchronized boolean isToBegin(Thread thread) {
        return thread.equals(Thread.currentThread()) && live.contains(thread);
    }

    /** A thread is about to do what it is to do; the frames that it is to enter, if it has been under way before. */
    @Nullable
    List<FrameRecord> begin(Thread thread) {
        synchronized (this) {
            List<FrameRecord> frames = toEnter.remove(thread);
            if (frames != null) {
                return frames;
            }
        }
        return gathering && gather() == null ? unwound(thread, List.of()) : null;
    }

    synchronized void end(Thread thread) {
        boolean _ = isAnyEnding();
        ending.add(thread);
        forget(thread);
    }

    private synchronized void forget(Thread thread) {
        live.remove(thread);
        arrived.remove(thread);
        notifyAll();
    }

    private boolean isAnyEnding() {
        ending.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        return !ending.isEmpty();
    }

    // ---------------------------------------------------------------- first phase

    /** Why the program cannot be captured while the current thread stands here; null when all threads are to unwind now. */
    @Nullable
    String obstacle() {
        String own = inspection.own();
        if (own != null) {
            return own;
        }
        boolean alone;
        synchronized (this) {
            if (isMainOver()) {
                return mainIsOver();
            }
            if (!live.contains(Thread.currentThread())) {
                // e.g. of a program that ran before in this process: it is taken apart with nobody
                return "thread \"" + Thread.currentThread().getName() + "\" was not started by this program";
            }
            alone = live.size() == 1 && !isAnyEnding();
        }
        return alone ? inspection.otherThread(List.of()) : gather();
    }

    /** Looks at all threads without stopping any, and keeps nothing of it. From a thread that is not the program's. */
    void practise() {
        List<Thread> known;
        synchronized (this) {
            known = List.copyOf(live);
        }
        inspection.practise(known);
    }

    private boolean isMainOver() {
        return main == null || !live.contains(main);
    }

    private static String mainIsOver() {
        return "main has returned, and thread \"" + Thread.currentThread().getName() + "\" goes on: join it in main";
    }

    private synchronized @Nullable String gather() {
        Thread me = Thread.currentThread();
        long now = nanoClock.getAsLong();
        if (lastObstacle != null && !gathering && now < nextTryNanos) {
            return lastObstacle;
        }
        arrived.add(me);
        gathering = true;
        boolean interrupted = false;
        while (!unwinding) {
            boolean someoneEnds = isAnyEnding();
            if (!someoneEnds && arrived.containsAll(live)) {
                lastObstacle = together();
                unwinding = lastObstacle == null;
                gathering = false;
                notifyAll();
                break;
            }
            long left = PATIENCE_NANOS - (nanoClock.getAsLong() - now);
            if (left <= 0 || !gathering) {
                lastObstacle = gathering || lastObstacle == null ? missing() : lastObstacle;
                break;
            }
            long look = someoneEnds ? Math.min(left, ENDING_LOOK_NANOS) : left;
            try {
                wait(look / 1_000_000, (int) (look % 1_000_000));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            me.interrupt();
        }
        if (unwinding) {
            return null;
        }
        arrived.remove(me);
        gathering &= !arrived.isEmpty();
        nextTryNanos = nanoClock.getAsLong() + PAUSE_NANOS;
        return lastObstacle;
    }

    /** What stands in the way though all threads are where they can be captured. */
    private @Nullable String together() {
        if (isMainOver()) {
            // it has returned since somebody waits for it here
            return mainIsOver();
        }
        Set<String> names = new HashSet<>();
        for (Thread thread : live) {
            if (!names.add(thread.getName())) {
                return "two threads are named \"" + thread.getName() + "\": give each a name of its own";
            }
        }
        return inspection.otherThread(List.copyOf(live));
    }

    private String missing() {
        for (Thread thread : live) {
            if (!arrived.contains(thread)) {
                return inspection.describe(thread);
            }
        }
        return ending.stream()
                .findFirst()
                .map(inspection::describe)
                .orElse("the program's threads did not come to a stop together");
    }

    // ---------------------------------------------------------------- second phase

    /** A thread other than main has saved its frames; returns them when they are to be entered again, null if never. */
    synchronized @Nullable List<FrameRecord> unwound(Thread thread, List<FrameRecord> frames) {
        put(thread, frames);
        notifyAll();
        long before = resumptions;
        waitUntil(() -> resumptions != before || abandoned);
        return abandoned ? null : frames;
    }

    /** Main has saved its frames; returns those of all threads, main's first, when all have. */
    synchronized Map<Thread, List<FrameRecord>> allUnwound(List<FrameRecord> frames) {
        Thread me = Thread.currentThread();
        put(me, frames);
        waitUntil(() -> unwound.size() >= live.size());
        Map<Thread, List<FrameRecord>> all = new LinkedHashMap<>();
        all.put(me, frames);
        live.forEach(thread -> all.put(thread, unwound.getOrDefault(thread, List.of())));
        return all;
    }

    private void put(Thread thread, List<FrameRecord> frames) {
        unwound.put(thread, frames);
        if (thread.isInterrupted()) {
            interrupted.add(thread);
        }
    }

    /** Whether a thread that has unwound is interrupted. */
    synchronized boolean isInterrupted(Thread thread) {
        return interrupted.contains(thread);
    }

    /** All threads are to enter their frames; how many of them have some. */
    synchronized void resume(int threadsWithFrames) {
        reentry = new CountDownLatch(threadsWithFrames);
        unwound.clear();
        interrupted.clear();
        arrived.clear();
        unwinding = false;
        gathering = false;
        lastObstacle = null;
        resumptions++;
        notifyAll();
    }

    /** Where threads wait for each other before they go on. */
    synchronized CountDownLatch reentry() {
        return reentry;
    }

    private void waitUntil(BooleanSupplier condition) {
        boolean interrupted = false;
        while (!condition.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
