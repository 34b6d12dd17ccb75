package org.gridmpj.datatype;

/**
 * LAND, LOR and LXOR (MPI standard, 6.9.2) on booleans, and on integers as in C: what is
 * not 0 is true, the result 0 or 1.
 *
 * <p>Each method combines n adjacent elements, {@code inout[b + i] = in[a + i] ∘ inout[b + i]}, in a loop that the JIT
 * turns into vector instructions; {@link PredefinedOp} has checked the base type.
 */
final class LogicalOps {
    private LogicalOps() {}

    static void and(BaseType base, Object in, int a, Object inout, int b, int n) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (byte) ((left[a + i] != 0) && (right[b + i] != 0) ? 1 : 0);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (char) ((left[a + i] != 0) && (right[b + i] != 0) ? 1 : 0);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (short) ((left[a + i] != 0) && (right[b + i] != 0) ? 1 : 0);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (left[a + i] != 0) && (right[b + i] != 0) ? 1 : 0;
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (left[a + i] != 0) && (right[b + i] != 0) ? 1 : 0;
                }
            }
            case BOOLEAN -> {
                boolean[] left = (boolean[]) in;
                boolean[] right = (boolean[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] &= left[a + i];
                }
            }
            case FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void or(BaseType base, Object in, int a, Object inout, int b, int n) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (byte) ((left[a + i] != 0) || (right[b + i] != 0) ? 1 : 0);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (char) ((left[a + i] != 0) || (right[b + i] != 0) ? 1 : 0);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (short) ((left[a + i] != 0) || (right[b + i] != 0) ? 1 : 0);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (left[a + i] != 0) || (right[b + i] != 0) ? 1 : 0;
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (left[a + i] != 0) || (right[b + i] != 0) ? 1 : 0;
                }
            }
            case BOOLEAN -> {
                boolean[] left = (boolean[]) in;
                boolean[] right = (boolean[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] |= left[a + i];
                }
            }
            case FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void xor(BaseType base, Object in, int a, Object inout, int b, int n) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (byte) ((left[a + i] != 0) ^ (right[b + i] != 0) ? 1 : 0);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (char) ((left[a + i] != 0) ^ (right[b + i] != 0) ? 1 : 0);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (short) ((left[a + i] != 0) ^ (right[b + i] != 0) ? 1 : 0);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (left[a + i] != 0) ^ (right[b + i] != 0) ? 1 : 0;
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (left[a + i] != 0) ^ (right[b + i] != 0) ? 1 : 0;
                }
            }
            case BOOLEAN -> {
                boolean[] left = (boolean[]) in;
                boolean[] right = (boolean[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] ^= left[a + i];
                }
            }
            case FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }
}
