package org.gridmpj.pt2pt;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.gridmpj.snapshot.CaptureSignal;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one simulated rank, which are captured together or not at all, as those of a real program
 * ({@code ProgramThreads} of the capture module): who is asked waits, its frames intact, until all others stand too; then all
 * unwind, main copies, and all enter their calls again.
 */
final class CutThreads {
    private static final int LONGEST_PATIENCE_STEPS = 60;
    private static final int LONGEST_PAUSE_STEPS = 20;

    private final int rank;
    private final CutScheduler scheduler;
    private final Random random;
    private final CutRank[] programs;
    private final boolean[] live;
    private final boolean[] over;
    private final boolean[] arrived;
    /** Who is to unwind, and has not yet. */
    private final boolean[] told;

    private final boolean[] unwound;
    private boolean gathering;
    private boolean unwinding;
    private long resumptions;
    private @Nullable String lastObstacle;
    private long nextTryStep;

    CutThreads(int rank, int threads, CutScheduler scheduler, Random random) {
        this.rank = rank;
        this.scheduler = scheduler;
        this.random = random;
        programs = new CutRank[threads];
        live = new boolean[threads];
        over = new boolean[threads];
        arrived = new boolean[threads];
        told = new boolean[threads];
        unwound = new boolean[threads];
        live[0] = true;
    }

    int count() {
        return live.length;
    }

    void set(int thread, CutRank program) {
        programs[thread] = program;
    }

    CutRank program(int thread) {
        return programs[thread];
    }

    CutRank.State state(int thread) {
        return programs[thread].state;
    }

    CutRank.State[] states() {
        return Arrays.stream(programs).map(each -> each.state).toArray(CutRank.State[]::new);
    }

    /** All go on from these states: those that main had started and that were not at their ends. */
    void restore(Object[] states) {
        for (int thread = 0; thread < states.length; thread++) {
            CutRank.State state = (CutRank.State) states[thread];
            state.forgetBlocking();
            programs[thread].state = state;
        }
        if (state(0).hasThreads) {
            startOthers();
        }
    }

    void startOthers() {
        for (int thread = 1; thread < live.length; thread++) {
            over[thread] = programs[thread].isAtEnd();
            live[thread] = !over[thread];
        }
    }

    /** Lets others run until main starts this one; false if it has been at its end before. */
    boolean awaitStart(int thread) {
        while (!live[thread] && !over[thread]) {
            scheduler.handOver();
        }
        return live[thread];
    }

    void end(int thread) {
        mayGoOn(thread);
        live[thread] = false;
        over[thread] = true;
    }

    boolean areOthersOver() {
        return IntStream.range(1, over.length).allMatch(thread -> over[thread]);
    }

    /** Fails if the thread has been told to unwind: the others wait for it. */
    void mayGoOn(int thread) {
        if (told[thread]) {
            throw new AssertionError("thread " + thread + " of rank " + rank + " was to unwind, and has gone on");
        }
    }

    private static int current() {
        String name = Thread.currentThread().getName();
        return name.equals(name(0)) ? 0 : Integer.parseInt(name.substring(name.lastIndexOf(' ') + 1));
    }

    static String name(int thread) {
        return thread == 0 ? "program" : "thread " + thread;
    }

    /** Why the rank cannot be captured while the current thread stands here; null when all are to unwind now. */
    @Nullable
    String obstacle() {
        int thread = current();
        mayGoOn(thread);
        if (!programs[thread].isCapturable()) {
            return "the seed says so";
        }
        if (IntStream.range(1, live.length).noneMatch(other -> live[other])) {
            told[thread] = true;
            return null;
        }
        return gather(thread);
    }

    /** The current thread waits for something else than MPI: it is captured there, too. */
    void standStill(int thread) {
        if (gathering && gather(thread) == null) {
            throw unwind();
        }
    }

    private @Nullable String gather(int me) {
        long since = scheduler.steps();
        if (lastObstacle != null && !gathering && since < nextTryStep) {
            return lastObstacle;
        }
        arrived[me] = true;
        gathering = true;
        int patience = 1 + random.nextInt(LONGEST_PATIENCE_STEPS);
        while (!unwinding) {
            int missing = missing();
            if (missing < 0) {
                unwinding = true;
                gathering = false;
                System.arraycopy(live, 0, told, 0, live.length);
                break;
            }
            if (!gathering || scheduler.steps() - since > patience) {
                lastObstacle = "thread " + missing + " does not come";
                break;
            }
            scheduler.handOver();
        }
        if (unwinding) {
            return null;
        }
        arrived[me] = false;
        gathering &= IntStream.range(0, arrived.length).anyMatch(each -> arrived[each]);
        nextTryStep = scheduler.steps() + random.nextInt(LONGEST_PAUSE_STEPS);
        return lastObstacle;
    }

    private int missing() {
        for (int thread = 0; thread < live.length; thread++) {
            if (live[thread] && !arrived[thread]) {
                return thread;
            }
        }
        return -1;
    }

    CaptureSignal unwind() {
        told[current()] = false;
        return new CaptureSignal();
    }

    /** A thread other than main has unwound; returns when it is to enter its call again. */
    void unwound(int thread) {
        unwound[thread] = true;
        for (long before = resumptions; resumptions == before; ) {
            scheduler.handOver();
        }
    }

    /** Main has unwound; returns when all have. */
    void awaitUnwound() {
        unwound[0] = true;
        while (!Arrays.equals(unwound, live)) {
            scheduler.handOver();
        }
    }

    void resume() {
        Arrays.fill(unwound, false);
        Arrays.fill(arrived, false);
        unwinding = false;
        gathering = false;
        lastObstacle = null;
        resumptions++;
    }
}
