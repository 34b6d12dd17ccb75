package org.gridmpj.checkpoint.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the threads of simulated processes one at a time, in an order that the seed gives. Who uses the disk or waits hands
 * over. Time is the number of turns, and passes by itself when all wait.
 */
public final class Turns {
    private static final long STEP_NANOS = 1_000_000;

    private final Random random;
    private final long limitSteps;
    private final List<Actor> alive = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Actor running;
    private @Nullable Throwable failure;
    private boolean over;
    private long steps;

    public Turns(Random random, long limitSteps) {
        this.random = random;
        this.limitSteps = limitSteps;
    }

    /** What a thread of a process that was killed gets. */
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    /** A process: all its threads end when it is killed, each where it is. */
    public static final class SimulatedProcess {
        private boolean killed;

        /** No thread of it takes another step. */
        public void kill() {
            killed = true;
        }

        public boolean isAlive() {
            return !killed;
        }
    }

    private static final class Actor {
        final SimulatedProcess process;
        final Thread thread;
        BooleanSupplier mayGoOn = () -> true;

        Actor(SimulatedProcess process, Runnable body) {
            this.process = process;
            this.thread = Thread.ofVirtual().unstarted(body);
        }

        boolean isReady() {
            return process.killed || mayGoOn.getAsBoolean();
        }
    }

    /** Virtual time since the beginning. */
    public long nanos() {
        return steps * STEP_NANOS;
    }

    public long steps() {
        return steps;
    }

    /** Begins a thread; it runs when it is its turn. */
    public void start(SimulatedProcess process, Runnable body) {
        Actor[] self = new Actor[1];
        Actor actor = new Actor(process, () -> {
            awaitTurn(self[0]);
            try {
                if (!process.killed) {
                    body.run();
                }
            } catch (Killed e) {
                // as it should be
            } catch (Throwable e) {
                fail(e);
            } finally {
                alive.remove(self[0]);
                handOn();
            }
        });
        self[0] = actor;
        alive.add(actor);
        actor.thread.start();
    }

    private void fail(Throwable e) {
        if (failure == null) {
            failure = e;
        }
        over = true;
    }

    /** Runs a first thread, and all that it and they start, to the end of all; the first failure is thrown. */
    public void run(Runnable first) {
        start(new SimulatedProcess(), first);
        Actor actor = alive.getFirst();
        running = actor;
        LockSupport.unpark(actor.thread);
        try {
            if (!ended.await(120, TimeUnit.SECONDS)) {
                throw new AssertionError("the simulation itself is stuck");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw new AssertionError(failure);
        }
    }

    /** Somebody else may take a turn. */
    public void pass() {
        await(() -> true);
    }

    /** Hands over until a condition holds, which is looked at in any thread. */
    public void await(BooleanSupplier condition) {
        Actor self = current();
        self.mayGoOn = condition;
        if (++steps > limitSteps && !over) {
            fail(new AssertionError("nothing ends: " + steps + " steps"));
        }
        handOn();
        awaitTurn(self);
        if (over || self.process.killed) {
            throw new Killed();
        }
    }

    /** Hands over for a time. */
    public void sleep(long turns) {
        long until = steps + turns;
        await(() -> steps >= until);
    }

    private Actor current() {
        Actor now = running;
        if (now == null || !Thread.currentThread().equals(now.thread)) {
            throw new IllegalStateException(Thread.currentThread() + " is not one whose turn it is");
        }
        return now;
    }

    private void handOn() {
        if (alive.isEmpty()) {
            ended.countDown();
            return;
        }
        List<Actor> ready = over ? alive : ready();
        Actor next = ready.get(random.nextInt(ready.size()));
        running = next;
        LockSupport.unpark(next.thread);
    }

    /** Those that may go on; time passes until there is one. */
    private List<Actor> ready() {
        while (true) {
            List<Actor> ready = alive.stream().filter(Actor::isReady).toList();
            if (!ready.isEmpty()) {
                return ready;
            }
            if (++steps > limitSteps) {
                fail(new AssertionError("all wait for ever: " + steps + " steps"));
                return alive;
            }
        }
    }

    private void awaitTurn(Actor self) {
        while (running != self) {
            LockSupport.park(this);
        }
    }
}
