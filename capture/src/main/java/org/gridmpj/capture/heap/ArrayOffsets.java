package org.gridmpj.capture.heap;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.util.Map;
import jdk.internal.misc.Unsafe;

/**
 * Buffers and memory segments on arrays hold an offset from the array object's start, in which is the length of an array's
 * header; JVMs have headers of different lengths. In an image the offset counts from the first element.
 */
final class ArrayOffsets {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final String SEGMENT = "jdk.internal.foreign.HeapMemorySegmentImpl";

    private static final Map<String, Class<?>> ARRAYS = Map.of(
            "Byte", byte[].class,
            "Char", char[].class,
            "Short", short[].class,
            "Int", int[].class,
            "Long", long[].class,
            "Float", float[].class,
            "Double", double[].class);

    private static final ClassValue<Long> BASES = new ClassValue<>() {
        @Override
        protected Long computeValue(Class<?> type) {
            return compute(type);
        }
    };

    private ArrayOffsets() {}

    /** Whether a field holds such an offset. */
    static boolean isOne(Field field) {
        return (field.getDeclaringClass() == Buffer.class && field.getName().equals("address"))
                || (field.getDeclaringClass().getName().equals(SEGMENT)
                        && field.getName().equals("offset"));
    }

    /** Where the first element of the array lies that the objects of a class, which has such a field, are on. */
    static long base(Class<?> type) {
        return BASES.get(type);
    }

    private static long compute(Class<?> type) {
        String name = type.getName();
        if (name.startsWith("java.nio.ByteBufferAs")) {
            return UNSAFE.arrayBaseOffset(byte[].class);
        }
        if (name.startsWith("java.nio.Heap") || name.startsWith(SEGMENT)) {
            // HeapCharBufferR, HeapMemorySegmentImpl$OfChar
            for (Map.Entry<String, Class<?>> array : ARRAYS.entrySet()) {
                if (name.contains("Heap" + array.getKey() + "Buffer") || name.endsWith("Of" + array.getKey())) {
                    return UNSAFE.arrayBaseOffset(array.getValue());
                }
            }
        }
        return 0;
    }
}
