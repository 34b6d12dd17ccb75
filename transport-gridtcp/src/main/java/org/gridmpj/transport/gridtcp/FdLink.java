package org.gridmpj.transport.gridtcp;

import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.gridmpj.memory.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A link whose descriptor is read and written by the MPI caller itself, without a thread in between. Netty has made the
 * connection and knows it no more; the descriptor is this object's alone, and closed by {@link #close}, so that its number
 * is never used for what the system gives it to next.
 */
final class FdLink implements Link {
    /**
     * After so many calls that moved bytes arrays are taken: a short program ends before it would have paid for the look-up of
     * {@link SocketCalls}.
     */
    private static final int CALLS_BEFORE_ARRAYS = 800;

    /** After so many reads that brought something the socket need not be watched before somebody blocks. */
    private static final int READS_BEFORE_LEAVING = 256;

    private final EpollDoorbell doorbell;
    private final String remote;
    /** What Netty had read before it let go. */
    private final byte[] early;

    private int earlyTaken;
    private final Socket socket;
    private long sends;
    private long receives;
    /** Of those that brought something, since the socket was last watched again; some may not be counted. */
    private int reads;
    /** For the system's answers about arrays. */
    private @Nullable MemorySegment state;
    /** The place in an array for bytes that had not come yet: to ask again is to make no object. */
    private @Nullable MemorySegment awaited;

    private @Nullable Object awaitedArray;
    private long awaitedOffsetBytes;
    /** Whether the system has taken less than it was given. */
    private volatile boolean full;

    private boolean listed;

    // guarded by the doorbell's monitor

    /** Whether the doorbell rings when there are bytes. */
    private boolean isWatched = true;
    /** Whether it rings when there is room. */
    private boolean isRoomWatched;

    FdLink(Socket socket, byte[] early, EpollDoorbell doorbell, String remote) {
        this.socket = socket;
        this.early = early;
        this.doorbell = doorbell;
        this.remote = remote;
    }

    @Override
    public void writeHello(byte[] hello) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(hello.length).put(hello);
        try {
            if (socket.isOpen() && socket.write(bytes, 0, hello.length) == hello.length) {
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
        if (!socket.isOpen()) {
            return -1;
        }
        int wanted = Math.min(lengthBytes, LONGEST_CALL_BYTES);
        try {
            // send and recv are shorter ways into the system than write and read
            return noteIfFull(socket.sendAddress(source.address, offsetBytes, offsetBytes + wanted), wanted);
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public boolean takesArrays() {
        return sends + receives >= CALLS_BEFORE_ARRAYS;
    }

    @Override
    public int writeArray(Object array, long offsetBytes, long lengthBytes) {
        if (!socket.isOpen()) {
            return -1;
        }
        int wanted = (int) Math.min(lengthBytes, LONGEST_CALL_BYTES);
        return noteIfFull(SocketCalls.sendArray(answer(), socket.intValue(), array, offsetBytes, wanted), wanted);
    }

    private MemorySegment answer() {
        MemorySegment answer = state;
        if (answer == null) {
            answer = SocketCalls.newState();
            state = answer;
        }
        return answer;
    }

    private int noteIfFull(int bytes, int wanted) {
        if (bytes >= 0 && full != bytes < wanted) {
            full = !full;
            if (full && !listed) {
                listed = true;
                doorbell.add(this);
            }
        }
        if (bytes > 0) {
            sends++;
        }
        return bytes;
    }

    /**
     * Sees to it that bytes, and room where there is none, wake the thread that is about to block: a link that only is full for a
     * moment costs no call of the system. If another thread fills the link after this, it wakes the one that blocks. Only the
     * doorbell calls this, and {@link #left}.
     */
    void watch() {
        boolean wantsRoom = full;
        if (!socket.isOpen() || (isWatched && isRoomWatched == wantsRoom)) {
            return;
        }
        if (isWatched) {
            doorbell.watchWritable(socket, wantsRoom);
        } else {
            isWatched = doorbell.watchAgain(socket, wantsRoom);
            reads = 0;
        }
        isRoomWatched = wantsRoom;
    }

    /** The socket is not watched any more. */
    void left() {
        isWatched = false;
        isRoomWatched = false;
    }

    @Override
    public boolean asksTheSystem() {
        return true;
    }

    @Override
    public int read(WireBuffer target, int offsetBytes, int lengthBytes) {
        if (earlyTaken < early.length) {
            return takeEarly(target.segment, offsetBytes, lengthBytes);
        }
        if (!socket.isOpen()) {
            return -1;
        }
        try {
            if (awaited != null) {
                forgetAwaited(); // the rest of that message is not wanted there any more
            }
            return noted(socket.recvAddress(target.address, offsetBytes, offsetBytes + lengthBytes));
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public int readArray(Object array, long offsetBytes, long lengthBytes) {
        if (earlyTaken < early.length) {
            return takeEarly(HeapBytes.of(array), offsetBytes, lengthBytes);
        }
        if (!socket.isOpen()) {
            return -1;
        }
        MemorySegment room = awaited;
        if (room == null || room.byteSize() < lengthBytes || !isAwaited(array, offsetBytes)) {
            room = HeapBytes.of(array).asSlice(offsetBytes, lengthBytes);
        }
        int bytes = noted(SocketCalls.receiveArray(answer(), socket.intValue(), room, lengthBytes));
        if (bytes == 0) {
            awaited = room;
            awaitedArray = array;
            awaitedOffsetBytes = offsetBytes;
        } else {
            forgetAwaited();
        }
        return bytes;
    }

    private int takeEarly(MemorySegment target, long offsetBytes, long lengthBytes) {
        int length = (int) Math.min(lengthBytes, early.length - earlyTaken);
        Bytes.copy(MemorySegment.ofArray(early), earlyTaken, target, offsetBytes, length);
        earlyTaken += length;
        return length;
    }

    @SuppressWarnings("ReferenceEquality") // the place is in this very array
    private boolean isAwaited(Object array, long offsetBytes) {
        return awaitedArray == array && awaitedOffsetBytes == offsetBytes;
    }

    private void forgetAwaited() {
        awaited = null;
        awaitedArray = null;
    }

    private int noted(int bytes) {
        if (bytes > 0) {
            receives++;
            reads++;
            if (reads == READS_BEFORE_LEAVING && !doorbell.leave(this, socket)) {
                reads = 0;
            }
        }
        return bytes;
    }

    /** System calls by which bytes left. */
    long sends() {
        return sends;
    }

    /** System calls that brought bytes. */
    long receives() {
        return receives;
    }

    @Override
    public void close() {
        doorbell.remove(this);
        try {
            socket.close();
        } catch (IOException e) {
            // gone in any case
        }
    }

    @Override
    public String toString() {
        return remote;
    }
}
