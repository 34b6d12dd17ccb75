package org.gridmpj.pt2pt;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs simulated ranks, one at a time, in an order that the seed gives: whoever waits hands the processor on. Time is the
 * number of steps.
 */
final class CutScheduler {
    static final long STEP_NANOS = 1_000_000;

    /** What a rank that is thrown away gets. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("crash", null, false, false);
        }
    }

    private final Random random;
    private final long limitSteps;
    private final Runnable atEachStep;
    private final Runnable atEachTurn;
    private final List<Thread> alive = new ArrayList<>();
    private volatile @Nullable Thread running;
    private volatile boolean crashed;
    private volatile @Nullable Throwable failure;
    private long steps;

    /**
     * @param atEachStep called by who hands the processor on
     * @param atEachTurn called by who is given it
     */
    CutScheduler(Random random, long limitSteps, Runnable atEachStep, Runnable atEachTurn) {
        this.random = random;
        this.limitSteps = limitSteps;
        this.atEachStep = atEachStep;
        this.atEachTurn = atEachTurn;
    }

    long nanos() {
        return steps * STEP_NANOS;
    }

    long steps() {
        return steps;
    }

    void crash() {
        crashed = true;
    }

    boolean isCrashed() {
        return crashed;
    }

    /** Runs all; returns when all have ended. The first failure is rethrown. */
    void run(List<Runnable> ranks) {
        CountDownLatch ended = new CountDownLatch(ranks.size());
        for (Runnable rank : ranks) {
            alive.add(Thread.ofVirtual().unstarted(() -> {
                try {
                    awaitTurn();
                    rank.run();
                } catch (Crash e) {
                    // as it should be
                } catch (Throwable e) {
                    if (failure == null) {
                        failure = e;
                    }
                    crashed = true;
                } finally {
                    alive.remove(Thread.currentThread());
                    handOn();
                    ended.countDown();
                }
            }));
        }
        List<Thread> all = List.copyOf(alive);
        running = all.getFirst();
        all.forEach(Thread::start);
        try {
            if (!ended.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("the simulation itself is stuck");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        Throwable thrown = failure;
        if (thrown instanceof Error error) {
            throw error;
        } else if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Lets others run. */
    void handOver() {
        if (++steps > limitSteps && !crashed) {
            crashed = true;
            throw new AssertionError("nothing ends: " + steps + " steps");
        }
        if (crashed) {
            throw new Crash();
        }
        atEachStep.run();
        handOn();
        awaitTurn();
        if (crashed) {
            throw new Crash();
        }
        atEachTurn.run();
    }

    private void handOn() {
        Thread next = alive.isEmpty() ? null : alive.get(random.nextInt(alive.size()));
        running = next;
        LockSupport.unpark(next);
    }

    private void awaitTurn() {
        while (!Thread.currentThread().equals(running)) {
            LockSupport.park(this);
        }
    }
}
