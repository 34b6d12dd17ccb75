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
 *   epoll ──┬── sockets of links   level-triggered: IN, and OUT if a link is full when a thread blocks
 *           └── eventfd            edge-triggered: each ring is an edge, so that it is never read
 * </pre>
 *
 * A socket that is watched costs 0.14 µs for each segment that comes, also when nobody is blocked. So the one of a link by which much
 * comes without anybody having blocked leaves the set until somebody blocks again. The descriptors and the set are guarded by this
 * object's monitor: against a ring after the end, and against a socket that leaves while somebody blocks.
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
    /** Whether {@link #isReadable} is asked: then all sockets stay. */
    private final boolean isAsked;
    /** Links that are full, or not watched. */
    private FdLink[] links = {};

    private int naps;
    private long watchChanges;
    private long blocks;
    private long wakes;
    private boolean blocking;
    private boolean closed;

    /** @param isAsked whether {@link #isReadable} will be asked */
    EpollDoorbell(boolean isAsked) {
        this.isAsked = isAsked;
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

    /** A link that has been full: from now on it is asked, before a thread blocks, what is to be watched. */
    synchronized void add(FdLink link) {
        if (Arrays.stream(links).noneMatch(other -> other.equals(link))) {
            FdLink[] more = Arrays.copyOf(links, links.length + 1);
            more[links.length] = link;
            links = more;
        }
    }

    /** The link is about to be closed. */
    synchronized void remove(FdLink link) {
        links = Arrays.stream(links).filter(other -> !other.equals(link)).toArray(FdLink[]::new);
    }

    /**
     * Much has come over a link, while nobody has blocked: it need not be watched until somebody does.
     *
     * @return whether it is not
     */
    synchronized boolean leave(FdLink link, FileDescriptor socket) {
        if (blocking || isAsked || closed) {
            return false;
        }
        watchChanges++;
        try {
            Native.epollCtlDel(epoll.intValue(), socket.intValue());
        } catch (IOException e) {
            return false;
        }
        link.left();
        add(link);
        return true;
    }

    /** Whether a thread is in the kernel, or about to be. */
    synchronized boolean isBlocking() {
        return blocking;
    }

    /** The socket is in the set again. */
    boolean watchAgain(FileDescriptor socket, boolean alsoWritable) {
        watchChanges++;
        return add(socket, alsoWritable ? Native.EPOLLIN | Native.EPOLLOUT : Native.EPOLLIN);
    }

    /** Wakes the waiter also, or not any more, when the socket is writable. */
    void watchWritable(FileDescriptor socket, boolean wanted) {
        watchChanges++;
        try {
            Native.epollCtlMod(
                    epoll.intValue(), socket.intValue(), wanted ? Native.EPOLLIN | Native.EPOLLOUT : Native.EPOLLIN);
        } catch (IOException e) {
            // the socket is gone from the set: its next read or write says so
        }
    }

    /** With the calls that links have made, all that this rank has made. */
    synchronized SystemCallCounts counts(long sends, long receives) {
        return new SystemCallCounts(sends, receives, watchChanges, blocks, wakes);
    }

    @Override
    void block(long timeoutNanos) {
        if (naps < NAPS) {
            naps++;
            LockSupport.parkNanos(this, Math.min(timeoutNanos, NAP_NANOS));
            return;
        }
        synchronized (this) {
            blocking = true;
            blocks++;
            for (FdLink link : links) {
                link.watch();
            }
        }
        try {
            SystemCalls.epollWait(epoll.intValue(), timeoutNanos);
        } finally {
            synchronized (this) {
                blocking = false;
            }
        }
    }

    @Override
    boolean isReadable() {
        return SystemCalls.epollWait(epoll.intValue(), 0) != 0;
    }

    /** This process goes on with a program that has run for long: it waits for no look-up, and needs no naps. */
    @Override
    void rehearse() {
        boolean _ = isReadable();
        SocketCalls.rehearse();
        naps = NAPS;
    }

    @Override
    void wake(Thread waiting) {
        LockSupport.unpark(waiting);
        synchronized (this) {
            if (!closed) {
                // A full counter, after 2^64 rings, has rung too.
                Native.eventFdWrite(event.intValue(), 1);
                wakes++;
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
