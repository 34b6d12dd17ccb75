package org.gridmpj.datatype;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Elements of primitive arrays ↔ raw bytes in native order. Bulk copies without a segment object per call; a boolean is
 * one byte, 0 or 1.
 */
public final class ArrayCodec {
    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private ArrayCodec() {}

    /** Whether so many bytes are a word and another one, which overlaps it unless there are 16. */
    private static boolean areTwoWords(int stride, int count) {
        return stride == 1 && count >= Long.BYTES && count <= 2 * Long.BYTES;
    }

    /** Copies count elements from array[index…] to bytes. */
    public static void toBytes(
            BaseType base, Object array, int index, MemorySegment segment, long offsetBytes, int count) {
        switch (base) {
            case BYTE, PACKED -> MemorySegment.copy((byte[]) array, index, segment, BYTE, offsetBytes, count);
            case CHAR -> MemorySegment.copy((char[]) array, index, segment, CHAR, offsetBytes, count);
            case SHORT -> MemorySegment.copy((short[]) array, index, segment, SHORT, offsetBytes, count);
            case INT -> MemorySegment.copy((int[]) array, index, segment, INT, offsetBytes, count);
            case LONG -> MemorySegment.copy((long[]) array, index, segment, LONG, offsetBytes, count);
            case FLOAT -> MemorySegment.copy((float[]) array, index, segment, FLOAT, offsetBytes, count);
            case DOUBLE -> MemorySegment.copy((double[]) array, index, segment, DOUBLE, offsetBytes, count);
            case BOOLEAN, OBJECT -> toBytesStrided(base, array, index, 1, segment, offsetBytes, count);
        }
    }

    /** Copies count elements from bytes to array[index…]. */
    public static void fromBytes(
            BaseType base, MemorySegment segment, long offsetBytes, Object array, int index, int count) {
        switch (base) {
            case BYTE, PACKED -> MemorySegment.copy(segment, BYTE, offsetBytes, (byte[]) array, index, count);
            case CHAR -> MemorySegment.copy(segment, CHAR, offsetBytes, (char[]) array, index, count);
            case SHORT -> MemorySegment.copy(segment, SHORT, offsetBytes, (short[]) array, index, count);
            case INT -> MemorySegment.copy(segment, INT, offsetBytes, (int[]) array, index, count);
            case LONG -> MemorySegment.copy(segment, LONG, offsetBytes, (long[]) array, index, count);
            case FLOAT -> MemorySegment.copy(segment, FLOAT, offsetBytes, (float[]) array, index, count);
            case DOUBLE -> MemorySegment.copy(segment, DOUBLE, offsetBytes, (double[]) array, index, count);
            case BOOLEAN, OBJECT -> fromBytesStrided(base, segment, offsetBytes, array, index, 1, count);
        }
    }

    /** Copies array[index], array[index + stride] … to adjacent bytes. */
    static void toBytesStrided(
            BaseType base, Object array, int index, int stride, MemorySegment segment, long offsetBytes, int count) {
        switch (base) {
            case BYTE, PACKED -> {
                byte[] from = (byte[]) array;
                if (areTwoWords(stride, count)) {
                    int last = count - Long.BYTES;
                    segment.set(LONG, offsetBytes, (long) WORD.get(from, index));
                    segment.set(LONG, offsetBytes + last, (long) WORD.get(from, index + last));
                    return;
                }
                for (int i = 0; i < count; i++) {
                    segment.set(BYTE, offsetBytes + i, from[index + i * stride]);
                }
            }
            case CHAR -> {
                char[] from = (char[]) array;
                for (int i = 0; i < count; i++) {
                    segment.set(CHAR, offsetBytes + 2L * i, from[index + i * stride]);
                }
            }
            case SHORT -> {
                short[] from = (short[]) array;
                for (int i = 0; i < count; i++) {
                    segment.set(SHORT, offsetBytes + 2L * i, from[index + i * stride]);
                }
            }
            case INT -> {
                int[] from = (int[]) array;
                for (int i = 0; i < count; i++) {
                    segment.set(INT, offsetBytes + 4L * i, from[index + i * stride]);
                }
            }
            case LONG -> {
                long[] from = (long[]) array;
                for (int i = 0; i < count; i++) {
                    segment.set(LONG, offsetBytes + 8L * i, from[index + i * stride]);
                }
            }
            case FLOAT -> {
                float[] from = (float[]) array;
                for (int i = 0; i < count; i++) {
                    segment.set(FLOAT, offsetBytes + 4L * i, from[index + i * stride]);
                }
            }
            case DOUBLE -> {
                double[] from = (double[]) array;
                for (int i = 0; i < count; i++) {
                    segment.set(DOUBLE, offsetBytes + 8L * i, from[index + i * stride]);
                }
            }
            case BOOLEAN -> {
                boolean[] from = (boolean[]) array;
                for (int i = 0; i < count; i++) {
                    segment.set(BYTE, offsetBytes + i, (byte) (from[index + i * stride] ? 1 : 0));
                }
            }
            case OBJECT -> throw new IllegalArgumentException("objects are serialized, not copied");
        }
    }

