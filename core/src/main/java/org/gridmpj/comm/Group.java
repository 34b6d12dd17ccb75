package org.gridmpj.comm;

/**
 * An ordered set of processes by world rank (MPI standard, 7.3). Immutable.
 */
public final class Group {
    /** The group of these world ranks, in this order. */
    public static Group of(int... worldRanks) {
        throw new IllegalStateException("skeleton");
    }

    /** Number of processes. */
    public int size() {
        throw new IllegalStateException("skeleton");
    }

    /** World rank of a member. */
    public int worldRank(int rank) {
        throw new IllegalStateException("skeleton");
    }

    /** Rank of a process, or −1. */
    public int rankOf(int worldRank) {
        throw new IllegalStateException("skeleton");
    }

    /** Set algebra in the order of the standard. */
    public Group union(Group other) {
        throw new IllegalStateException("skeleton");
    }

    public Group intersection(Group other) {
        throw new IllegalStateException("skeleton");
    }

    public Group difference(Group other) {
        throw new IllegalStateException("skeleton");
    }

    /** The members named, in that order. */
    public Group include(int[] ranks) {
        throw new IllegalStateException("skeleton");
    }

    /** All but the members named. */
    public Group exclude(int[] ranks) {
        throw new IllegalStateException("skeleton");
    }

    /** Triplets first, last, stride. */
    public Group rangeInclude(int[][] ranges) {
        throw new IllegalStateException("skeleton");
    }

    public Group rangeExclude(int[][] ranges) {
        throw new IllegalStateException("skeleton");
    }

    /** Whether the same processes in the same order. */
    public boolean isIdentical(Group other) {
        throw new IllegalStateException("skeleton");
    }

    /** Whether the same processes in any order. */
    public boolean isSimilar(Group other) {
        throw new IllegalStateException("skeleton");
    }
}
