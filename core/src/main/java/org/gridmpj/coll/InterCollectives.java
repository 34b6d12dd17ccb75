package org.gridmpj.coll;

import java.util.Arrays;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.Group;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * The collectives of an intercommunicator (MPI standard, 6.2.3): data go from one group to the other.
 *
 * <pre>
 *   rooted: the root says ROOT, the others of its group PROC_NULL, the processes of the other group its rank
 *   all-to-all: each group gets what the other one gives, both ways at the same time
 * </pre>
 *
 * Reductions go up a tree to rank 0 of the group, which passes the result over; blocks go straight to their receivers.
 * Phases within a group use the intercommunicator's context too: the groups are disjoint, so nothing can mix.
 */
final class InterCollectives implements CollectiveOperations {
    private final Communicator communicator;
    private final Team local;
    private final Team remote;

    InterCollectives(Communicator communicator) {
        this.communicator = communicator;
        this.local = new Team(communicator.group(), communicator.rank());
        Group other = communicator.peerGroup();
        this.remote = new Team(other, communicator.rank() % other.size());
    }

    /** Among all of both groups; the group whose rank 0 has the lower world rank comes first. */
    @Override
    public void barrier(ScheduleBuilder schedule) {
        boolean localFirst = local.worldRank(0) < remote.worldRank(0);
        Group all = localFirst
                ? local.group().union(remote.group())
                : remote.group().union(local.group());
        BarrierDissemination.append(schedule, new Team(all, all.rankOf(local.worldRank(local.rank()))));
    }

    @Override
    public void bcast(ScheduleBuilder schedule, Region buffer, int root) {
        if (root == Communicator.ROOT) {
            schedule.send(buffer, remote.worldRank(0));
        } else if (root != Communicator.PROC_NULL) {
            if (local.rank() == 0) {
                schedule.receiveUpTo(buffer, remote.worldRank(root));
            }
            BcastBinomial.append(schedule, local, buffer, 0);
        }
    }

    @Override
    public void gather(ScheduleBuilder schedule, Region send, @Nullable Region receive, int root) {
        gatherv(schedule, send, receive == null ? null : Region.blocks(receive, remote.size()), root);
    }

    @Override
    public void gatherv(ScheduleBuilder schedule, Region send, Region @Nullable [] receive, int root) {
        if (receive != null) {
            GatherLinear.receive(schedule, remote, null, receive);
        } else if (root != Communicator.PROC_NULL) {
            GatherLinear.send(schedule, send, remote.worldRank(root));
        }
    }

    @Override
    public void scatter(ScheduleBuilder schedule, @Nullable Region send, Region receive, int root) {
        scatterv(schedule, send == null ? null : Region.blocks(send, remote.size()), receive, root);
    }

    @Override
    public void scatterv(ScheduleBuilder schedule, Region @Nullable [] send, Region receive, int root) {
        if (send != null) {
            ScatterLinear.send(schedule, remote, send, null);
        } else if (root != Communicator.PROC_NULL) {
            ScatterLinear.receive(schedule, receive, remote.worldRank(root));
        }
    }

    @Override
    public void allgather(ScheduleBuilder schedule, Region send, Region receive) {
        allgatherv(schedule, send, Region.blocks(receive, remote.size()));
    }

    /** A total exchange in which each process has the same block for all. */
    @Override
    public void allgatherv(ScheduleBuilder schedule, Region send, Region[] receive) {
        Region[] same = new Region[remote.size()];
        Arrays.fill(same, send);
        alltoallv(schedule, same, receive);
    }

    @Override
    public void alltoall(ScheduleBuilder schedule, Region send, Region receive) {
        alltoallv(schedule, Region.blocks(send, remote.size()), Region.blocks(receive, remote.size()));
    }

    @Override
    public void alltoallv(ScheduleBuilder schedule, Region[] send, Region[] receive) {
        AlltoallLinear.append(schedule, remote, schedule.apart(send, receive), receive, null);
    }

    @Override
    public void reduce(ScheduleBuilder schedule, Region send, @Nullable Region receive, Reducer op, int root) {
        if (receive != null) {
            schedule.receive(receive, remote.worldRank(0));
        } else if (root != Communicator.PROC_NULL) {
            Region whole = reduceToLeader(schedule, send, op);
            if (whole != null) {
                schedule.send(whole, remote.worldRank(root));
            }
        }
    }

    @Override
    public void allreduce(ScheduleBuilder schedule, Region send, Region receive, Reducer op) {
        Region whole = reduceToLeader(schedule, send, op);
        if (whole != null) {
            schedule.receive(receive, remote.worldRank(0));
            schedule.send(whole, remote.worldRank(0));
        }
        BcastBinomial.append(schedule, local, receive, 0);
    }

    /** The vector of the other group, scattered among this one. */
    @Override
    public void reduceScatter(ScheduleBuilder schedule, Region send, Region receive, int[] counts, Reducer op) {
        Region whole = reduceToLeader(schedule, send, op);
        Region remoteWhole = null;
        if (whole != null) {
            remoteWhole = send.twin();
            schedule.receive(remoteWhole, remote.worldRank(0));
            schedule.send(whole, remote.worldRank(0));
            schedule.nextRound();
        }
        ReduceScatterByReduce.scatter(schedule, local, remoteWhole, receive, counts);
    }

    /** The reduction of the local group at its rank 0, null elsewhere. */
    private @Nullable Region reduceToLeader(ScheduleBuilder schedule, Region send, Reducer op) {
        Region whole = local.rank() == 0 ? send.twin() : null;
        ReduceBinomial.append(schedule, local, send, whole, op, 0);
        return whole;
    }

    @Override
    public void scan(ScheduleBuilder schedule, Region send, Region receive, Reducer op, boolean inclusive) {
        throw new MpiFailure(
                ErrorClass.COMM,
                communicator.name()
                        + " is an intercommunicator: Scan and Exscan are defined for intracommunicators only");
    }
}
