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

/**
 * {@code send(2)} from an array on the heap and {@code recv(2)} into one, without blocking, called without a change of the
 * thread's state. No collection begins before a call returns, so a call has a bounded length. Linux only, whose numbers these
 * are. Looked up at the first use, which takes 30 ms: see {@link FdLink}.
 */
final class SocketCalls {
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SEND = find("send");
    private static final MethodHandle RECEIVE = find("recv");

    private SocketCalls() {}

    // Restricted: a wrong signature would harm the process. This is the C library's own.
    @SuppressWarnings("restricted")
    private static MethodHandle find(String call) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(call),
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
                Linker.Option.captureCallState("errno"),
                Linker.Option.critical(true));
    }

    /** Has the look-up over before somebody waits for a message. */
    static void rehearse() {
        // the class is initialized by the call
    }

    /** Memory for the system's answer; one for each caller at a time. */
    static MemorySegment newState() {
        return Arena.ofAuto().allocate(STATE);
    }

    /**
     * Takes bytes to be sent.
     *
     * @param array of any primitive type but boolean
     * @return how many it took, 0 if there is no room now, −1 if the connection is broken
     */
    static int sendArray(MemorySegment state, int socket, Object array, long offsetBytes, long lengthBytes) {
        try {
            long sent = (long) SEND.invokeExact(
                    state,
                    socket,
                    HeapBytes.of(array).asSlice(offsetBytes, lengthBytes),
                    lengthBytes,
                    MSG_DONTWAIT | MSG_NOSIGNAL);
            return sent >= 0 ? (int) sent : notNow(state);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /**
     * Puts received bytes.
     *
     * @param room of an array
     * @param lengthBytes at most; more than 0
     * @return how many, 0 if there are none now, −1 if there will never be any
     */
    static int receiveArray(MemorySegment state, int socket, MemorySegment room, long lengthBytes) {
        try {
            long received = (long) RECEIVE.invokeExact(state, socket, room, lengthBytes, MSG_DONTWAIT);
            return received > 0 ? (int) received : received == 0 ? -1 : notNow(state);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private static int notNow(MemorySegment state) {
        int errno = state.get(JAVA_INT, ERRNO_OFFSET);
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    }

    /** The calls throw nothing: what comes here is an error of the JVM or of this class. */
    private static IllegalStateException impossible(Throwable e) {
        return new IllegalStateException(e);
    }
}
