package org.gridmpj.datatype;

/**
 * LAND, LOR and LXOR (MPI standard, 6.9.2) on booleans, and on integers as in C: what is
 * not 0 is true, the result 0 or 1.
 *
 * <p>Each method combines n adjacent elements, {@code inout[i] = in[i] ∘ inout[i]}, in a loop that the JIT
 * turns into vector instructions, or many in a long ({@link SubwordOps}); {@link PredefinedOp} has checked the base type.
 */
final class LogicalOps {
    private LogicalOps() {}

    static void and(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case BYTE, CHAR, SHORT -> SubwordOps.and(base, in, inout, from, to);
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (notZero(left[i]) & notZero(right[i])) >>> 31;
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (notZero(left[i]) & notZero(right[i])) >>> 63;
                }
            }
            case BOOLEAN -> {
                boolean[] left = (boolean[]) in;
                boolean[] right = (boolean[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] &= left[i];
                }
            }
            case FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void or(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case BYTE, CHAR, SHORT -> SubwordOps.or(base, in, inout, from, to);
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (notZero(left[i]) | notZero(right[i])) >>> 31;
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (notZero(left[i]) | notZero(right[i])) >>> 63;
                }
            }
            case BOOLEAN -> {
                boolean[] left = (boolean[]) in;
                boolean[] right = (boolean[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] |= left[i];
                }
            }
            case FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void xor(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case BYTE, CHAR, SHORT -> SubwordOps.xor(base, in, inout, from, to);
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (notZero(left[i]) ^ notZero(right[i])) >>> 31;
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (notZero(left[i]) ^ notZero(right[i])) >>> 63;
                }
            }
            case BOOLEAN -> {
                boolean[] left = (boolean[]) in;
                boolean[] right = (boolean[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] ^= left[i];
                }
            }
            case FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    /** The highest bit: whether a number is not 0. Of a comparison, or of x | -x, JDK 25 makes no vector instructions. */
    private static int notZero(int x) {
        return ((x & Integer.MAX_VALUE) + Integer.MAX_VALUE) | x;
    }

    private static long notZero(long x) {
        return ((x & Long.MAX_VALUE) + Long.MAX_VALUE) | x;
    }
}
