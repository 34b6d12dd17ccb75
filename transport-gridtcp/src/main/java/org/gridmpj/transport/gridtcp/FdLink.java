package org.gridmpj.transport.gridtcp;

import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A link whose descriptor is read and written by the MPI caller itself, without a thread in between. Netty has made the
 * connection and knows it no more; the descriptor is this object's alone, and closed by {@link #close}, so that its number
 * is never used for what the system gives it to next.
 */
final class FdLink implements Link {
    /** A longer call would keep the lock for long where the peer reads as fast as this rank writes. */
    private static final int CALL_BYTES = 1 << 18;

    /**
     * So many calls that moved something go by Netty: a short program ends before it would have paid for the look-up of
     * {@link SocketCalls}.
     */
    private static final int CALLS_BY_NETTY = 400;

    private final EpollDoorbell doorbell;
    private final String remote;
    /** What Netty had read before it let go. */
    private final byte[] early;

    private int earlyTaken;
    private final FileDescriptor descriptor;
    private int calls;
    /** Not null once {@link SocketCalls} are used. */
    private @Nullable MemorySegment state;
    /** Whether the system has taken less than it was given. */
    private volatile boolean full;

    private boolean listed;
    /** Whether the doorbell rings when there is room. Confined to the thread that blocks. */
    private boolean watched;

    FdLink(FileDescriptor descriptor, byte[] early, EpollDoorbell doorbell, String remote) {
        this.descriptor = descriptor;
        this.early = early;
        this.doorbell = doorbell;
        this.remote = remote;
    }

    @Override
    public void writeHello(byte[] hello) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(hello.length).put(hello);
        try {
            if (descriptor.isOpen() && descriptor.write(bytes, 0, hello.length) == hello.length) {
                return;
            }
        } catch (IOException e) {
            // closed below
        }
        // A connection that does not take so little at its begin is none: the peer dials again.
        close();
    }

    @Override
    public int write(WireBuffer source, int offsetBytes, int lengthBytes) {
        if (!descriptor.isOpen()) {
            return -1;
        }
        int wanted = Math.min(lengthBytes, CALL_BYTES);
        MemorySegment answer = state;
        if (answer != null) {
            return noteIfFull(
                    SocketCalls.send(answer, descriptor.intValue(), source.address + offsetBytes, wanted), wanted);
        }
        try {
            return noteIfFull(descriptor.writeAddress(source.address, offsetBytes, offsetBytes + wanted), wanted);
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public boolean takesArrays() {
        return state != null;
    }

    @Override
    public int writeArray(Object array, long offsetBytes, long lengthBytes) {
        MemorySegment answer = state;
        if (answer == null) {
            throw new IllegalStateException(this + " takes no arrays yet");
        }
        if (!descriptor.isOpen()) {
            return -1;
        }
        int wanted = (int) Math.min(lengthBytes, CALL_BYTES);
        return noteIfFull(SocketCalls.sendArray(answer, descriptor.intValue(), array, offsetBytes, wanted), wanted);
    }

    private int noteIfFull(int bytes, int wanted) {
        if (bytes >= 0 && full != bytes < wanted) {
            full = !full;
            if (full && !listed) {
                listed = true;
                doorbell.add(this);
            }
        }
        return noteCall(bytes);
    }

    private int noteCall(int bytes) {
        if (calls < CALLS_BY_NETTY && bytes > 0 && ++calls == CALLS_BY_NETTY) {
            state = SocketCalls.newState();
        }
        return bytes;
    }

    /**
     * Sees to it that room wakes the thread that is about to block: a link that only is full for a moment costs no call of
     * the system. If another thread fills the link after this, it wakes the one that blocks.
     */
    void watchIfFull() {
        boolean wanted = full;
        if (watched != wanted && descriptor.isOpen()) {
            watched = wanted;
            doorbell.watchWritable(descriptor, wanted);
        }
    }

    @Override
    public int read(WireBuffer target, int offsetBytes, int lengthBytes) {
        if (earlyTaken < early.length) {
            int length = Math.min(lengthBytes, early.length - earlyTaken);
            MemorySegment.copy(early, earlyTaken, target.segment, ValueLayout.JAVA_BYTE, offsetBytes, length);
            earlyTaken += length;
            return length;
        }
        if (!descriptor.isOpen()) {
            return -1;
        }
        MemorySegment answer = state;
        if (answer != null) {
            return SocketCalls.receive(answer, descriptor.intValue(), target.address + offsetBytes, lengthBytes);
        }
        try {
            return noteCall(descriptor.readAddress(target.address, offsetBytes, offsetBytes + lengthBytes));
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public void close() {
        if (listed) {
            listed = false;
            doorbell.remove(this);
        }
        try {
            descriptor.close();
        } catch (IOException e) {
            // gone in any case
        }
    }

    @Override
    public String toString() {
        return remote;
    }
}
