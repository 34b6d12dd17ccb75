package org.gridmpj.capture.library;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A barrier at which threads can be captured, in the place of the JDK's, of which it has the type and nothing else. Guarded by
 * its monitor, which no thread has when it is captured.
 */
public final class Barrier extends CyclicBarrier {
    private final @Nullable Runnable action;
    private Round round;

    private static final class Round {
        private final CountDownLatch over = new CountDownLatch(1);
        private int missing;
        private boolean broken;

        Round(int parties) {
            missing = parties;
        }
    }

    /** {@link CyclicBarrier#CyclicBarrier(int)}. */
    public Barrier(int parties) {
        this(parties, null);
    }

    /** {@link CyclicBarrier#CyclicBarrier(int, Runnable)}. */
    public Barrier(int parties, @Nullable Runnable action) {
        super(parties);
        this.action = action;
        round = new Round(parties);
    }

    @Override
    public int await() throws InterruptedException, BrokenBarrierException {
        try {
            return arrive(Long.MAX_VALUE);
        } catch (TimeoutException e) {
            throw new AssertionError("nobody waits so long", e);
        }
    }

    @Override
    public int await(long timeout, TimeUnit unit)
            throws InterruptedException, BrokenBarrierException, TimeoutException {
        return arrive(unit.toNanos(timeout));
    }

    private int arrive(long nanos) throws InterruptedException, BrokenBarrierException, TimeoutException {
        Round mine;
        int index;
        synchronized (this) {
            mine = round;
            if (mine.broken) {
                throw new BrokenBarrierException();
            }
            if (Thread.interrupted()) {
                boolean _ = breaks(mine);
                throw new InterruptedException();
            }
            index = --mine.missing;
        }
        if (index == 0) {
            last(mine);
            return 0;
        }
        long left = 0;
        try {
            left = Waiting.awaitNanos(mine.over, nanos);
        } catch (InterruptedException e) {
            if (breaks(mine)) {
                throw e;
            }
            Thread.currentThread().interrupt();
        }
        if (left < 0 && breaks(mine)) {
            throw new TimeoutException();
        }
        if (isBroken(mine)) {
            throw new BrokenBarrierException();
        }
        return index;
    }

    private void last(Round mine) {
        boolean done = false;
        try {
            if (action != null) {
                action.run();
            }
            done = true;
        } finally {
            if (done) {
                next(mine);
            } else {
                boolean _ = breaks(mine);
            }
        }
    }

    private synchronized void next(Round mine) {
        if (mine.equals(round)) {
            round = new Round(getParties());
            mine.over.countDown();
        }
    }

    /** Whether the round was not over yet. */
    private synchronized boolean breaks(Round mine) {
        if (mine.over.getCount() == 0) {
            return false;
        }
        mine.broken = true;
        mine.over.countDown();
        return true;
    }

    private synchronized boolean isBroken(Round mine) {
        return mine.broken;
    }

    @Override
    public boolean isBroken() {
        synchronized (this) {
            return round.broken;
        }
    }

    @Override
    public synchronized void reset() {
        if (round.missing < getParties()) {
            boolean _ = breaks(round);
        }
        round = new Round(getParties());
    }

    @Override
    public synchronized int getNumberWaiting() {
        return getParties() - round.missing;
    }
}
