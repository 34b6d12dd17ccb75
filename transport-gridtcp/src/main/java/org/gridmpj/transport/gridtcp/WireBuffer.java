package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Permanent memory outside the heap, seen three ways: as a segment for bulk copies, as a buffer for Netty, as an address for
 * system calls. Confined to the holder of the progress lock.
 */
final class WireBuffer {
    final ByteBuffer bytes;
    final MemorySegment segment;
    final long address;
    final int capacityBytes;

    WireBuffer(int capacityBytes) {
        this.capacityBytes = capacityBytes;
        bytes = ByteBuffer.allocateDirect(capacityBytes).order(ByteOrder.nativeOrder());
        segment = MemorySegment.ofBuffer(bytes);
        address = segment.address();
    }

    /** Memory that is another's, too. */
    WireBuffer(MemorySegment mapped) {
        capacityBytes = Math.toIntExact(mapped.byteSize());
        bytes = mapped.asByteBuffer().order(ByteOrder.nativeOrder());
        segment = mapped;
        address = mapped.address();
    }

    /** The part from one offset to another; the same object at each call. */
    ByteBuffer view(int fromBytes, int lengthBytes) {
        return bytes.limit(fromBytes + lengthBytes).position(fromBytes);
    }
}
