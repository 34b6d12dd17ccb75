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
     * After so many writes arrays are taken: a short program ends before it would have paid for the look-up of
     * {@link SocketCalls}.
     */
    private static final int WRITES_BEFORE_ARRAYS = 400;

    private final EpollDoorbell doorbell;
    private final String remote;
    /** What Netty had read before it let go. */
    private final byte[] early;

    private int earlyTaken;
    private final FileDescriptor descriptor;
    private int writes;
    /** For the system's answers about arrays. */
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
        try {
            return noteIfFull(descriptor.writeAddress(source.address, offsetBytes, offsetBytes + wanted), wanted);
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public boolean takesArrays() {
        return writes >= WRITES_BEFORE_ARRAYS;
    }

    @Override
    public int writeArray(Object array, long offsetBytes, long lengthBytes) {
        if (!descriptor.isOpen()) {
            return -1;
        }
        MemorySegment answer = state;
        if (answer == null) {
            answer = SocketCalls.newState();
            state = answer;
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
        if (writes < WRITES_BEFORE_ARRAYS && bytes > 0) {
            writes++;
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
        try {
            return descriptor.readAddress(target.address, offsetBytes, offsetBytes + lengthBytes);
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
