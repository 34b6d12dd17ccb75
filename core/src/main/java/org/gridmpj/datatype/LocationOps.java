package org.gridmpj.datatype;

/**
 * MAXLOC and MINLOC (MPI standard, 6.9.4) on pairs of a value and an index, adjacent elements of one base type. Of equal
 * values the lower index stays.
 *
 * <p>Each method combines n adjacent elements, n / 2 pairs; {@link PredefinedOp} has checked the datatype.
 */
final class LocationOps {
    private LocationOps() {}

    static void max(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = from; i < to; i += 2) {
                    if (left[i] > right[i]) {
                        right[i] = left[i];
                        right[i + 1] = left[i + 1];
                    } else if (left[i] == right[i]) {
                        right[i + 1] = (short) Math.min(left[i + 1], right[i + 1]);
                    }
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i += 2) {
                    if (left[i] > right[i]) {
                        right[i] = left[i];
                        right[i + 1] = left[i + 1];
                    } else if (left[i] == right[i]) {
                        right[i + 1] = Math.min(left[i + 1], right[i + 1]);
                    }
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i += 2) {
                    if (left[i] > right[i]) {
                        right[i] = left[i];
                        right[i + 1] = left[i + 1];
                    } else if (left[i] == right[i]) {
                        right[i + 1] = Math.min(left[i + 1], right[i + 1]);
                    }
                }
            }
            case FLOAT -> {
                float[] left = (float[]) in;
                float[] right = (float[]) inout;
                for (int i = from; i < to; i += 2) {
                    if (left[i] > right[i]) {
                        right[i] = left[i];
                        right[i + 1] = left[i + 1];
                    } else if (left[i] == right[i]) {
                        right[i + 1] = Math.min(left[i + 1], right[i + 1]);
                    }
                }
            }
            case DOUBLE -> {
                double[] left = (double[]) in;
                double[] right = (double[]) inout;
                for (int i = from; i < to; i += 2) {
                    if (left[i] > right[i]) {
                        right[i] = left[i];
                        right[i + 1] = left[i + 1];
                    } else if (left[i] == right[i]) {
                        right[i + 1] = Math.min(left[i + 1], right[i + 1]);
                    }
                }
            }
            case BYTE, CHAR, BOOLEAN, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }

    static void min(BaseType base, Object in, Object inout, int from, int to) {
        switch (base) {
            case SHORT -> {
                short[] left = (short[]) in;
                short[] right = (short[]) inout;
                for (int i = from; i < to; i += 2) {
                    if (left[i] < right[i]) {
                        right[i] = left[i];
                        right[i + 1] = left[i + 1];
                    } else if (left[i] == right[i]) {
                        right[i + 1] = (short) Math.min(left[i + 1], right[i + 1]);
                    }
                }
            }
            case INT -> {
                int[] left = (int[]) in;
                int[] right = (int[]) inout;
                for (int i = from; i < to; i += 2) {
                    if (left[i] < right[i]) {
                        right[i] = left[i];
                        right[i + 1] = left[i + 1];
                    } else if (left[i] == right[i]) {
                        right[i + 1] = Math.min(left[i + 1], right[i + 1]);
                    }
                }
            }
            case LONG -> {
                long[] left = (long[]) in;
                long[] right = (long[]) inout;
                for (int i = from; i < to; i += 2) {
                    if (left[i] < right[i]) {
                        right[i] = left[i];
                        right[i + 1] = left[i + 1];
                    } else if (left[i] == right[i]) {
                        right[i + 1] = Math.min(left[i + 1], right[i + 1]);
                    }
                }
            }
            case FLOAT -> {
                float[] left = (float[]) in;
                float[] right = (float[]) inout;
                for (int i = from; i < to; i += 2) {
                    if (left[i] < right[i]) {
                        right[i] = left[i];
                        right[i + 1] = left[i + 1];
                    } else if (left[i] == right[i]) {
                        right[i + 1] = Math.min(left[i + 1], right[i + 1]);
                    }
                }
            }
            case DOUBLE -> {
                double[] left = (double[]) in;
                double[] right = (double[]) inout;
                for (int i = from; i < to; i += 2) {
                    if (left[i] < right[i]) {
                        right[i] = left[i];
                        right[i + 1] = left[i + 1];
                    } else if (left[i] == right[i]) {
                        right[i + 1] = Math.min(left[i + 1], right[i + 1]);
                    }
                }
            }
            case BYTE, CHAR, BOOLEAN, PACKED, OBJECT -> throw new IllegalArgumentException(base.name());
        }
    }
}
