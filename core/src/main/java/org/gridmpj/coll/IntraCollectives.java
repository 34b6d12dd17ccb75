package org.gridmpj.coll;

import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.Reducer;
import org.jspecify.annotations.Nullable;

/** The collectives of an intracommunicator, each by the algorithm that {@link CollectiveSelector} names. */
final class IntraCollectives implements CollectiveOperations {
    private final Team team;

    IntraCollectives(Communicator communicator) {
        this.team = new Team(communicator.group(), communicator.rank());
    }

    @Override
    public void barrier(ScheduleBuilder schedule) {
        BarrierDissemination.append(schedule, team);
    }

    @Override
    public void bcast(ScheduleBuilder schedule, Region buffer, int root) {
        switch (CollectiveSelector.bcast(team.size(), buffer)) {
            case BINOMIAL -> BcastBinomial.append(schedule, team, buffer, root);
            case SCATTER_ALLGATHER -> BcastScatterAllgather.append(schedule, team, buffer, root);
        }
    }

    @Override
    public void gather(ScheduleBuilder schedule, Region send, @Nullable Region receive, int root) {
        switch (CollectiveSelector.rooted(team.size(), send)) {
            case BINOMIAL -> GatherBinomial.append(schedule, team, send, receive, root);
            case LINEAR -> gatherv(schedule, send, receive == null ? null : Region.blocks(receive, team.size()), root);
        }
    }

    @Override
    public void gatherv(ScheduleBuilder schedule, Region send, Region @Nullable [] receive, int root) {
        if (receive == null) {
            GatherLinear.send(schedule, send, team.worldRank(root));
        } else {
            Region own = schedule.apart(new Region[] {send}, receive)[0];
            GatherLinear.receive(schedule, team, own, receive);
        }
    }

    @Override
    public void scatter(ScheduleBuilder schedule, @Nullable Region send, Region receive, int root) {
        switch (CollectiveSelector.rooted(team.size(), receive)) {
            case BINOMIAL -> ScatterBinomial.append(schedule, team, send, receive, root);
            case LINEAR -> scatterv(schedule, send == null ? null : Region.blocks(send, team.size()), receive, root);
        }
    }

    @Override
    public void scatterv(ScheduleBuilder schedule, Region @Nullable [] send, Region receive, int root) {
        if (send == null) {
            ScatterLinear.receive(schedule, receive, team.worldRank(root));
        } else {
            ScatterLinear.send(schedule, team, send, receive);
        }
    }

    @Override
    public void allgather(ScheduleBuilder schedule, Region send, Region receive) {
        switch (CollectiveSelector.allgather(send)) {
            case BRUCK -> AllgatherBruck.append(schedule, team, send, receive);
            case RING -> AllgatherRing.append(schedule, team, send, Region.blocks(receive, team.size()));
        }
    }

    @Override
    public void allgatherv(ScheduleBuilder schedule, Region send, Region[] receive) {
        AllgatherRing.append(schedule, team, send, receive);
    }

    @Override
    public void alltoall(ScheduleBuilder schedule, Region send, Region receive) {
        int size = team.size();
        switch (CollectiveSelector.alltoall(size, send)) {
            case BRUCK -> AlltoallBruck.append(schedule, team, send, receive);
            case LINEAR -> alltoallv(schedule, Region.blocks(send, size), Region.blocks(receive, size));
            case PAIRWISE -> {
                Region[] to = Region.blocks(receive, size);
                AlltoallPairwise.append(schedule, team, schedule.apart(Region.blocks(send, size), to), to);
            }
        }
    }

    @Override
    public void alltoallv(ScheduleBuilder schedule, Region[] send, Region[] receive) {
        AlltoallLinear.append(schedule, team, schedule.apart(send, receive), receive, team.rank());
    }

    @Override
    public void reduce(ScheduleBuilder schedule, Region send, @Nullable Region receive, Reducer op, int root) {
        ReduceBinomial.append(schedule, team, send, receive, op, root);
    }

    @Override
    public void allreduce(ScheduleBuilder schedule, Region send, Region receive, Reducer op) {
        switch (CollectiveSelector.allreduce(team.size(), send)) {
            case RECURSIVE_DOUBLING -> AllreduceRecursiveDoubling.append(schedule, team, send, receive, op);
            case RABENSEIFNER -> AllreduceRabenseifner.append(schedule, team, send, receive, op);
        }
    }

    @Override
    public void reduceScatter(ScheduleBuilder schedule, Region send, Region receive, int[] counts, Reducer op) {
        switch (CollectiveSelector.reduceScatter(send, op.commutative())) {
            case BY_REDUCE -> ReduceScatterByReduce.append(schedule, team, send, receive, counts, op);
            case PAIRWISE -> {
                Region[] blocks = ReduceScatterByReduce.blocks(send, counts);
                Region[] apart = schedule.apart(blocks, new Region[] {receive});
                ReduceScatterPairwise.append(schedule, team, apart, receive, op);
            }
        }
    }

    @Override
    public void scan(ScheduleBuilder schedule, Region send, Region receive, Reducer op, boolean inclusive) {
        ScanRecursiveDoubling.append(schedule, team, send, receive, op, inclusive);
    }
}
