package org.gridmpj.datatype;

/**
 * BAND, BOR and BXOR (MPI standard, 6.9.2) on integers.
 *
 * <p>Each method combines n adjacent elements, {@code inout[i] = in[i] ∘ inout[i]}, in a loop that the JIT
 * turns into vector instructions; {@link PredefinedOp} has checked the base type.
 */
final class BitwiseOps {
    private BitwiseOps() {}

    static void and(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (byte) (left[i] & right[i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (char) (left[i] & right[i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (short) (left[i] & right[i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] & right[i];
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] & right[i];
                }
            }
            case BOOLEAN, FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void or(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (byte) (left[i] | right[i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (char) (left[i] | right[i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (short) (left[i] | right[i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] | right[i];
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] | right[i];
                }
            }
            case BOOLEAN, FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void xor(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (byte) (left[i] ^ right[i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (char) (left[i] ^ right[i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (short) (left[i] ^ right[i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] ^ right[i];
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] ^ right[i];
                }
            }
            case BOOLEAN, FLOAT, DOUBLE, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }
}
