package org.gridmpj.transport.gridtcp;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Wakes the one thread that waits for work. Any thread may ring. */
final class Doorbell {
    private volatile boolean rung;
    private volatile @Nullable Thread waiter;

    /** Lets the waiter go, now or the next time it comes. */
    void ring() {
        if (!rung) {
            rung = true;
        }
        Thread waiting = waiter;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    /** Waits until it rings or the time is over; may return early. */
    void await(long timeoutNanos) {
        waiter = Thread.currentThread();
        if (!rung && timeoutNanos > 0) {
            LockSupport.parkNanos(this, timeoutNanos);
        }
        waiter = null;
        rung = false;
    }
}
