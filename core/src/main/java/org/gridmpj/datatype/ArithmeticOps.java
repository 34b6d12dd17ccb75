package org.gridmpj.datatype;

/**
 * MAX, MIN, SUM and PROD (MPI standard, 6.9.2) on numbers. A NaN wins in MAX and MIN, so that the
 * order of ranks does not matter.
 *
 * <p>Each method combines n adjacent elements, {@code inout[b + i] = in[a + i] ∘ inout[b + i]}, in a loop that the JIT
 * turns into vector instructions; {@link PredefinedOp} has checked the base type.
 */
final class ArithmeticOps {
    private ArithmeticOps() {}

    static void max(BaseType base, Object in, int a, Object inout, int b, int n) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (byte) Math.max(left[a + i], right[b + i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (char) Math.max(left[a + i], right[b + i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (short) Math.max(left[a + i], right[b + i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = Math.max(left[a + i], right[b + i]);
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = Math.max(left[a + i], right[b + i]);
                }
            }
            case FLOAT -> {
                float[] left = (float[]) in;
                float[] right = (float[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = Math.max(left[a + i], right[b + i]);
                }
            }
            case DOUBLE -> {
                double[] left = (double[]) in;
                double[] right = (double[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = Math.max(left[a + i], right[b + i]);
                }
            }
            case BOOLEAN, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void min(BaseType base, Object in, int a, Object inout, int b, int n) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (byte) Math.min(left[a + i], right[b + i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (char) Math.min(left[a + i], right[b + i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (short) Math.min(left[a + i], right[b + i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = Math.min(left[a + i], right[b + i]);
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = Math.min(left[a + i], right[b + i]);
                }
            }
            case FLOAT -> {
                float[] left = (float[]) in;
                float[] right = (float[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = Math.min(left[a + i], right[b + i]);
                }
            }
            case DOUBLE -> {
                double[] left = (double[]) in;
                double[] right = (double[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = Math.min(left[a + i], right[b + i]);
                }
            }
            case BOOLEAN, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void sum(BaseType base, Object in, int a, Object inout, int b, int n) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (byte) (left[a + i] + right[b + i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (char) (left[a + i] + right[b + i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (short) (left[a + i] + right[b + i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] + right[b + i];
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] + right[b + i];
                }
            }
            case FLOAT -> {
                float[] left = (float[]) in;
                float[] right = (float[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] + right[b + i];
                }
            }
            case DOUBLE -> {
                double[] left = (double[]) in;
                double[] right = (double[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] + right[b + i];
                }
            }
            case BOOLEAN, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void product(BaseType base, Object in, int a, Object inout, int b, int n) {
        switch (base) {
            case BYTE -> {
                byte[] left = (byte[]) in;
                byte[] right = (byte[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (byte) (left[a + i] * right[b + i]);
                }
            }
            case CHAR -> {
                char[] left = (char[]) in;
                char[] right = (char[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (char) (left[a + i] * right[b + i]);
                }
            }
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = (short) (left[a + i] * right[b + i]);
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] * right[b + i];
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] * right[b + i];
                }
            }
            case FLOAT -> {
                float[] left = (float[]) in;
                float[] right = (float[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] * right[b + i];
                }
            }
            case DOUBLE -> {
                double[] left = (double[]) in;
                double[] right = (double[]) inout;
                for (int i = 0; i < n; i++) {
                    right[b + i] = left[a + i] * right[b + i];
                }
            }
            case BOOLEAN, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }
}
