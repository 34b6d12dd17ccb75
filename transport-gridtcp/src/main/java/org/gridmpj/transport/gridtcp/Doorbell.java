package org.gridmpj.transport.gridtcp;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Wakes the one thread that waits for work. Any thread may ring. */
abstract sealed class Doorbell permits ParkingDoorbell, EpollDoorbell {
    private volatile boolean rung;
    private volatile @Nullable Thread waiter;

    /** Lets the waiter go, now or the next time it comes. */
    final void ring() {
        if (!rung) {
            rung = true;
        }
        Thread waiting = waiter;
        if (waiting != null) {
            wake(waiting);
        }
    }

    /** Waits until it rings or the time is over; may return early. */
    final void await(long timeoutNanos) {
        await(timeoutNanos, false);
    }

    /** As {@link #await(long)}, but bytes on a link may go unnoticed meanwhile: for short times only. */
    final void nap(long timeoutNanos) {
        await(timeoutNanos, true);
    }

    private void await(long timeoutNanos, boolean parking) {
        // Whoever rings sees the waiter, or is seen by it.
        waiter = Thread.currentThread();
        try {
            if (!rung && timeoutNanos > 0) {
                if (parking) {
                    LockSupport.parkNanos(this, timeoutNanos);
                } else {
                    block(timeoutNanos);
                }
            }
        } finally {
            waiter = null;
            rung = false;
        }
    }

    /** Whether a thread is in {@link #await}. */
    final boolean isAwaited() {
        return waiter != null;
    }

    /** Lets a thread go that is parked or in {@link #block}. */
    abstract void wake(Thread waiting);

    abstract void block(long timeoutNanos);

    /** Whether there may be bytes to be read on a link. */
    abstract boolean isReadable();

    /** Does what is slow when it is done for the first time, in a process that others will wait for. */
    abstract void rehearse();

    /** Gives back what the system holds; later rings are ignored. */
    abstract void close();
}
