package org.gridmpj.coll;

import java.util.Arrays;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.Placement;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/** The collectives of an intracommunicator, each by the algorithm that the {@link SelectionTable} names. */
final class IntraCollectives implements CollectiveOperations {
    private final Team team;
    private final Placement placement;
    private final SelectionTable table;

    IntraCollectives(Communicator communicator, SelectionTable table) {
        this.team = new Team(communicator.group(), communicator.rank());
        this.placement = communicator.placement();
        this.table = table;
    }

    private Algorithm choose(Choosable operation, Region data) {
        return choose(operation, data, SelectionTable.Order.ANY);
    }

    private Algorithm choose(Choosable operation, Region data, SelectionTable.Order order) {
        return table.choose(operation, SelectionTable.Call.of(team.size(), placement.isNested(), data, order));
    }

    private Levels levels() {
        return new Levels(team, placement);
    }

    /** The table takes no line with an algorithm that the operation does not have. */
    private static MpiFailure without(Choosable operation, Algorithm algorithm) {
        return new MpiFailure(ErrorClass.INTERN, operation.word() + " was to be done by " + algorithm.word());
    }

    @Override
    public void barrier(ScheduleBuilder schedule) {
        Algorithm chosen = choose(Choosable.BARRIER, Region.NOTHING);
        switch (chosen) {
            case DISSEMINATION -> BarrierDissemination.append(schedule, team);
            case LINEAR -> BarrierLinear.append(schedule, team);
            case DIRECT -> BarrierDirect.append(schedule, team);
            case HIERARCHICAL -> BarrierHierarchical.append(schedule, team, placement);
            default -> throw without(Choosable.BARRIER, chosen);
        }
    }

    @Override
    public void bcast(ScheduleBuilder schedule, Region buffer, int root) {
        Algorithm chosen = choose(Choosable.BCAST, buffer);
        switch (chosen) {
            case BINOMIAL -> BcastBinomial.append(schedule, team, buffer, root);
            case SCATTER_ALLGATHER -> BcastScatterAllgather.append(schedule, team, buffer, root);
            case HIERARCHICAL -> BcastHierarchical.append(schedule, team, placement, buffer, root);
            default -> throw without(Choosable.BCAST, chosen);
        }
    }

