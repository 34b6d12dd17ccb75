package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;

/** Arrays of primitives as memory. */
final class HeapBytes {
    private HeapBytes() {}

    /**
     * All bytes of an array.
     *
     * @param array of any primitive type but boolean
     */
    static MemorySegment of(Object array) {
        if (array instanceof byte[] bytes) {
            return MemorySegment.ofArray(bytes);
        } else if (array instanceof double[] doubles) {
            return MemorySegment.ofArray(doubles);
        } else if (array instanceof int[] ints) {
            return MemorySegment.ofArray(ints);
        } else if (array instanceof float[] floats) {
            return MemorySegment.ofArray(floats);
        } else if (array instanceof long[] longs) {
            return MemorySegment.ofArray(longs);
        } else if (array instanceof short[] shorts) {
            return MemorySegment.ofArray(shorts);
        } else {
            return MemorySegment.ofArray((char[]) array);
        }
    }
}
