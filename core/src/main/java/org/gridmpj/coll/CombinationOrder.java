package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;

/**
 * Combines the vectors of all ranks at one, in the order in which recursive doubling does it: what {@link Folding} folds
 * first, then neighbouring blocks of 1, 2, 4 … So the bits are the same.
 *
 * <pre>
 *   p = 6      ((0 1) (2 3)) (4 5)  folded: 0∘1  2∘3  4  5      ((0∘1)∘(2∘3))∘(4∘5)
 * </pre>
 */
final class CombinationOrder {
    private CombinationOrder() {}

    /**
     * Combines; the result replaces the last rank's vector, the others are lost.
     *
     * @param vectors of the ranks, in order, each from the first element of its array on
     * @param count items of each, of a contiguous type
     */
    static void combine(Object[] vectors, int count, TypeMap type, Reducer op) {
        int size = vectors.length;
        int power = Integer.highestOneBit(size);
        int extra = size - power;
        for (int pair = 0; pair < extra; pair++) {
            op.reduce(vectors[2 * pair], 0, vectors[2 * pair + 1], 0, count, type);
        }
        for (int half = 1; half < power; half *= 2) {
            for (int end = 2 * half; end <= power; end += 2 * half) {
                int left = rankOf(end - half - 1, extra);
                int right = rankOf(end - 1, extra);
                op.reduce(vectors[left], 0, vectors[right], 0, count, type);
            }
        }
    }

    /**
     * Combines in the order of a binomial tree of blocks ({@link ReduceBinomial}); the result is the first of the vectors, which change
     * places, the others are lost. Otherwise as {@link #combine}.
     *
     * <pre>
     *   p = 5      ((0 1) (2 3)) 4      where recursive doubling does ((0 1) 2) (3 4)
     * </pre>
     */
    static void combineBlocks(Object[] vectors, int count, TypeMap type, Reducer op) {
        for (int half = 1; half < vectors.length; half *= 2) {
            for (int left = 0; left + half < vectors.length; left += 2 * half) {
                Object into = vectors[left + half];
                op.reduce(vectors[left], 0, into, 0, count, type);
                vectors[left + half] = vectors[left];
                vectors[left] = into;
            }
        }
    }

    /**
     * Combines in the order of {@link ReduceScatterPairwise}: a rank's own vector with that of the rank before it on its left, and so
     * on around; the result replaces its own. Otherwise as {@link #combine}.
     */
    static void combineAround(Object[] vectors, int rank, int count, TypeMap type, Reducer op) {
        int size = vectors.length;
        for (int step = 1; step < size; step++) {
            op.reduce(vectors[(rank - step + size) % size], 0, vectors[rank], 0, count, type);
        }
    }

    private static int rankOf(int folded, int extra) {
        return folded < extra ? 2 * folded + 1 : folded + extra;
    }
}
