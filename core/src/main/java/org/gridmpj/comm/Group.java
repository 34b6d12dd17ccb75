package org.gridmpj.comm;

import java.util.Arrays;
import java.util.BitSet;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/**
 * An ordered set of processes by world rank (MPI standard, 7.3). Immutable, so free to share between threads.
 *
 * <p>Ranks are found in O(1): by subtraction when the world ranks are consecutive (COMM_WORLD, COMM_SELF), else by a
 * table from the lowest to the highest world rank.
 */
public final class Group {
    /** What rank queries answer for a process that is no member (MPI_UNDEFINED). */
    public static final int UNDEFINED = -1;

    /** The group without members (MPI_GROUP_EMPTY). */
    public static final Group EMPTY = new Group(new int[0]);

    /** How two groups, or two communicators, relate (MPI standard, 7.3.1 and 7.4.1). */
    public enum Comparison {
        /** The same object, or equal in members and order. */
        IDENT,
        /** For communicators only: the same members in the same order, another context. */
        CONGRUENT,
        /** The same members in another order. */
        SIMILAR,
        UNEQUAL
    }

    private final int[] worldRanks;
    private final int lowest;
    private final boolean consecutive;
    private final int[] rankByWorldRank;

    private Group(int[] worldRanks) {
        this.worldRanks = worldRanks;
        int min = Integer.MAX_VALUE;
        int max = -1;
        boolean ascending = true;
        for (int rank = 0; rank < worldRanks.length; rank++) {
            min = Math.min(min, worldRanks[rank]);
            max = Math.max(max, worldRanks[rank]);
            ascending &= worldRanks[rank] == worldRanks[0] + rank;
        }
        if (min < 0) {
            throw new MpiFailure(ErrorClass.RANK, "world rank " + min + " in a group: there is no such process");
        }
        this.lowest = worldRanks.length == 0 ? 0 : min;
        this.consecutive = ascending;
        this.rankByWorldRank = ascending ? new int[0] : tableOf(worldRanks, min, max);
    }

    private static int[] tableOf(int[] worldRanks, int min, int max) {
        int[] table = new int[max - min + 1];
        Arrays.fill(table, UNDEFINED);
        for (int rank = 0; rank < worldRanks.length; rank++) {
            int place = worldRanks[rank] - min;
            if (table[place] != UNDEFINED) {
                throw new MpiFailure(
                        ErrorClass.RANK,
                        "world rank " + worldRanks[rank] + " would stand twice in a group, as rank " + table[place]
                                + " and " + rank);
            }
            table[place] = rank;
        }
        return table;
    }

    /** The group of these world ranks, in this order. */
    public static Group of(int... worldRanks) {
        return worldRanks.length == 0 ? EMPTY : new Group(worldRanks.clone());
    }

    /** World ranks first … first + size − 1. */
    static Group consecutive(int first, int size) {
        int[] ranks = new int[size];
        Arrays.setAll(ranks, rank -> first + rank);
        return new Group(ranks);
    }

    /** Number of processes. */
    public int size() {
        return worldRanks.length;
    }

    /**
     * World rank of a member.
     *
     * @throws MpiFailure of class RANK if there is no such member
     */
    public int worldRank(int rank) {
        requireMember(rank, "rank");
        return worldRanks[rank];
    }

    /** Rank of a process, or −1. */
    public int rankOf(int worldRank) {
        int place = worldRank - lowest;
        if (consecutive) {
            return place >= 0 && place < worldRanks.length ? place : UNDEFINED;
        }
        return place >= 0 && place < rankByWorldRank.length ? rankByWorldRank[place] : UNDEFINED;
    }

    /** World ranks in rank order; a copy. */
    public int[] worldRanks() {
        return worldRanks.clone();
    }

    /** The ranks that the members named have in another group, −1 for those that are not in it. */
    public int[] translate(int[] ranks, Group other) {
        int[] translated = new int[ranks.length];
        Arrays.setAll(translated, i -> other.rankOf(worldRank(ranks[i])));
        return translated;
    }

    /** All members of this group, then those of other that are not in this one, each in its order. */
    public Group union(Group other) {
        int[] joined = Arrays.copyOf(worldRanks, size() + other.size());
        int length = size();
        for (int worldRank : other.worldRanks) {
            if (rankOf(worldRank) == UNDEFINED) {
                joined[length++] = worldRank;
            }
        }
        return of(Arrays.copyOf(joined, length));
    }

