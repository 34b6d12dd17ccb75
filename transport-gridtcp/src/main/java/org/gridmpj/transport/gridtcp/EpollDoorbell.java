package org.gridmpj.transport.gridtcp;

import java.util.concurrent.locks.LockSupport;

/**
 * Wakes a thread that is blocked in the kernel: by bytes on a socket that is watched, and by an eventfd for the rest.
 *
 * <pre>
 *   epoll ──┬── sockets of links   level-triggered: IN always, OUT while a link is full
 *           └── eventfd            edge-triggered: each ring is an edge, so that it is never read
 * </pre>
 *
 * Sockets leave the set by being closed. The descriptors are guarded by this object's monitor against a ring after the end.
 */
final class EpollDoorbell extends Doorbell {
    /** How long the end waits for a thread to leave the kernel. */
    private static final long LEAVE_NANOS = 1_000_000_000;

    private static final long LEAVE_PAUSE_NANOS = 50_000;

    private final int epoll;
    private final int event;
    private boolean closed;

    EpollDoorbell() {
        epoll = SystemCalls.epollCreate();
        event = SystemCalls.eventfd();
        if (epoll < 0 || event < 0 || !SystemCalls.epollAdd(epoll, event, SystemCalls.EPOLLIN | SystemCalls.EPOLLET)) {
            closeDescriptors();
            throw new IllegalStateException("no descriptors are left: see ulimit -n");
        }
    }

    /** Wakes the waiter whenever the socket is readable; false if the system refuses. */
    boolean watch(int socket) {
        return SystemCalls.epollAdd(epoll, socket, SystemCalls.EPOLLIN);
    }

    /** Wakes the waiter also, or not any more, when the socket is writable. */
    void watchWritable(int socket, boolean wanted) {
        SystemCalls.epollModify(
                epoll, socket, wanted ? SystemCalls.EPOLLIN | SystemCalls.EPOLLOUT : SystemCalls.EPOLLIN);
    }

    @Override
    void block(long timeoutNanos) {
        SystemCalls.epollWait(epoll, timeoutNanos);
    }

    @Override
    boolean isReadable() {
        return SystemCalls.epollWait(epoll, 0) != 0;
    }

    @Override
    void wake(Thread waiting) {
        synchronized (this) {
            if (!closed) {
                SystemCalls.eventfdWrite(event);
            }
        }
    }

    @Override
    void close() {
        ring();
        for (long waited = 0; isAwaited() && waited < LEAVE_NANOS; waited += LEAVE_PAUSE_NANOS) {
            LockSupport.parkNanos(this, LEAVE_PAUSE_NANOS);
            ring();
        }
        synchronized (this) {
            if (!closed) {
                closed = true;
                closeDescriptors();
            }
        }
    }

    private void closeDescriptors() {
        if (event >= 0) {
            SystemCalls.close(event);
        }
        if (epoll >= 0) {
            SystemCalls.close(epoll);
        }
    }
}
