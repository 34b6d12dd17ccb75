package org.gridmpj.transport;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a transport is to send, lying in the user's array or in a serialization buffer.
 *
 * <p>Confined to the holder of the progress lock. {@link #read} may be called again for an earlier position: a channel
 * that reconnects sends a frame anew.
 */
public interface PayloadSource {
    /**
     * Copies bytes to the wire's buffer.
     *
     * @param positionBytes first byte of the payload wanted; a multiple of 8
     * @param target where to
     * @param targetOffset first byte to write in the target
     * @param lengthBytes how many; a multiple of 8 unless they are the last
     */
    void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes);

    /**
     * The array that the payload is one run of, byte for byte as it goes to the wire; null if it has to be asked for by
     * {@link #read}. The run may be read until {@link #released}.
     */
    default @Nullable Object array() {
        return null;
    }

    /** Where in {@link #array} the payload begins. */
    default long arrayOffsetBytes() {
        return 0;
    }

    /**
     * The transport needs the bytes no more: they are copied, or received and acknowledged. Called exactly once per
     * accepted frame, perhaps before {@link Endpoint#offer} returns; it may offer no frame.
     */
    void released();
}
