package org.gridmpj.pt2pt;

import java.lang.foreign.MemorySegment;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/**
 * The room that the program has attached for buffered-mode sends (MPI standard, 3.6). Room is counted here; the copies
 * lie in arrays of their own, so that the program's buffer keeps its contents and need not be one piece.
 *
 * <p>Guarded by the progress lock.
 */
final class BufferedSendSpace {
    /** What each message takes beside its data: MPI.BSEND_OVERHEAD. */
    static final int OVERHEAD_BYTES = 64;

    private long capacityBytes = -1;
    private long usedBytes;

    void attach(int bytes) {
        if (capacityBytes >= 0) {
            throw new MpiFailure(
                    ErrorClass.BUFFER,
                    "a buffer of " + capacityBytes + " bytes is attached already: detach it before attaching another");
        }
        if (bytes < 0) {
            throw new MpiFailure(ErrorClass.ARG, "cannot attach a buffer of " + bytes + " bytes");
        }
        capacityBytes = bytes;
    }

    /** Ends the attachment; all messages must have left. */
    int detach() {
        int bytes = (int) capacityBytes;
        capacityBytes = -1;
        return bytes;
    }

    boolean isAttached() {
        return capacityBytes >= 0;
    }

    boolean isEmpty() {
        return usedBytes == 0;
    }

    /** Copies a message aside, or says how much room it needs. */
    byte[] take(OperationRecord send, long messageBytes) {
        long need = messageBytes + OVERHEAD_BYTES;
        if (usedBytes + need > Math.max(0, capacityBytes)) {
            throw new MpiFailure(
                    ErrorClass.BUFFER,
                    "no room for a buffered send of " + messageBytes + " bytes to world rank " + send.peer
                            + ": it needs "
                            + need + " bytes with its overhead, and "
                            + (capacityBytes < 0
                                    ? "no buffer is attached (MPI.Buffer_attach)"
                                    : (capacityBytes - usedBytes) + " of the " + capacityBytes
                                            + " attached are free: attach a larger buffer"));
        }
        byte[] copy = new byte[(int) messageBytes];
        if (messageBytes > 0) {
            send.read(0, MemorySegment.ofArray(copy), 0, (int) messageBytes);
        }
        usedBytes += need;
        return copy;
    }

    void giveBack(byte[] copy) {
        usedBytes -= copy.length + OVERHEAD_BYTES;
    }

    long capacityBytes() {
        return capacityBytes;
    }

    long usedBytes() {
        return usedBytes;
    }

    /** Takes over the room of a snapshot. */
    void adopt(long newCapacityBytes, long newUsedBytes) {
        capacityBytes = newCapacityBytes;
        usedBytes = newUsedBytes;
    }
}
