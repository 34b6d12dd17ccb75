package org.gridmpj.transport;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where a transport pours the payload of a frame: the posted array, or a buffer of the unexpected queue.
 *
 * <p>Confined to the holder of the progress lock. {@link #write} may be called again from position 0: a channel that
 * reconnects receives a frame anew.
 */
public interface PayloadSink {
    /**
     * Takes bytes from the wire's buffer.
     *
     * @param positionBytes place in the payload; a multiple of 8
     * @param source where from
     * @param sourceOffset first byte to take in the source
     * @param lengthBytes how many; a multiple of 8 unless they are the last
     */
    void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes);

    /**
     * The array of which the payload is to be one run, byte for byte as it is on the wire; null if it has to be given to {@link
     * #write}. What is put there directly counts as written. It may be another answer the next time, in the middle of a payload.
     */
    default @Nullable Object arrayToFill() {
        return null;
    }

    /** Where in {@link #arrayToFill} the payload begins. */
    default long arrayOffsetBytes() {
        return 0;
    }
}
