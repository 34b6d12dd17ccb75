package org.gridmpj.comm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * New communicators from an old one (MPI standard, 7.4.2 and 8.5). All are collective over the old communicator; only
 * {@link #split} and what is built on it communicates, since context ids are derived.
 */
public final class CommunicatorCreation {
    private CommunicatorCreation() {}

    /** A member's answer to a split. */
    private record Choice(int rank, long color, long key) {}

    /** The same groups and topology, another context; attributes as their copy callbacks say (MPI_Comm_dup). */
    public static Communicator dup(Communicator old) {
        old.requireAlive();
        long ordinal = old.nextCreation();
        ContextId contextId = old.contextId().derive(ordinal, ContextId.Kind.DUP, 0);
        String name = old.name() + ".dup" + ordinal;
        Group remote = old.remoteGroup();
        Communicator duplicate = remote == null
                ? new Communicator(old.scope(), contextId, old.group(), null, null, old.topology(), name)
                : inter(old.scope(), contextId, old.group(), remote, name);
        old.attributes().copyTo(old, duplicate);
        return duplicate;
    }

    /**
     * The members of a group (MPI_Comm_create); null where the caller is not one. Processes of disjoint groups may call at
     * the same time with their own.
     *
     * @throws MpiFailure of class GROUP if the group is no subset of the communicator's
     */
    public static @Nullable Communicator create(Communicator old, Group group) {
        requireIntra(old);
        if (group.intersection(old.group()).size() != group.size()) {
            throw new MpiFailure(
                    ErrorClass.GROUP, group + " is not a subset of the group of " + old.name() + ", " + old.group());
        }
        long ordinal = old.nextCreation();
        if (group.rankOf(old.scope().worldRank()) == Group.UNDEFINED) {
            return null;
        }
        ContextId contextId = old.contextId().derive(ordinal, ContextId.Kind.CREATE, group.worldRank(0));
        return new Communicator(old.scope(), contextId, group, null, null, null, old.name() + ".create" + ordinal);
    }

    /**
     * One communicator for each colour, ranked by key and, where keys are equal, by the old rank (MPI_Comm_split).
     *
     * @param color from 0, or {@link Communicator#UNDEFINED} for none
     * @return null for the colour UNDEFINED
     * @throws MpiFailure of class ARG for another negative colour
     */
    public static @Nullable Communicator split(Communicator old, int color, int key) {
        requireIntra(old);
        if (color < 0 && color != Communicator.UNDEFINED) {
            throw new MpiFailure(
                    ErrorClass.ARG, "colour " + color + ": a colour is 0 or more, or UNDEFINED for no communicator");
        }
        return split(old, ContextId.Kind.SPLIT, color, key, null);
    }

    private static @Nullable Communicator split(
            Communicator old, ContextId.Kind kind, int color, int key, @Nullable Topology topology) {
        long ordinal = old.nextCreation();
        long[][] answers = old.scope().exchange().allgather(old, new long[] {color, key});
        if (color == Communicator.UNDEFINED) {
            return null;
        }
        List<Choice> members = new ArrayList<>();
        for (int rank = 0; rank < answers.length; rank++) {
            if (answers[rank][0] == color) {
                members.add(new Choice(rank, color, answers[rank][1]));
            }
        }
        members.sort(Comparator.comparingLong(Choice::key).thenComparingInt(Choice::rank));
        Group group =
                old.group().include(members.stream().mapToInt(Choice::rank).toArray());
        ContextId contextId = old.contextId().derive(ordinal, kind, color);
        String name = old.name() + ".split" + ordinal + ":" + color;
        return new Communicator(old.scope(), contextId, group, null, null, topology, name);
    }

    /**
     * The first processes on a grid (MPI_Cart_create), in the old order: which process is near which is not known here, so
     * that reordering would gain nothing. Null for the processes beyond the grid.
     *
     * @throws MpiFailure of class DIMS if the grid has more places than there are processes
     */
    public static @Nullable Communicator cartesian(Communicator old, CartesianTopology grid) {
        return arrange(old, grid, ContextId.Kind.CARTESIAN, ErrorClass.DIMS, "cart");
    }

    /**
     * The first processes as nodes of a graph (MPI_Graph_create), in the old order; null for the processes beyond.
     *
     * @throws MpiFailure of class TOPOLOGY if the graph has more nodes than there are processes
     */
    public static @Nullable Communicator graph(Communicator old, GraphTopology graph) {
        return arrange(old, graph, ContextId.Kind.GRAPH, ErrorClass.TOPOLOGY, "graph");
    }

    private static @Nullable Communicator arrange(
            Communicator old, Topology topology, ContextId.Kind kind, ErrorClass tooLarge, String suffix) {
        requireIntra(old);
        if (topology.size() > old.size()) {
            throw new MpiFailure(
                    tooLarge,
                    "a " + topology + " needs " + topology.size() + " processes, " + old.name() + " has " + old.size());
        }
        long ordinal = old.nextCreation();
        if (topology.map(old.rank()) == Communicator.UNDEFINED) {
            return null;
        }
        int[] members = new int[topology.size()];
        Arrays.setAll(members, rank -> rank);
        return new Communicator(
                old.scope(),
                old.contextId().derive(ordinal, kind, 0),
                old.group().include(members),
                null,
                null,
                topology,
                old.name() + "." + suffix + ordinal);
    }

    /**
     * The part of a grid that the caller is in when some dimensions are dropped (MPI_Cart_sub).
     *
     * @throws MpiFailure of class TOPOLOGY if the communicator has no grid
     */
    public static Communicator cartesianSub(Communicator old, boolean[] kept) {
        requireIntra(old);
        if (!(old.topology() instanceof CartesianTopology grid)) {
            throw new MpiFailure(ErrorClass.TOPOLOGY, old.name() + " has no Cartesian topology to take a part of");
        }
        CartesianTopology part = grid.sub(kept);
        int which = grid.subGridOf(old.rank(), kept);
        List<Integer> members = new ArrayList<>();
        for (int rank = 0; rank < grid.size(); rank++) {
            if (grid.subGridOf(rank, kept) == which) {
                members.add(rank);
            }
        }
        long ordinal = old.nextCreation();
        return new Communicator(
                old.scope(),
                old.contextId().derive(ordinal, ContextId.Kind.CARTESIAN_SUB, which),
                old.group().include(members.stream().mapToInt(Integer::intValue).toArray()),
                null,
                null,
                part,
                old.name() + ".sub" + ordinal + ":" + which);
    }

    /** An intercommunicator with its hidden local intracommunicator. */
    static Communicator inter(ProcessScope scope, ContextId contextId, Group local, Group remote, String name) {
        ContextId localId = contextId.derive(0, ContextId.Kind.LOCAL_GROUP, local.worldRank(0));
        Communicator hidden = new Communicator(scope, localId, local, null, null, null, name + ".local");
        return new Communicator(scope, contextId, local, remote, hidden, null, name);
    }

    static void requireIntra(Communicator communicator) {
        communicator.requireAlive();
        if (communicator.isInter()) {
            throw new MpiFailure(
                    ErrorClass.COMM, communicator.name() + " is an intercommunicator; this needs an intracommunicator");
        }
    }
}
