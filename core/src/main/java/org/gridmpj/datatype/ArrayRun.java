package org.gridmpj.datatype;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Primitive arrays of one type and length, one after the other in a {@link DataVector}: the rows of a matrix. Reused;
 * confined to the vector's owner.
 *
 * <p>An array that is to be received may be absent from its place. It is then allocated just before its first byte is
 * stored, so that the zeros that the JVM writes first are still in the processor's cache.
 */
final class ArrayRun {
    BaseType base = BaseType.BYTE;
    /** Elements of each array; at least 1. */
    int length;
    /** Number of arrays. */
    int count;
    /** Position of the data of the first array. */
    long start;
    /** From one array's data to the next's: a multiple of {@link DataVector#ALIGNMENT}. */
    long strideBytes;
    /** Where the arrays are or are to be put; null: in the vector's own list. */
    @Nullable
    Object @Nullable [] holder;
    /** Index of the first array there. */
    int from;
    /** Where each array is to be put too, at its ordinal in the message. */
    @Nullable
    Object @Nullable [] known;

    int firstOrdinal;

    void set(BaseType newBase, int newLength, int newCount, long newStart) {
        base = newBase;
        length = newLength;
        count = newCount;
        start = newStart;
        strideBytes = DataVector.paddedBytes((long) newLength * newBase.sizeBytes());
    }

    /** Whether arrays at these places continue this run; the same message numbers them one after the other. */
    @SuppressWarnings("ReferenceEquality") // the same place is what is asked for
    boolean isFollowedBy(@Nullable Object[] nextHolder, int nextFrom, @Nullable Object[] nextKnown, int nextOrdinal) {
        return holder == nextHolder
                && known == nextKnown
                && from + count == nextFrom
                && firstOrdinal + count == nextOrdinal;
    }

    long end() {
        return start + count * strideBytes;
    }

    void clear() {
        holder = null;
        known = null;
    }

    /** Copies bytes of the arrays out, those that begin at a position of the vector. */
    void read(@Nullable Object[] arrays, long position, MemorySegment target, long offset, int bytes) {
        int row = (int) ((position - start) / strideBytes);
        long within = position - start - row * strideBytes;
        long at = offset;
        int left = bytes;
        if (within > 0) {
            int part = (int) Math.min(left, strideBytes - within);
            readPart(arrays, row++, within, target, at, part);
            at += part;
            left -= part;
        }
        int whole = (int) (left / strideBytes);
        if (whole > 0) {
            RowCodec.toBytes(base, arrays, from + row, whole, length, target, at, strideBytes);
            row += whole;
            at += whole * strideBytes;
            left -= (int) (whole * strideBytes);
        }
        if (left > 0) {
            readPart(arrays, row, 0, target, at, left);
        }
    }

    private void readPart(
            @Nullable Object[] arrays, int row, long within, MemorySegment target, long offset, int bytes) {
        int real = dataIn(within, bytes);
        if (real < bytes) {
            target.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + bytes - Long.BYTES, 0);
        }
        int size = base.sizeBytes();
        ArrayCodec.toBytes(base, existing(arrays, row), (int) (within / size), target, offset, real / size);
    }

    /** Copies bytes into the arrays, those that begin at a position of the vector. */
    void write(@Nullable Object[] arrays, long position, MemorySegment source, long offset, int bytes) {
        int row = (int) ((position - start) / strideBytes);
        long within = position - start - row * strideBytes;
        long at = offset;
        int left = bytes;
        if (within > 0) {
            int part = (int) Math.min(left, strideBytes - within);
            writePart(arrays, row++, within, source, at, part);
            at += part;
            left -= part;
        }
        int whole = (int) (left / strideBytes);
        if (whole > 0) {
            RowCodec.fromBytes(this, arrays, row, whole, source, at);
            row += whole;
            at += whole * strideBytes;
            left -= (int) (whole * strideBytes);
        }
        if (left > 0) {
            writePart(arrays, row, 0, source, at, left);
        }
    }

    private void writePart(
            @Nullable Object[] arrays, int row, long within, MemorySegment source, long offset, int bytes) {
        int size = base.sizeBytes();
        ArrayCodec.fromBytes(
                base, source, offset, array(arrays, row), (int) (within / size), dataIn(within, bytes) / size);
    }

    /** How many of so many bytes are no padding. */
    private int dataIn(long within, int bytes) {
        return (int) Math.min(bytes, (long) length * base.sizeBytes() - within);
    }

    /** The array of a row, allocated if it is absent. */
    Object array(@Nullable Object[] arrays, int row) {
        Object array = arrays[from + row];
        if (array == null) {
            array = ArrayCodec.allocate(base, length);
            keep(arrays, row, array);
        }
        return array;
    }

    void keep(@Nullable Object[] arrays, int row, Object array) {
        arrays[from + row] = array;
        @Nullable Object[] ordinals = known;
        if (ordinals != null) {
            ordinals[firstOrdinal + row] = array;
        }
    }

    private Object existing(@Nullable Object[] arrays, int row) {
        Object array = arrays[from + row];
        if (array == null) {
            throw new IllegalStateException("array " + row + " is still to be received");
        }
        return array;
    }
}
