package org.gridmpj.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bytes in memory. */
public final class Bytes {
    private Bytes() {}

    /**
     * Copies bytes, also between parts of one memory that overlap.
     *
     * <p>{@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)} copies less than 64 bytes by a loop of its own.
     * When the optimizing compiler of JDK 25.0.3 has unrolled that in some callers, only the first 8 bytes arrive. This goes by the
     * JVM's copying of memory, whatever the length.
     *
     * @param source where from
     * @param sourceOffset first byte in the source
     * @param target where to
     * @param targetOffset first byte in the target
     * @param lengthBytes how many
     * @throws IndexOutOfBoundsException if they do not lie in the source, or not in the target
     */
    public static void copy(
            MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, long lengthBytes) {
        MemorySegment.copy(
                source, ValueLayout.JAVA_BYTE, sourceOffset, target, ValueLayout.JAVA_BYTE, targetOffset, lengthBytes);
    }
}
