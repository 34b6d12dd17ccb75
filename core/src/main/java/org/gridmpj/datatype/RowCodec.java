package org.gridmpj.datatype;

import static org.gridmpj.datatype.ArrayCodec.BYTE;
import static org.gridmpj.datatype.ArrayCodec.CHAR;
import static org.gridmpj.datatype.ArrayCodec.DOUBLE;
import static org.gridmpj.datatype.ArrayCodec.FLOAT;
import static org.gridmpj.datatype.ArrayCodec.INT;
import static org.gridmpj.datatype.ArrayCodec.LONG;
import static org.gridmpj.datatype.ArrayCodec.SHORT;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Whole arrays of one type and length ↔ bytes. The type is asked for once, not for each row, which may be as short as a
 * cache line.
 */
final class RowCodec {
    private RowCodec() {}

    /** Copies rows[from] … to bytes, each to a multiple of strideBytes; what lies between is 0. */
    static void toBytes(
            BaseType base,
            @Nullable Object[] rows,
            int from,
            int count,
            int length,
            MemorySegment segment,
            long offsetBytes,
            long strideBytes) {
        if ((long) length * base.sizeBytes() < strideBytes) {
            for (int i = 1; i <= count; i++) {
                segment.set(LONG, offsetBytes + i * strideBytes - Long.BYTES, 0);
            }
        }
        long at = offsetBytes;
        int end = from + count;
        switch (base) {
            case BYTE, PACKED -> {
                for (int i = from; i < end; i++, at += strideBytes) {
                    MemorySegment.copy((byte[]) present(rows, i), 0, segment, BYTE, at, length);
                }
            }
            case CHAR -> {
                for (int i = from; i < end; i++, at += strideBytes) {
                    MemorySegment.copy((char[]) present(rows, i), 0, segment, CHAR, at, length);
                }
            }
            case SHORT -> {
                for (int i = from; i < end; i++, at += strideBytes) {
                    MemorySegment.copy((short[]) present(rows, i), 0, segment, SHORT, at, length);
                }
            }
            case INT -> {
                for (int i = from; i < end; i++, at += strideBytes) {
                    MemorySegment.copy((int[]) present(rows, i), 0, segment, INT, at, length);
                }
            }
            case LONG -> {
                for (int i = from; i < end; i++, at += strideBytes) {
                    MemorySegment.copy((long[]) present(rows, i), 0, segment, LONG, at, length);
                }
            }
            case FLOAT -> {
                for (int i = from; i < end; i++, at += strideBytes) {
                    MemorySegment.copy((float[]) present(rows, i), 0, segment, FLOAT, at, length);
                }
            }
            case DOUBLE -> {
                for (int i = from; i < end; i++, at += strideBytes) {
                    MemorySegment.copy((double[]) present(rows, i), 0, segment, DOUBLE, at, length);
                }
            }
            case BOOLEAN, OBJECT -> {
                for (int i = from; i < end; i++, at += strideBytes) {
                    ArrayCodec.toBytes(base, present(rows, i), 0, segment, at, length);
                }
            }
        }
    }

    /** Copies bytes to rows first … first + count of a run; those that are absent are allocated. */
    static void fromBytes(
            ArrayRun run, @Nullable Object[] rows, int first, int count, MemorySegment segment, long offsetBytes) {
        int length = run.length;
        long strideBytes = run.strideBytes;
        long at = offsetBytes;
        int end = first + count;
        switch (run.base) {
            case BYTE, PACKED -> {
                for (int i = first; i < end; i++, at += strideBytes) {
                    byte[] row = (byte[]) rows[run.from + i];
                    if (row == null) {
                        row = new byte[length];
                        run.keep(rows, i, row);
                    }
                    MemorySegment.copy(segment, BYTE, at, row, 0, length);
                }
            }
            case CHAR -> {
                for (int i = first; i < end; i++, at += strideBytes) {
                    char[] row = (char[]) rows[run.from + i];
                    if (row == null) {
                        row = new char[length];
                        run.keep(rows, i, row);
                    }
                    MemorySegment.copy(segment, CHAR, at, row, 0, length);
                }
            }
            case SHORT -> {
                for (int i = first; i < end; i++, at += strideBytes) {
                    short[] row = (short[]) rows[run.from + i];
                    if (row == null) {
                        row = new short[length];
                        run.keep(rows, i, row);
                    }
                    MemorySegment.copy(segment, SHORT, at, row, 0, length);
                }
            }
            case INT -> {
                for (int i = first; i < end; i++, at += strideBytes) {
                    int[] row = (int[]) rows[run.from + i];
                    if (row == null) {
                        row = new int[length];
                        run.keep(rows, i, row);
                    }
                    MemorySegment.copy(segment, INT, at, row, 0, length);
                }
            }
            case LONG -> {
                for (int i = first; i < end; i++, at += strideBytes) {
                    long[] row = (long[]) rows[run.from + i];
                    if (row == null) {
                        row = new long[length];
                        run.keep(rows, i, row);
                    }
                    MemorySegment.copy(segment, LONG, at, row, 0, length);
                }
            }
            case FLOAT -> {
                for (int i = first; i < end; i++, at += strideBytes) {
                    float[] row = (float[]) rows[run.from + i];
                    if (row == null) {
                        row = new float[length];
                        run.keep(rows, i, row);
                    }
                    MemorySegment.copy(segment, FLOAT, at, row, 0, length);
                }
            }
            case DOUBLE -> {
                for (int i = first; i < end; i++, at += strideBytes) {
                    double[] row = (double[]) rows[run.from + i];
                    if (row == null) {
                        row = new double[length];
                        run.keep(rows, i, row);
                    }
                    MemorySegment.copy(segment, DOUBLE, at, row, 0, length);
                }
            }
            case BOOLEAN, OBJECT -> {
                for (int i = first; i < end; i++, at += strideBytes) {
                    ArrayCodec.fromBytes(run.base, segment, at, run.array(rows, i), 0, length);
                }
            }
        }
    }

    private static Object present(@Nullable Object[] rows, int index) {
        Object row = rows[index];
        if (row == null) {
            throw new IllegalStateException("array " + index + " is still to be received");
        }
        return row;
    }
}
