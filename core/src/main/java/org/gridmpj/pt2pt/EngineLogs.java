package org.gridmpj.pt2pt;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.log.LoggedTransport;

/**
 * The engine's side of a rank that may go back alone, or whose peers may (docs/design/0018): its logs, and what is to be held
 * back until outcomes that depend on time are with their holder. Takes the progress lock itself.
 */
final class EngineLogs {
    /** Longer than it takes a holder that has died to be back. */
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private static final long NAP_NANOS = 20_000;
    /** For peers that compute, and take nothing until their next tick. */
    private static final long LAST_PATIENCE_NANOS = 2_000_000_000;

    private final LoggedTransport transport;
    private final EpochCut cut;
    private final Chances chances;
    private final MatchingEngine matching;
    private final ProgressEngine progress;
    private final LongSupplier nanoClock;
    private final ProgressLock lock;
    private volatile long heldDeterminants;

    EngineLogs(
            LoggedTransport transport,
            EpochCut cut,
            Chances chances,
            MatchingEngine matching,
            ProgressEngine progress,
            LongSupplier nanoClock) {
        this.transport = transport;
        this.cut = cut;
        this.chances = chances;
        this.matching = matching;
        this.progress = progress;
        this.nanoClock = nanoClock;
        this.lock = progress.lock;
    }

    FrameSink frameSink() {
        return transport;
    }

    Transport over(Transport bound) {
        return transport.over(bound);
    }

    /** What comes from here on is behind the cut that this rank begins from. */
    void remember() {
        transport.remember();
    }

    /** The engine has taken over its state. */
    void adopted() {
        lock.lock();
        try {
            transport.stateIsHere();
        } finally {
            lock.unlock();
        }
        if (matching.awaitsAnySource()) {
            chances.wildcard();
        }
    }

    void goesBackTo(int epoch, boolean alone) {
        lock.lock();
        try {
            transport.adopted(epoch, alone);
        } finally {
            lock.unlock();
        }
    }

    void peerGoesBack(int peerRank, int incarnation, int epoch) {
        lock.lock();
        try {
            transport.peerGoesBack(peerRank, incarnation, epoch);
            cut.peerGoesBack(epoch, "rank " + peerRank + " has died");
            progress.kick();
        } finally {
            lock.unlock();
        }
    }

    void committed(int epoch) {
        lock.lock();
        try {
            transport.committed(epoch);
        } finally {
            lock.unlock();
        }
    }

    /** How many determinants of this rank its holder has, or had a moment ago. */
    long heldDeterminants() {
        if (lock.tryLock()) {
            try {
                heldDeterminants = transport.outcomes().heldCount();
            } finally {
                lock.unlock();
            }
        }
        return heldDeterminants;
    }

    boolean areOutcomesHeld() {
        lock.lock();
        try {
            return areHeld(transport.outcomes().toBeHeld());
        } finally {
            lock.unlock();
        }
    }

    private boolean areHeld(long number) {
        return transport.outcomes().areHeld(number);
    }

    /**
     * The process is about to end without MPI.Finalize, after which nobody goes back alone: what waits in the logs for determinants to be
     * held leaves before, as it would have left at once without logs. Holders may have ended, too, so they are not waited for.
     */
    void letGoOfHeld() {
        long endNanos = nanoClock.getAsLong() + LAST_PATIENCE_NANOS;
        while (progress.isRunning() && nanoClock.getAsLong() - endNanos < 0) {
            if (lock.tryLock()) {
                try {
                    transport.holdNothingBack();
                    boolean _ = progress.round();
                    if (!transport.isBacklogged()) {
                        return;
                    }
                } finally {
                    lock.unlock();
                }
            }
            LockSupport.parkNanos(this, NAP_NANOS);
        }
    }

    /**
     * Something is about to be shown. Never waits for the lock: who has it may wait for what the current thread has. Where it
     * cannot wait for the holder either, this rank cannot go back alone, and that is said first.
     */
    void awaitOutcomesHeld() {
        long endNanos = nanoClock.getAsLong() + PATIENCE_NANOS;
        // another thread may go on and have outcomes meanwhile: they do not matter
        long toBeHeld = -1;
        while (progress.isRunning()) {
            if (lock.isHeldByCurrentThread()) {
                if (areHeld(transport.outcomes().toBeHeld())) {
                    return;
                }
                break;
            }
            if (lock.tryLock()) {
                try {
                    toBeHeld = toBeHeld < 0 ? transport.outcomes().toBeHeld() : toBeHeld;
                    if (areHeld(toBeHeld)) {
                        return;
                    }
                    boolean _ = progress.round();
                } finally {
                    lock.unlock();
                }
            }
            if (nanoClock.getAsLong() - endNanos > 0) {
                break;
            }
            LockSupport.parkNanos(this, NAP_NANOS);
        }
        if (progress.isRunning()) {
            chances.met("something was printed before it was certain");
        }
    }
}
