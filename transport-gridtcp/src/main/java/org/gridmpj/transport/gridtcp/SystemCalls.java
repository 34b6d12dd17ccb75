package org.gridmpj.transport.gridtcp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The one system call that Netty's native library does not offer: {@code epoll_wait(2)} with a timeout on a set that is not
 * an event loop's. Looked up at the first wait: making a downcall takes a rank that never blocks about 30 ms of its start.
 */
final class SystemCalls {
    /** {@code struct epoll_event} has 12 or 16 bytes by the processor; it is written, and never read: one for all. */
    private static final MemorySegment UNREAD_EVENT = Arena.global().allocate(16, 8);

    private static final MethodHandle EPOLL_WAIT =
            find("epoll_wait", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

    private SystemCalls() {}

    // Restricted: a wrong signature would harm the process. This is the C library's own, and nothing else is called.
    @SuppressWarnings("restricted")
    private static MethodHandle find(String name, FunctionDescriptor signature) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
    }

    /** Waits for an event, in whole milliseconds rounded up; how many there are, −1 if the wait was interrupted. */
    static int epollWait(int epoll, long timeoutNanos) {
        int millis = (int) Math.min((timeoutNanos + 999_999) / 1_000_000, Integer.MAX_VALUE);
        try {
            return (int) EPOLL_WAIT.invokeExact(epoll, UNREAD_EVENT, 1, millis);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            // The call throws nothing: what comes here is an error of the JVM or of this class.
            throw new IllegalStateException(e);
        }
    }
}
