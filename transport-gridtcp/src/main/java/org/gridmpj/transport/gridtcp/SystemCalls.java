package org.gridmpj.transport.gridtcp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The system calls of a link whose descriptor is read and written by the MPI caller: Linux on 64 bits, where the constants
 * below are the same on x86-64 and AArch64. Addresses are passed as plain numbers; whoever passes one keeps the memory alive.
 */
final class SystemCalls {
    static final int EPOLLIN = 1;
    static final int EPOLLOUT = 4;
    static final int EPOLLET = 1 << 31;

    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLL_CTL_MOD = 3;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int EVENTFD_NONBLOCK = 0x800;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;

    /** {@code struct epoll_event} begins with the mask; what follows differs between processors and is not used. */
    private static final int EPOLL_EVENT_BYTES = 16;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    /** Why there are no system calls; set before the handles are looked up. */
    private static @Nullable String obstacle;

    private static final MethodHandle RECV = transfer("recv");
    private static final MethodHandle SEND = transfer("send");
    private static final MethodHandle CLOSE = find("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle FCNTL = find(
            "fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle EPOLL_CREATE = find("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle EPOLL_CONTROL =
            find("epoll_ctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle EPOLL_WAIT =
            find("epoll_wait", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle EVENTFD = find("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle EVENTFD_WRITE =
            find("eventfd_write", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));

    /** Where the events of a wait are written, and never read: one for all. */
    private static final MemorySegment UNREAD_EVENT = Arena.global().allocate(EPOLL_EVENT_BYTES, 8);

    private SystemCalls() {}

    private static MethodHandle transfer(String name) {
        return find(
                name,
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT),
                Linker.Option.captureCallState("errno"));
    }

    // Restricted: a wrong signature would harm the process. These are the C library's own, and nothing else is called.
    @SuppressWarnings("restricted")
    private static MethodHandle find(String name, FunctionDescriptor signature, Linker.Option... options) {
        try {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature, options);
        } catch (UnsupportedOperationException | IllegalCallerException | NoSuchElementException e) {
            obstacle = name + ": " + e.getMessage();
            return MethodHandles.empty(signature.toMethodType());
        }
    }

    /** Why these calls are not to be had in this JVM, or null. */
    static @Nullable String obstacle() {
        return obstacle;
    }

    /** Memory in which a caller of {@link #receive} and {@link #send} gets the error's number. */
    static MemorySegment callState() {
        return Arena.ofAuto().allocate(STATE);
    }

    /** Bytes received, 0 if there are none now, −1 if there will never be any. */
    static int receive(MemorySegment callState, int socket, long address, int lengthBytes) {
        try {
            long bytes = (long) RECV.invokeExact(callState, socket, address, (long) lengthBytes, MSG_DONTWAIT);
            if (bytes > 0) {
                return (int) bytes;
            }
            return bytes < 0 && isTransient(callState) ? 0 : -1;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Bytes sent, 0 if the socket is full, −1 if it is broken. */
    static int send(MemorySegment callState, int socket, long address, int lengthBytes) {
        try {
            long bytes = (long)
                    SEND.invokeExact(callState, socket, address, (long) lengthBytes, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (bytes >= 0) {
                return (int) bytes;
            }
            return isTransient(callState) ? 0 : -1;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static boolean isTransient(MemorySegment callState) {
        int errno = callState.get(JAVA_INT, ERRNO_OFFSET);
        return errno == EAGAIN || errno == EINTR;
    }

    /** A second descriptor of the same connection, or −1. */
    static int duplicate(int descriptor) {
        try {
            return (int) FCNTL.invokeExact(descriptor, F_DUPFD_CLOEXEC, 0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void close(int descriptor) {
        try {
            // The result does not matter: on Linux the descriptor is gone in any case.
            int ignored = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int epollCreate() {
        try {
            return (int) EPOLL_CREATE.invokeExact(CLOSE_ON_EXEC);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int eventfd() {
        try {
            return (int) EVENTFD.invokeExact(0, CLOSE_ON_EXEC | EVENTFD_NONBLOCK);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void eventfdWrite(int event) {
        try {
            // A full counter, after 2^64 rings, has rung too.
            int ignored = (int) EVENTFD_WRITE.invokeExact(event, 1L);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static boolean epollAdd(int epoll, int descriptor, int events) {
        return epollControl(epoll, EPOLL_CTL_ADD, descriptor, events);
    }

    static boolean epollModify(int epoll, int descriptor, int events) {
        return epollControl(epoll, EPOLL_CTL_MOD, descriptor, events);
    }

    private static boolean epollControl(int epoll, int operation, int descriptor, int events) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(EPOLL_EVENT_BYTES, 8);
            event.set(JAVA_INT, 0, events);
            return (int) EPOLL_CONTROL.invokeExact(epoll, operation, descriptor, event) == 0;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Waits for an event, in whole milliseconds rounded up; how many there are, −1 if the wait was interrupted. */
    static int epollWait(int epoll, long timeoutNanos) {
        int millis = (int) Math.min((timeoutNanos + 999_999) / 1_000_000, Integer.MAX_VALUE);
        try {
            return (int) EPOLL_WAIT.invokeExact(epoll, UNREAD_EVENT, 1, millis);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The calls throw nothing: what comes here is an error of the JVM or of this class. */
    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }
}
