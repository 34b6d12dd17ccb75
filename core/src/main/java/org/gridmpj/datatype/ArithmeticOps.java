package org.gridmpj.datatype;

/**
 * MAX, MIN, SUM and PROD (MPI standard, 6.9.2) on numbers. A NaN wins in MAX and MIN, so that the
 * order of ranks does not matter.
 *
 * <p>Each method combines n adjacent elements, {@code inout[i] = in[i] ∘ inout[i]}, in a loop that the JIT
 * turns into vector instructions, MAX and MIN of less than 32 bits many in a long ({@link SubwordOps}); {@link PredefinedOp} has checked the base type.
 */
final class ArithmeticOps {
    private ArithmeticOps() {}

    static void max(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case BYTE, CHAR, SHORT -> SubwordOps.max(base, in, inout, from, to);
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = Math.max(left[i], right[i]);
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = Math.max(left[i], right[i]);
                }
            }
            case FLOAT -> {
                float[] left = (float[]) in;
                float[] right = (float[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = Math.max(left[i], right[i]);
                }
            }
            case DOUBLE -> {
                double[] left = (double[]) in;
                double[] right = (double[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = Math.max(left[i], right[i]);
                }
            }
            case BOOLEAN, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void min(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case BYTE, CHAR, SHORT -> SubwordOps.min(base, in, inout, from, to);
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = Math.min(left[i], right[i]);
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = Math.min(left[i], right[i]);
                }
            }
            case FLOAT -> {
                float[] left = (float[]) in;
                float[] right = (float[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = Math.min(left[i], right[i]);
                }
            }
            case DOUBLE -> {
                double[] left = (double[]) in;
                double[] right = (double[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = Math.min(left[i], right[i]);
                }
            }
            case BOOLEAN, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void sum(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (byte) (left[i] + right[i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (char) (left[i] + right[i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (short) (left[i] + right[i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] + right[i];
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] + right[i];
                }
            }
            case FLOAT -> {
                float[] left = (float[]) in;
                float[] right = (float[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] + right[i];
                }
            }
            case DOUBLE -> {
                double[] left = (double[]) in;
                double[] right = (double[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] + right[i];
                }
            }
            case BOOLEAN, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void product(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (byte) (left[i] * right[i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (char) (left[i] * right[i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = (short) (left[i] * right[i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] * right[i];
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] * right[i];
                }
            }
            case FLOAT -> {
                float[] left = (float[]) in;
                float[] right = (float[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] * right[i];
                }
            }
            case DOUBLE -> {
                double[] left = (double[]) in;
                double[] right = (double[]) inout;
                for (int i = from; i < to; i++) {
                    right[i] = left[i] * right[i];
                }
            }
            case BOOLEAN, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }
}
