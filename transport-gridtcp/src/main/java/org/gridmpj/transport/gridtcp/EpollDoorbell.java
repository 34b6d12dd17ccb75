package org.gridmpj.transport.gridtcp;

import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes a thread that is blocked in the kernel: by bytes on a socket that is watched, and by an eventfd for the rest.
 *
 * <pre>
 *   epoll ──┬── sockets of links   level-triggered: IN always, OUT if a link is full when a thread blocks
 *           └── eventfd            edge-triggered: each ring is an edge, so that it is never read
 * </pre>
 *
 * Sockets leave the set by being closed. The descriptors are guarded by this object's monitor against a ring after the end.
 */
final class EpollDoorbell extends Doorbell {
    /** How long the end waits for a thread to leave the kernel. */
    private static final long LEAVE_NANOS = 1_000_000_000;

    private static final long LEAVE_PAUSE_NANOS = 50_000;

    /**
     * The first waits are naps without the kernel's help: a short program ends before it would have paid for the look-up of
     * {@link SystemCalls}. Who naps does not hear what comes over a link: a nap is much shorter than the time for which the
     * others poll, or they would all nap in turn.
     */
    private static final int NAPS = 400;

    private static final long NAP_NANOS = 50_000;

    private final FileDescriptor epoll;
    private final FileDescriptor event;
    private volatile FdLink[] links = {};
    private int naps;
    private boolean closed;

    EpollDoorbell() {
        epoll = Native.newEpollCreate();
        event = Native.newEventFd();
        if (!add(event, Native.EPOLLIN | Native.EPOLLET)) {
            closeDescriptors();
            throw new IllegalStateException("the system's watch list is full: see fs.epoll.max_user_watches");
        }
    }

    /** Wakes the waiter whenever the socket is readable; false if the system refuses. */
    boolean watch(FileDescriptor socket) {
        return add(socket, Native.EPOLLIN);
    }

    private boolean add(FileDescriptor descriptor, int events) {
        try {
            Native.epollCtlAdd(epoll.intValue(), descriptor.intValue(), events);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** A link that has been full: from now on it is asked, before a thread blocks, whether it is. */
    synchronized void add(FdLink link) {
        FdLink[] more = Arrays.copyOf(links, links.length + 1);
        more[links.length] = link;
        links = more;
    }

    synchronized void remove(FdLink link) {
        links = Arrays.stream(links).filter(other -> !other.equals(link)).toArray(FdLink[]::new);
    }

    /** Wakes the waiter also, or not any more, when the socket is writable. */
    void watchWritable(FileDescriptor socket, boolean wanted) {
        try {
            Native.epollCtlMod(
                    epoll.intValue(), socket.intValue(), wanted ? Native.EPOLLIN | Native.EPOLLOUT : Native.EPOLLIN);
        } catch (IOException e) {
            // the socket is gone from the set: its next read or write says so
        }
    }

    @Override
    void block(long timeoutNanos) {
        for (FdLink link : links) {
            link.watchIfFull();
        }
        if (naps < NAPS) {
            naps++;
            LockSupport.parkNanos(this, Math.min(timeoutNanos, NAP_NANOS));
        } else {
            SystemCalls.epollWait(epoll.intValue(), timeoutNanos);
        }
    }

    @Override
    boolean isReadable() {
        return SystemCalls.epollWait(epoll.intValue(), 0) != 0;
    }

    @Override
    void wake(Thread waiting) {
        LockSupport.unpark(waiting);
        synchronized (this) {
            if (!closed) {
                // A full counter, after 2^64 rings, has rung too.
                Native.eventFdWrite(event.intValue(), 1);
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
        try {
            event.close();
            epoll.close();
        } catch (IOException e) {
            // gone in any case
        }
    }
}
