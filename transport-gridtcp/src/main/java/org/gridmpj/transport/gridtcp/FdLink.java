package org.gridmpj.transport.gridtcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A link whose descriptor is read and written by the MPI caller itself, without a thread in between. Netty has made the
 * connection and knows it no more; the descriptor is this object's alone, and closed by {@link #close}, so that its number
 * is never used for what the system gives it to next.
 */
final class FdLink implements Link {
    /** A longer call would keep the lock for long where the peer reads as fast as this rank writes. */
    private static final int CALL_BYTES = 1 << 18;

    private final EpollDoorbell doorbell;
    private final String remote;
    private final MemorySegment callState = SystemCalls.callState();
    /** What Netty had read before it let go. */
    private final byte[] early;

    private int earlyTaken;
    private int descriptor;
    private boolean full;

    FdLink(int descriptor, byte[] early, EpollDoorbell doorbell, String remote) {
        this.descriptor = descriptor;
        this.early = early;
        this.doorbell = doorbell;
        this.remote = remote;
    }

    @Override
    public void writeHello(byte[] hello) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(hello.length);
            MemorySegment.copy(hello, 0, bytes, ValueLayout.JAVA_BYTE, 0, hello.length);
            if (descriptor < 0
                    || SystemCalls.send(callState, descriptor, bytes.address(), hello.length) != hello.length) {
                // A connection that does not take so little at its begin is none: the peer dials again.
                close();
            }
        }
    }

    @Override
    public int write(WireBuffer source, int offsetBytes, int lengthBytes) {
        if (descriptor < 0) {
            return -1;
        }
        int wanted = Math.min(lengthBytes, CALL_BYTES);
        int bytes = SystemCalls.send(callState, descriptor, source.address + offsetBytes, wanted);
        if (bytes >= 0 && full != bytes < wanted) {
            full = !full;
            doorbell.watchWritable(descriptor, full);
        }
        return bytes;
    }

    @Override
    public int read(WireBuffer target, int offsetBytes, int lengthBytes) {
        if (earlyTaken < early.length) {
            int length = Math.min(lengthBytes, early.length - earlyTaken);
            MemorySegment.copy(early, earlyTaken, target.segment, ValueLayout.JAVA_BYTE, offsetBytes, length);
            earlyTaken += length;
            return length;
        }
        if (descriptor < 0) {
            return -1;
        }
        return SystemCalls.receive(callState, descriptor, target.address + offsetBytes, lengthBytes);
    }

    @Override
    public void close() {
        if (descriptor >= 0) {
            SystemCalls.close(descriptor);
            descriptor = -1;
        }
    }

    @Override
    public String toString() {
        return remote;
    }
}
