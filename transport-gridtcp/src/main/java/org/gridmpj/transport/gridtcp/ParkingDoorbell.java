package org.gridmpj.transport.gridtcp;

import java.util.concurrent.locks.LockSupport;

/** Wakes a parked thread: for links whose bytes are moved by Netty's thread, which rings. */
final class ParkingDoorbell extends Doorbell {
    @Override
    void block(long timeoutNanos) {
        LockSupport.parkNanos(this, timeoutNanos);
    }

    @Override
    void wake(Thread waiting) {
        LockSupport.unpark(waiting);
    }

    @Override
    boolean isReadable() {
        return true;
    }

    @Override
    void rehearse() {
        // nothing is looked up
    }

    @Override
    void close() {
        ring();
    }
}
