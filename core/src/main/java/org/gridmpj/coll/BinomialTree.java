package org.gridmpj.coll;

/** The shape of a binomial tree over ranks relative to its root 0: the parent clears the lowest bit that is set. */
final class BinomialTree {
    private BinomialTree() {}

    static int parent(int relative) {
        return relative & (relative - 1);
    }

    /** How far the most distant child may be, a power of two; the others are at its halves. 0 for a leaf. */
    static int longestStep(int relative, int size) {
        return relative == 0 ? Integer.highestOneBit(size - 1) : Integer.lowestOneBit(relative) / 2;
    }

    /** Number of processes in the subtree of one, itself included. */
    static int descendants(int relative, int size) {
        int lowestBit = Integer.lowestOneBit(relative);
        return relative == 0 ? size : Math.min(lowestBit, size - relative);
    }
}
