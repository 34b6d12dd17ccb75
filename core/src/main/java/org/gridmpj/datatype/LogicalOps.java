package org.gridmpj.datatype;

/**
 * LAND, LOR and LXOR (MPI standard, 6.9.2) on booleans, and on integers as in C: what is
 * not 0 is true, the result 0 or 1.
 *
 * <p>Each method combines n adjacent elements, {@code inout[i] = in[i] ∘ inout[i]}, in a loop that the JIT
 * turns into vector instructions; {@link PredefinedOp} has checked the base type.
 */
final class LogicalOps {
    private LogicalOps() {}

    static void and(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (byte) ((left[i] != 0) && (right[i] != 0) ? 1 : 0);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (char) ((left[i] != 0) && (right[i] != 0) ? 1 : 0);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (short) ((left[i] != 0) && (right[i] != 0) ? 1 : 0);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (left[i] != 0) && (right[i] != 0) ? 1 : 0;
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (left[i] != 0) && (right[i] != 0) ? 1 : 0;
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
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (byte) ((left[i] != 0) || (right[i] != 0) ? 1 : 0);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (char) ((left[i] != 0) || (right[i] != 0) ? 1 : 0);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (short) ((left[i] != 0) || (right[i] != 0) ? 1 : 0);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (left[i] != 0) || (right[i] != 0) ? 1 : 0;
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (left[i] != 0) || (right[i] != 0) ? 1 : 0;
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
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (byte) ((left[i] != 0) ^ (right[i] != 0) ? 1 : 0);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (char) ((left[i] != 0) ^ (right[i] != 0) ? 1 : 0);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (short) ((left[i] != 0) ^ (right[i] != 0) ? 1 : 0);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (left[i] != 0) ^ (right[i] != 0) ? 1 : 0;
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (left[i] != 0) ^ (right[i] != 0) ? 1 : 0;
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
}