    /** Copies adjacent bytes to array[index], array[index + stride] … */
    static void fromBytesStrided(
            BaseType base, MemorySegment segment, long offsetBytes, Object array, int index, int stride, int count) {
        switch (base) {
            case BYTE, PACKED -> {
                byte[] to = (byte[]) array;
                if (areTwoWords(stride, count)) {
                    int last = count - Long.BYTES;
                    WORD.set(to, index, segment.get(LONG, offsetBytes));
                    WORD.set(to, index + last, segment.get(LONG, offsetBytes + last));
                    return;
                }
                for (int i = 0; i < count; i++) {
                    to[index + i * stride] = segment.get(BYTE, offsetBytes + i);
                }
            }
            case CHAR -> {
                char[] to = (char[]) array;
                for (int i = 0; i < count; i++) {
                    to[index + i * stride] = segment.get(CHAR, offsetBytes + 2L * i);
                }
            }
            case SHORT -> {
                short[] to = (short[]) array;
                for (int i = 0; i < count; i++) {
                    to[index + i * stride] = segment.get(SHORT, offsetBytes + 2L * i);
                }
            }
            case INT -> {
                int[] to = (int[]) array;
                for (int i = 0; i < count; i++) {
                    to[index + i * stride] = segment.get(INT, offsetBytes + 4L * i);
                }
            }
            case LONG -> {
                long[] to = (long[]) array;
                for (int i = 0; i < count; i++) {
                    to[index + i * stride] = segment.get(LONG, offsetBytes + 8L * i);
                }
            }
            case FLOAT -> {
                float[] to = (float[]) array;
                for (int i = 0; i < count; i++) {
                    to[index + i * stride] = segment.get(FLOAT, offsetBytes + 4L * i);
                }
            }
            case DOUBLE -> {
                double[] to = (double[]) array;
                for (int i = 0; i < count; i++) {
                    to[index + i * stride] = segment.get(DOUBLE, offsetBytes + 8L * i);
                }
            }
            case BOOLEAN -> {
                boolean[] to = (boolean[]) array;
                for (int i = 0; i < count; i++) {
                    to[index + i * stride] = segment.get(BYTE, offsetBytes + i) != 0;
                }
            }
            case OBJECT -> throw new IllegalArgumentException("objects are serialized, not copied");
        }
    }

    /** The base type of a primitive array, or OBJECT for anything else. */
    static BaseType baseOf(Object array) {
        // no pattern switch: this is asked for every row
        Class<?> type = array.getClass();
        if (type == double[].class) {
            return BaseType.DOUBLE;
        } else if (type == float[].class) {
            return BaseType.FLOAT;
        } else if (type == int[].class) {
            return BaseType.INT;
        } else if (type == byte[].class) {
            return BaseType.BYTE;
        } else if (type == long[].class) {
            return BaseType.LONG;
        } else if (type == char[].class) {
            return BaseType.CHAR;
        } else if (type == short[].class) {
            return BaseType.SHORT;
        } else if (type == boolean[].class) {
            return BaseType.BOOLEAN;
        }
        return BaseType.OBJECT;
    }

    static int lengthOf(BaseType base, Object array) {
        return switch (base) {
            case BYTE, PACKED -> ((byte[]) array).length;
            case CHAR -> ((char[]) array).length;
            case SHORT -> ((short[]) array).length;
            case BOOLEAN -> ((boolean[]) array).length;
            case INT -> ((int[]) array).length;
            case LONG -> ((long[]) array).length;
            case FLOAT -> ((float[]) array).length;
            case DOUBLE -> ((double[]) array).length;
            case OBJECT -> ((Object[]) array).length;
        };
    }

    /** A new array of primitives. */
    static Object allocate(BaseType base, int length) {
        return switch (base) {
            case BYTE, PACKED -> new byte[length];
            case CHAR -> new char[length];
            case SHORT -> new short[length];
            case BOOLEAN -> new boolean[length];
            case INT -> new int[length];
            case LONG -> new long[length];
            case FLOAT -> new float[length];
            case DOUBLE -> new double[length];
            case OBJECT -> new Object[length];
        };
    }
}
