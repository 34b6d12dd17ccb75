package org.gridmpj.datatype;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * MAX, MIN and the logical operations on byte, short and char, eight, four and four at a time in a long. JDK 25 makes no vector
 * instructions of a comparison of these types; each lane of a long is compared by its highest bit (Warren, Hacker's Delight, 2-12
 * and 2-18).
 *
 * <p>Operands are brought to room of the thread's own, piece by piece in the first-level cache: there the last long is whole,
 * whatever the number of elements.
 */
final class SubwordOps {
    /** Of each operand. */
    private static final int PIECE_BYTES = 8 << 10;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final ThreadLocal<Room> ROOMS = ThreadLocal.withInitial(Room::new);

    private SubwordOps() {}

    /** A piece of both operands. */
    private static final class Room {
        final byte[] in = new byte[PIECE_BYTES];
        final byte[] inout = new byte[PIECE_BYTES];
        final MemorySegment inMemory = MemorySegment.ofArray(in);
        final MemorySegment inoutMemory = MemorySegment.ofArray(inout);
    }

    /** Combines whole longs from the beginning of two arrays. */
    @FunctionalInterface
    private interface Lanes {
        /**
         * Combines n bytes, or up to 7 more.
         *
         * @param high the highest bit of each lane
         * @param flip the same where lanes are signed, else 0
         */
        void combine(byte[] in, byte[] inout, int bytes, long high, long flip);
    }

    static void max(BaseType base, Object in, Object inout, int from, int to) {
        combine(SubwordOps::max, base, in, inout, from, to);
    }

    static void min(BaseType base, Object in, Object inout, int from, int to) {
        combine(SubwordOps::min, base, in, inout, from, to);
    }

    static void and(BaseType base, Object in, Object inout, int from, int to) {
        combine(SubwordOps::and, base, in, inout, from, to);
    }

    static void or(BaseType base, Object in, Object inout, int from, int to) {
        combine(SubwordOps::or, base, in, inout, from, to);
    }

    static void xor(BaseType base, Object in, Object inout, int from, int to) {
        combine(SubwordOps::xor, base, in, inout, from, to);
    }

    private static void combine(Lanes lanes, BaseType base, Object in, Object inout, int from, int to) {
        ValueLayout layout;
        long high;
        switch (base) {
            case BYTE -> {
                layout = ValueLayout.JAVA_BYTE;
                high = 0x8080_8080_8080_8080L;
            }
            case SHORT -> {
                layout = ValueLayout.JAVA_SHORT_UNALIGNED;
                high = 0x8000_8000_8000_8000L;
            }
            case CHAR -> {
                layout = ValueLayout.JAVA_CHAR_UNALIGNED;
                high = 0x8000_8000_8000_8000L;
            }
            default -> throw new IllegalArgumentException(base.name());
        }
        long flip = base == BaseType.CHAR ? 0 : high;
        Room room = ROOMS.get();
        int longest = PIECE_BYTES / base.sizeBytes();
        for (int start = from; start < to; start += longest) {
            int length = Math.min(longest, to - start);
            MemorySegment.copy(in, start, room.inMemory, layout, 0, length);
            MemorySegment.copy(inout, start, room.inoutMemory, layout, 0, length);
            lanes.combine(room.in, room.inout, length * base.sizeBytes(), high, flip);
            MemorySegment.copy(room.inoutMemory, layout, 0, inout, start, length);
        }
    }

    private static void max(byte[] in, byte[] inout, int bytes, long high, long flip) {
        for (int i = 0; i < bytes; i += Long.BYTES) {
            long a = (long) LONGS.get(in, i);
            long b = (long) LONGS.get(inout, i);
            LONGS.set(inout, i, b ^ ((a ^ b) & filled(less(b, a, high, flip), high)));
        }
    }

    private static void min(byte[] in, byte[] inout, int bytes, long high, long flip) {
        for (int i = 0; i < bytes; i += Long.BYTES) {
            long a = (long) LONGS.get(in, i);
            long b = (long) LONGS.get(inout, i);
            LONGS.set(inout, i, b ^ ((a ^ b) & filled(less(a, b, high, flip), high)));
        }
    }

    private static void and(byte[] in, byte[] inout, int bytes, long high, long flip) {
        for (int i = 0; i < bytes; i += Long.BYTES) {
            long a = (long) LONGS.get(in, i);
            long b = (long) LONGS.get(inout, i);
            LONGS.set(inout, i, one(notZero(a, high) & notZero(b, high), high));
        }
    }

    private static void or(byte[] in, byte[] inout, int bytes, long high, long flip) {
        for (int i = 0; i < bytes; i += Long.BYTES) {
            long a = (long) LONGS.get(in, i);
            long b = (long) LONGS.get(inout, i);
            LONGS.set(inout, i, one(notZero(a | b, high), high));
        }
    }

    private static void xor(byte[] in, byte[] inout, int bytes, long high, long flip) {
        for (int i = 0; i < bytes; i += Long.BYTES) {
            long a = (long) LONGS.get(in, i);
            long b = (long) LONGS.get(inout, i);
            LONGS.set(inout, i, one(notZero(a, high) ^ notZero(b, high), high));
        }
    }

    /** The highest bit of each lane: whether it is less. Nothing is borrowed from the lane above. */
    private static long less(long a, long b, long high, long flip) {
        long left = a ^ flip;
        long right = b ^ flip;
        long lowNotLess = (left | high) - (right & ~high);
        return ((~left & right) | (~(left ^ right) & ~lowNotLess)) & high;
    }

    /** The highest bit of each lane: whether it is not 0. */
    private static long notZero(long lanes, long high) {
        return (((lanes & ~high) + ~high) | lanes) & high;
    }

    /** All bits of each lane whose highest bit is set. */
    private static long filled(long bits, long high) {
        return (bits - one(bits, high)) | bits;
    }

    /** 1 in each lane whose highest bit is set: bit 7 of 8, 15 of 16. */
    private static long one(long bits, long high) {
        return bits >>> Long.numberOfTrailingZeros(high);
    }
}
