package org.gridmpj.datatype;

/**
 * BAND, BOR and BXOR (MPI standard, 6.9.2) on integers.
 *
 * <p>Each method combines n adjacent elements, {@code inout[b + i] = in[a + i] ∘ inout[b + i]}, in a loop that the JIT
 * turns into vector instructions; {@link PredefinedOp} has checked the base type.
 */
final class BitwiseOps {
    private BitwiseOps() {}

    static void and(BaseType base, Object in, int a, Object inout, int b, int n) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (byte) (left[a + i] & right[b + i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (char) (left[a + i] & right[b + i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (short) (left[a + i] & right[b + i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] & right[b + i];
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] & right[b + i];
                }
            }
            case BOOLEAN, FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void or(BaseType base, Object in, int a, Object inout, int b, int n) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (byte) (left[a + i] | right[b + i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (char) (left[a + i] | right[b + i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (short) (left[a + i] | right[b + i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] | right[b + i];
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] | right[b + i];
                }
            }
            case BOOLEAN, FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void xor(BaseType base, Object in, int a, Object inout, int b, int n) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (byte) (left[a + i] ^ right[b + i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (char) (left[a + i] ^ right[b + i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (short) (left[a + i] ^ right[b + i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] ^ right[b + i];
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] ^ right[b + i];
                }
            }
            case BOOLEAN, FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }
}
