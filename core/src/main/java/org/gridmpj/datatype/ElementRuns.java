package org.gridmpj.datatype;

import java.lang.foreign.MemorySegment;

/**
 * Moves a stretch of the elements of a message between the user's array and bytes, run by run of its datatype.
 *
 * <p>Element n of a message of items lies at {@code offset + (n / size) · extent + displacement(n mod size)}.
 */
final class ElementRuns {
    /**
     * So much is moved element by element. The JVM's own copy of it is a masked vector that may reach into the next cache line, which
     * in a ring is that of a record on which another core is at work.
     */
    private static final int SHORT_BYTES = 16;

    private ElementRuns() {}

    /** Array to bytes: elements first … first + length of the message. */
    static void gather(
            Object array, int offset, TypeMap type, int first, int length, MemorySegment segment, long offsetBytes) {
        move(true, array, offset, type, first, length, segment, offsetBytes);
    }

    /** Bytes to array: elements first … first + length of the message. */
    static void scatter(
            Object array, int offset, TypeMap type, int first, int length, MemorySegment segment, long offsetBytes) {
        move(false, array, offset, type, first, length, segment, offsetBytes);
    }

    private static void move(
            boolean gather,
            Object array,
            int offset,
            TypeMap type,
            int first,
            int length,
            MemorySegment segment,
            long offsetBytes) {
        BaseType base = type.base();
        if (type.isContiguous()) {
            copy(gather, base, array, offset + first, 1, segment, offsetBytes, length);
            return;
        }
        int size = type.size();
        int item = first / size;
        int within = first % size;
        int run = type.runOf(within);
        int skip = within - type.elementsBefore(run);
        int left = length;
        long at = offsetBytes;
        while (left > 0) {
            int origin = offset + item * type.extent();
            int moved;
            if (skip == 0 && type.runLength(run) == 1) {
                // columns and the like: single elements at one distance
                int singles = singlesFrom(type, run, left);
                int stride = singles > 1 ? type.runStart(run + 1) - type.runStart(run) : 1;
                copy(gather, base, array, origin + type.runStart(run), stride, segment, at, singles);
                moved = singles;
                run += singles;
            } else {
                moved = Math.min(left, type.runLength(run) - skip);
                copy(gather, base, array, origin + type.runStart(run) + skip, 1, segment, at, moved);
                skip = 0;
                run++;
            }
            left -= moved;
            at += (long) moved * base.sizeBytes();
            if (run == type.runCount()) {
                run = 0;
                item++;
            }
        }
    }

    private static int singlesFrom(TypeMap type, int run, int limit) {
        int end = (int) Math.min(type.runCount(), (long) run + limit);
        int next = run + 1;
        if (next >= end || type.runLength(next) != 1) {
            return 1;
        }
        int stride = type.runStart(next) - type.runStart(run);
        while (next < end && type.runLength(next) == 1 && type.runStart(next) - type.runStart(next - 1) == stride) {
            next++;
        }
        return next - run;
    }

    private static void copy(
            boolean gather,
            BaseType base,
            Object array,
            int index,
            int stride,
            MemorySegment segment,
            long offsetBytes,
            int count) {
        boolean isBulk = stride == 1 && count > 4 && (long) count * base.sizeBytes() > SHORT_BYTES;
        if (gather) {
            if (isBulk) {
                ArrayCodec.toBytes(base, array, index, segment, offsetBytes, count);
            } else {
                ArrayCodec.toBytesStrided(base, array, index, stride, segment, offsetBytes, count);
            }
        } else if (isBulk) {
            ArrayCodec.fromBytes(base, segment, offsetBytes, array, index, count);
        } else {
            ArrayCodec.fromBytesStrided(base, segment, offsetBytes, array, index, stride, count);
        }
    }
}