    /** The members of this group that are in other too, in this one's order. */
    public Group intersection(Group other) {
        return of(Arrays.stream(worldRanks)
                .filter(worldRank -> other.rankOf(worldRank) != UNDEFINED)
                .toArray());
    }

    /** The members of this group that are not in other, in this one's order. */
    public Group difference(Group other) {
        return of(Arrays.stream(worldRanks)
                .filter(worldRank -> other.rankOf(worldRank) == UNDEFINED)
                .toArray());
    }

    /**
     * The members named, in that order.
     *
     * @throws MpiFailure of class RANK if a rank is none of this group or is named twice
     */
    public Group include(int[] ranks) {
        requireDistinctMembers(ranks);
        return of(Arrays.stream(ranks).map(rank -> worldRanks[rank]).toArray());
    }

    /**
     * All but the members named, in this group's order.
     *
     * @throws MpiFailure of class RANK if a rank is none of this group or is named twice
     */
    public Group exclude(int[] ranks) {
        BitSet excluded = requireDistinctMembers(ranks);
        int[] kept = new int[size() - ranks.length];
        int length = 0;
        for (int rank = 0; rank < size(); rank++) {
            if (!excluded.get(rank)) {
                kept[length++] = worldRanks[rank];
            }
        }
        return of(kept);
    }

    /**
     * The members of triplets first, last, stride, in that order (MPI standard, 7.3.2).
     *
     * @throws MpiFailure of class ARG for a stride of 0 or a row that is no triplet, of class RANK as {@link #include}
     */
    public Group rangeInclude(int[][] ranges) {
        return include(expand(ranges));
    }

    /** All but the members of triplets first, last, stride; errors as {@link #rangeInclude}. */
    public Group rangeExclude(int[][] ranges) {
        return exclude(expand(ranges));
    }

    private int[] expand(int[][] ranges) {
        int[] ranks = new int[size()];
        int length = 0;
        for (int[] range : ranges) {
            if (range.length != 3 || range[2] == 0) {
                throw new MpiFailure(
                        ErrorClass.ARG,
                        "range " + Arrays.toString(range)
                                + ": a range is {first, last, stride} with a stride other than 0");
            }
            long stride = range[2];
            for (long rank = range[0]; stride > 0 ? rank <= range[1] : rank >= range[1]; rank += stride) {
                requireMember((int) rank, "range " + Arrays.toString(range) + ": rank");
                if (length == ranks.length) {
                    throw new MpiFailure(
                            ErrorClass.RANK,
                            "ranges " + Arrays.deepToString(ranges) + " name more ranks than the group of " + size()
                                    + " has: one is named twice");
                }
                ranks[length++] = (int) rank;
            }
        }
        return Arrays.copyOf(ranks, length);
    }

    private BitSet requireDistinctMembers(int[] ranks) {
        BitSet seen = new BitSet(size());
        for (int rank : ranks) {
            requireMember(rank, "rank");
            if (seen.get(rank)) {
                throw new MpiFailure(ErrorClass.RANK, "rank " + rank + " is named twice in " + Arrays.toString(ranks));
            }
            seen.set(rank);
        }
        return seen;
    }

    private void requireMember(int rank, String what) {
        if (rank < 0 || rank >= worldRanks.length) {
            throw new MpiFailure(
                    ErrorClass.RANK,
                    what + " " + rank + " is not in the group of " + size() + " processes (ranks from 0)");
        }
    }

    /** IDENT, SIMILAR or UNEQUAL. */
    public Comparison compare(Group other) {
        if (isIdentical(other)) {
            return Comparison.IDENT;
        }
        return isSimilar(other) ? Comparison.SIMILAR : Comparison.UNEQUAL;
    }

    /** Whether the same processes in the same order. */
    public boolean isIdentical(Group other) {
        return this == other || Arrays.equals(worldRanks, other.worldRanks);
    }

    /** Whether the same processes in any order. */
    public boolean isSimilar(Group other) {
        if (size() != other.size()) {
            return false;
        }
        for (int worldRank : worldRanks) {
            if (other.rankOf(worldRank) == UNDEFINED) {
                return false;
            }
        }
        return true;
    }

    /** World ranks in rank order. */
    @Override
    public String toString() {
        return "Group" + Arrays.toString(worldRanks);
    }
}
