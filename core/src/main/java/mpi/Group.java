package mpi;

import java.util.function.Supplier;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/** An ordered set of processes (MPI standard, 7.3). */
public class Group implements Freeable {
    private org.gridmpj.comm.@Nullable Group members;

    Group(org.gridmpj.comm.@Nullable Group members) {
        this.members = members;
    }

    /** For subclasses under another name: the same processes. */
    protected Group(Group other) {
        this.members = other.members;
    }

    /** Number of processes. */
    public int Size() {
        return called("Size").size();
    }

    /** Own rank, or MPI.UNDEFINED if the process is not in the group. */
    public int Rank() {
        int rank = called("Rank").rankOf(Binding.worldRank("Group.Rank"));
        return rank < 0 ? MPI.UNDEFINED : rank;
    }

    /** Ranks in group2 of the processes with these ranks in group1; MPI.UNDEFINED for those that are not in it. */
    public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2) {
        org.gridmpj.comm.Group from = group1.called("Translate_ranks");
        org.gridmpj.comm.Group to = group2.called("Translate_ranks");
        int[] ranks2 = new int[ranks1.length];
        for (int i = 0; i < ranks1.length; i++) {
            int rank = ranks1[i];
            if (rank == MPI.PROC_NULL) {
                ranks2[i] = MPI.PROC_NULL;
                continue;
            }
            if (rank < 0 || rank >= from.size()) {
                throw new MPIException(new MpiFailure(
                        ErrorClass.RANK, "Group.Translate_ranks: rank " + rank + " is not in 0.." + (from.size() - 1)));
            }
            int translated = to.rankOf(from.worldRank(rank));
            ranks2[i] = translated < 0 ? MPI.UNDEFINED : translated;
        }
        return ranks2;
    }

    /** MPI.IDENT: same processes in the same order; MPI.SIMILAR: in another; else MPI.UNEQUAL. */
    public static int Compare(Group group1, Group group2) {
        org.gridmpj.comm.Group one = group1.called("Compare");
        org.gridmpj.comm.Group two = group2.called("Compare");
        if (one.isIdentical(two)) {
            return MPI.IDENT;
        }
        return one.isSimilar(two) ? MPI.SIMILAR : MPI.UNEQUAL;
    }

    /** The first, then what the second has more. */
    public static Group Union(Group group1, Group group2) {
        return derive(() -> group1.open("Union").union(group2.open("Union")));
    }

    /** What is in both, in the order of the first. */
    public static Group Intersection(Group group1, Group group2) {
        return derive(() -> group1.open("Intersection").intersection(group2.open("Intersection")));
    }

    /** What is in the first only. */
    public static Group Difference(Group group1, Group group2) {
        return derive(() -> group1.open("Difference").difference(group2.open("Difference")));
    }

    /** The processes with these ranks, in this order. */
    public Group Incl(int[] ranks) {
        return derive(() -> open("Incl").include(ranks));
    }

    /** All but the processes with these ranks. */
    public Group Excl(int[] ranks) {
        return derive(() -> open("Excl").exclude(ranks));
    }

    /** As Incl; each row is first, last, stride. */
    public Group Range_incl(int[][] ranges) {
        return derive(() -> open("Range_incl").rangeInclude(ranges));
    }

    /** As Excl; each row is first, last, stride. */
    public Group Range_excl(int[][] ranges) {
        return derive(() -> open("Range_excl").rangeExclude(ranges));
    }

    /** Gives the group back; GROUP_EMPTY stays. */
    @Override
    public void free() {
        org.gridmpj.comm.Group current = members;
        if (current != null && current.size() > 0) {
            members = null;
        }
    }

    /** As {@link #free}. */
    public void Free() {
        free();
    }

    /** Does nothing: groups are collected. */
    @Override
    @SuppressWarnings({"removal", "Finalize"}) // mpiJava programs call it by name
    public void finalize() {}

    final org.gridmpj.comm.Group open(String call) {
        org.gridmpj.comm.Group current = members;
        if (current == null) {
            throw new MpiFailure(ErrorClass.GROUP, "Group." + call + ": the group is GROUP_NULL or was freed");
        }
        return current;
    }

    private org.gridmpj.comm.Group called(String call) {
        try {
            return open(call);
        } catch (MpiFailure failure) {
            throw new MPIException(failure);
        }
    }

    private static Group derive(Supplier<org.gridmpj.comm.Group> members) {
        try {
            return new Group(members.get());
        } catch (MpiFailure failure) {
            throw new MPIException(failure);
        }
    }
}
