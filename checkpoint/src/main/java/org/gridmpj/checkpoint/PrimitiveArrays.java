package org.gridmpj.checkpoint;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import org.gridmpj.datatype.BaseType;

/**
 * Arrays of primitives ↔ little-endian bytes, by bulk copies.
 */
final class PrimitiveArrays {
    private static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private PrimitiveArrays() {}

    /** The type of the elements. */
    static BaseType typeOf(Object array) {
        return switch (array) {
            case byte[] a -> BaseType.BYTE;
            case char[] a -> BaseType.CHAR;
            case short[] a -> BaseType.SHORT;
            case boolean[] a -> BaseType.BOOLEAN;
            case int[] a -> BaseType.INT;
            case long[] a -> BaseType.LONG;
            case float[] a -> BaseType.FLOAT;
            case double[] a -> BaseType.DOUBLE;
            default -> throw new IllegalArgumentException(array.getClass() + " is no array of primitives");
        };
    }

    /** Length of the data in bytes. */
    static long bytes(Object array) {
        return (long) Array.getLength(array) * typeOf(array).sizeBytes();
    }

    /** Copies all elements. */
    static void store(Object array, MemorySegment target, long offset) {
        int length = Array.getLength(array);
        switch (array) {
            case byte[] a -> MemorySegment.copy(a, 0, target, ValueLayout.JAVA_BYTE, offset, length);
            case char[] a -> MemorySegment.copy(a, 0, target, CHAR, offset, length);
            case short[] a -> MemorySegment.copy(a, 0, target, SHORT, offset, length);
            case int[] a -> MemorySegment.copy(a, 0, target, INT, offset, length);
            case long[] a -> MemorySegment.copy(a, 0, target, LONG, offset, length);
            case float[] a -> MemorySegment.copy(a, 0, target, FLOAT, offset, length);
            case double[] a -> MemorySegment.copy(a, 0, target, DOUBLE, offset, length);
            case boolean[] a -> {
                // MemorySegment has no bulk copy for them.
                for (int i = 0; i < length; i++) {
                    target.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (a[i] ? 1 : 0));
                }
            }
            default -> throw new IllegalArgumentException(array.getClass() + " is no array of primitives");
        }
    }

    /** Fills elements first … first + count − 1. */
    static void load(MemorySegment source, long offset, Object array, int first, int count) {
        switch (array) {
            case byte[] a -> MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, a, first, count);
            case char[] a -> MemorySegment.copy(source, CHAR, offset, a, first, count);
            case short[] a -> MemorySegment.copy(source, SHORT, offset, a, first, count);
            case int[] a -> MemorySegment.copy(source, INT, offset, a, first, count);
            case long[] a -> MemorySegment.copy(source, LONG, offset, a, first, count);
            case float[] a -> MemorySegment.copy(source, FLOAT, offset, a, first, count);
            case double[] a -> MemorySegment.copy(source, DOUBLE, offset, a, first, count);
            case boolean[] a -> {
                for (int i = 0; i < count; i++) {
                    a[first + i] = source.get(ValueLayout.JAVA_BYTE, offset + i) != 0;
                }
            }
            default -> throw new IllegalArgumentException(array.getClass() + " is no array of primitives");
        }
    }
}
