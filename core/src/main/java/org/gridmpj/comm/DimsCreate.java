package org.gridmpj.comm;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/**
 * Balanced dimensions of a grid (MPI standard, 8.5.2): those that the caller fixed stay, the free ones are as near to
 * each other as the divisors allow and do not increase.
 *
 * <p>As near as possible means here: the largest is as small as can be, then the second largest, and so on (72 in three
 * dimensions is 6 × 4 × 3), by a search over the divisors.
 */
public final class DimsCreate {
    private DimsCreate() {}

    /**
     * Fills the dimensions that are 0.
     *
     * @param nodes number of places that the grid is to have, at least 1
     * @param dims changed in place; entries above 0 are kept
     * @throws MpiFailure of class ARG for nodes below 1, of class DIMS for a negative dimension or if nodes is not the fixed
     *     dimensions' product times something (times 1, when all are fixed)
     */
    public static void fill(int nodes, int[] dims) {
        if (nodes < 1) {
            throw new MpiFailure(ErrorClass.ARG, "dimensions for " + nodes + " nodes: there must be at least 1");
        }
        long fixed = 1;
        int free = 0;
        for (int dim : dims) {
            if (dim < 0) {
                throw new MpiFailure(
                        ErrorClass.DIMS, "dimensions " + Arrays.toString(dims) + ": one is negative; 0 leaves it open");
            }
            fixed = dim == 0 ? fixed : Math.min(fixed * dim, Integer.MAX_VALUE);
            free += dim == 0 ? 1 : 0;
        }
        if (nodes % fixed != 0 || (free == 0 && nodes != fixed)) {
            throw new MpiFailure(
                    ErrorClass.DIMS,
                    nodes + " nodes cannot be arranged with the fixed dimensions of " + Arrays.toString(dims));
        }
        int[] factors = new int[free];
        factorise((int) (nodes / fixed), Integer.MAX_VALUE, factors, 0);
        int next = 0;
        for (int d = 0; d < dims.length; d++) {
            dims[d] = dims[d] == 0 ? factors[next++] : dims[d];
        }
    }

    /** Writes non-increasing factors of n, none above bound, from a place on: the smallest first one that works. */
    private static boolean factorise(int n, int bound, int[] factors, int place) {
        int left = factors.length - place;
        if (left == 0) {
            return n == 1;
        }
        if (left == 1) {
            factors[place] = n;
            return n <= bound;
        }
        for (int factor : divisors(n)) {
            if (factor <= bound) {
                factors[place] = factor;
                if (factorise(n / factor, factor, factors, place + 1)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Ascending. */
    private static int[] divisors(int n) {
        IntStream.Builder small = IntStream.builder();
        for (int divisor = 1; (long) divisor * divisor <= n; divisor++) {
            if (n % divisor == 0) {
                small.add(divisor);
            }
        }
        int[] lower = small.build().toArray();
        return IntStream.concat(Arrays.stream(lower), Arrays.stream(lower).map(divisor -> n / divisor))
                .sorted()
                .distinct()
                .toArray();
    }
}