    @Override
    public void gather(ScheduleBuilder schedule, Region send, @Nullable Region receive, int root) {
        Algorithm chosen = choose(Choosable.GATHER, send);
        switch (chosen) {
            case BINOMIAL -> GatherBinomial.append(schedule, team, send, receive, root);
            case LINEAR -> gatherv(schedule, send, receive == null ? null : Region.blocks(receive, team.size()), root);
            default -> throw without(Choosable.GATHER, chosen);
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
        Algorithm chosen = choose(Choosable.SCATTER, receive);
        switch (chosen) {
            case BINOMIAL -> ScatterBinomial.append(schedule, team, send, receive, root);
            case LINEAR -> scatterv(schedule, send == null ? null : Region.blocks(send, team.size()), receive, root);
            default -> throw without(Choosable.SCATTER, chosen);
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
        Algorithm chosen = choose(Choosable.ALLGATHER, send);
        switch (chosen) {
            case BRUCK -> AllgatherBruck.append(schedule, team, send, receive);
            case RING -> allgatherv(schedule, send, Region.blocks(receive, team.size()));
            case LINEAR -> AllgatherLinear.append(schedule, team, send, Region.blocks(receive, team.size()));
            case HIERARCHICAL -> AllgatherHierarchical.append(schedule, levels(), send, receive);
            default -> throw without(Choosable.ALLGATHER, chosen);
        }
    }

    @Override
    public void allgatherv(ScheduleBuilder schedule, Region send, Region[] receive) {
        if (placement.isNested()) {
            Region[] byHost = Arrays.stream(placement.ranksByHost())
                    .mapToObj(rank -> receive[rank])
                    .toArray(Region[]::new);
            AllgatherRing.append(schedule, levels().inOrderOfHosts(), send, byHost);
        } else {
            AllgatherRing.append(schedule, team, send, receive);
        }
    }

    @Override
    public void alltoall(ScheduleBuilder schedule, Region send, Region receive) {
        int size = team.size();
        Algorithm chosen = choose(Choosable.ALLTOALL, send);
        switch (chosen) {
            case BRUCK -> AlltoallBruck.append(schedule, team, send, receive);
            case LINEAR -> alltoallv(schedule, Region.blocks(send, size), Region.blocks(receive, size));
            case PAIRWISE -> {
                Region[] to = Region.blocks(receive, size);
                AlltoallPairwise.append(schedule, team, schedule.apart(Region.blocks(send, size), to), to);
            }
            default -> throw without(Choosable.ALLTOALL, chosen);
        }
    }

    @Override
    public void alltoallv(ScheduleBuilder schedule, Region[] send, Region[] receive) {
        AlltoallLinear.append(schedule, team, schedule.apart(send, receive), receive, team.rank());
    }

    @Override
    public void reduce(ScheduleBuilder schedule, Region send, @Nullable Region receive, Reducer op, int root) {
        Algorithm chosen = choose(Choosable.REDUCE, send, SelectionTable.Order.of(op, send));
        switch (chosen) {
            case BINOMIAL -> ReduceBinomial.append(schedule, team, send, receive, op, root);
            case HIERARCHICAL -> ReduceHierarchical.append(schedule, levels(), send, receive, op, root);
            default -> throw without(Choosable.REDUCE, chosen);
        }
    }

    @Override
    public void allreduce(ScheduleBuilder schedule, Region send, Region receive, Reducer op) {
        SelectionTable.Order order = SelectionTable.Order.of(op, send);
        Algorithm chosen = choose(Choosable.ALLREDUCE, send, order);
        if (chosen == Algorithm.HIERARCHICAL) {
            AllreduceHierarchical.append(
                    schedule,
                    levels(),
                    send,
                    receive,
                    op,
                    (leaders, from) -> allreduce(
                            table.choose(
                                    Choosable.ALLREDUCE, SelectionTable.Call.of(leaders.size(), false, from, order)),
                            schedule,
                            leaders,
                            from,
                            receive,
                            op));
        } else {
            boolean byHost = placement.isNested() && order == SelectionTable.Order.ANY;
            allreduce(chosen, schedule, byHost ? levels().inOrderOfHosts() : team, send, receive, op);
        }
    }

    /** In one level. */
    private static void allreduce(
            Algorithm chosen, ScheduleBuilder schedule, Team among, Region send, Region receive, Reducer op) {
        switch (chosen) {
            case RECURSIVE_DOUBLING -> AllreduceRecursiveDoubling.append(schedule, among, send, receive, op);
            case RABENSEIFNER -> AllreduceRabenseifner.append(schedule, among, send, receive, op);
            case RING -> AllreduceRing.append(schedule, among, send, receive, op);
            case DIRECT -> AllreduceDirect.append(schedule, among, send, receive, op);
            default -> throw without(Choosable.ALLREDUCE, chosen);
        }
    }

    @Override
    public void reduceScatter(ScheduleBuilder schedule, Region send, Region receive, int[] counts, Reducer op) {
        Algorithm chosen = choose(Choosable.REDUCE_SCATTER, send, SelectionTable.Order.of(op, send));
        switch (chosen) {
            case BY_REDUCE -> ReduceScatterByReduce.append(schedule, team, send, receive, counts, op);
            case PAIRWISE -> {
                Region[] blocks = ReduceScatterByReduce.blocks(send, counts);
                Region[] apart = schedule.apart(blocks, new Region[] {receive});
                ReduceScatterPairwise.append(schedule, team, apart, receive, op);
            }
            default -> throw without(Choosable.REDUCE_SCATTER, chosen);
        }
    }

    @Override
    public void scan(ScheduleBuilder schedule, Region send, Region receive, Reducer op, boolean inclusive) {
        Algorithm chosen = choose(Choosable.SCAN, send, SelectionTable.Order.of(op, send));
        switch (chosen) {
            case RECURSIVE_DOUBLING -> ScanRecursiveDoubling.append(schedule, team, send, receive, op, inclusive);
            case LINEAR -> ScanLinear.append(schedule, team, send, receive, op, inclusive);
            default -> throw without(Choosable.SCAN, chosen);
        }
    }
}
