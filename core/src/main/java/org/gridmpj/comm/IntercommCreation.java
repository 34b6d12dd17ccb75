package org.gridmpj.comm;

import java.util.Arrays;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.Request;
import org.gridmpj.pt2pt.SendMode;
import org.jspecify.annotations.Nullable;

/**
 * Intercommunicators: joining two groups, and merging them into one (MPI standard, 7.6.2).
 *
 * <pre>
 *   local group A                peer communicator               local group B
 *   0 1 2(leader) 3  ──  (context id, ordinal, world ranks)  ──  (leader)0 1
 *      └─ allgather: all of A learn B ─┘              └─ all of B learn A ─┘
 * </pre>
 *
 * The leaders' messages travel in a context of their own, so that no receive of the program can take them.
 */
public final class IntercommCreation {
    private static final SendMode MODE = SendMode.STANDARD;

    private IntercommCreation() {}

    /**
     * Joins the group of a local intracommunicator with another one (MPI_Intercomm_create); collective over both.
     *
     * @param localLeader rank in local
     * @param peer communicator that has both leaders; read at the local leader only
     * @param remoteLeader rank in peer; read at the local leader only
     * @param tag of the leaders' messages over peer, to tell apart joinings at the same time
     * @throws MpiFailure of class RANK for an unknown leader, of class COMM if the groups overlap
     */
    public static Communicator create(
            Communicator local, int localLeader, @Nullable Communicator peer, int remoteLeader, int tag) {
        CommunicatorCreation.requireIntra(local);
        local.group().worldRank(localLeader);
        long ordinal = local.nextCreation();
        long[] told = {};
        if (local.rank() == localLeader) {
            if (peer == null) {
                throw new MpiFailure(
                        ErrorClass.COMM, "the leader of " + local.name() + " gave no peer communicator to join groups");
            }
            peer.requireAlive();
            long[] own = new long[2 + local.size()];
            own[0] = local.contextId().value();
            own[1] = ordinal;
            for (int rank = 0; rank < local.size(); rank++) {
                own[2 + rank] = local.group().worldRank(rank);
            }
            told = exchange(
                    local.pointToPoint(),
                    peer.peerWorldRank(remoteLeader),
                    peer.contextId().leaders(),
                    tag,
                    own);
        }
        long[] remote = local.scope().exchange().allgather(local, told)[localLeader];
        Group remoteGroup = Group.of(Arrays.stream(remote, 2, remote.length)
                .mapToInt(Math::toIntExact)
                .toArray());
        if (remoteGroup.intersection(local.group()).size() > 0) {
            throw new MpiFailure(
                    ErrorClass.COMM,
                    "the groups of an intercommunicator must be disjoint; " + local.group() + " of " + local.name()
                            + " and the remote " + remoteGroup + " share processes");
        }
        ContextId contextId = joined(local.contextId(), ordinal, new ContextId(remote[0]), remote[1]);
        return CommunicatorCreation.inter(
                local.scope(), contextId, local.group(), remoteGroup, local.name() + ".inter" + ordinal);
    }

    /** The same number on both sides: the lower id comes first. */
    private static ContextId joined(ContextId a, long ordinalA, ContextId b, long ordinalB) {
        return a.value() <= b.value()
                ? a.derive(ordinalA, ContextId.Kind.INTERCOMM, ContextId.mix(b.value(), ordinalB))
                : b.derive(ordinalB, ContextId.Kind.INTERCOMM, ContextId.mix(a.value(), ordinalA));
    }

    /**
     * One intracommunicator of both groups (MPI_Intercomm_merge); collective over both.
     *
     * @param high whether the own group comes after the other one; where both groups say the same, the group comes first
     *     whose rank 0 has the lower world rank
     * @throws MpiFailure of class ARG if the members of a group differ in high
     */
    public static Communicator merge(Communicator inter, boolean high) {
        inter.requireAlive();
        Group remoteGroup = inter.remoteGroup();
        if (remoteGroup == null) {
            throw new MpiFailure(ErrorClass.COMM, inter.name() + " is no intercommunicator: there is nothing to merge");
        }
        long ordinal = inter.nextCreation();
        Communicator local = inter.localCommunicator();
        long[] own = {high ? 1 : 0};
        long[] told = {};
        if (inter.rank() == 0) {
            int tag = (int) (ordinal & Integer.MAX_VALUE);
            told = exchange(
                    inter.pointToPoint(),
                    remoteGroup.worldRank(0),
                    inter.contextId().leaders(),
                    tag,
                    own);
        }
        long[][] answers = local.scope().exchange().allgather(local, concat(own, told));
        for (long[] answer : answers) {
            if (answer[0] != own[0]) {
                throw new MpiFailure(
                        ErrorClass.ARG,
                        "the processes of one group of " + inter.name() + " gave different values of high to merge");
            }
        }
        boolean remoteHigh = answers[0][1] != 0;
        boolean localFirst = high == remoteHigh ? inter.group().worldRank(0) < remoteGroup.worldRank(0) : !high;
        Group group = localFirst ? inter.group().union(remoteGroup) : remoteGroup.union(inter.group());
        ContextId contextId = inter.contextId().derive(ordinal, ContextId.Kind.MERGE, 0);
        return new Communicator(inter.scope(), contextId, group, null, null, null, inter.name() + ".merge" + ordinal);
    }

    private static long[] concat(long[] first, long[] second) {
        long[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** Sends own to a leader and returns what that one sent: its length in a message before. */
    private static long[] exchange(PointToPoint pointToPoint, int worldRank, long contextId, int tag, long[] own) {
        TypeMap type = TypeMap.of(BaseType.LONG);
        long[] ownLength = {own.length};
        Request first = pointToPoint.isend(MODE, ownLength, 0, 1, type, worldRank, contextId, tag);
        Request second = pointToPoint.isend(MODE, own, 0, own.length, type, worldRank, contextId, tag);
        MessageStatus status = new MessageStatus();
        long[] length = pointToPoint.keep(() -> new long[1]);
        pointToPoint.receive(length, 0, 1, type, worldRank, contextId, tag, false, status);
        long[] told = pointToPoint.keep(() -> new long[Math.toIntExact(length[0])]);
        pointToPoint.receive(told, 0, told.length, type, worldRank, contextId, tag, false, status);
        pointToPoint.await(first);
        pointToPoint.await(second);
        return told;
    }
}
