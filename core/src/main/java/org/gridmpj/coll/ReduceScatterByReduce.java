package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;
import org.jspecify.annotations.Nullable;

/**
 * Reduce to rank 0 along the tree of {@link ReduceBinomial}, which keeps the order of the ranks, then scatter of the
 * blocks.
 *
 * <p>When: operations that are not commutative, short messages. Cost: (⌈lg p⌉ + p − 1)·α + ⌈lg p⌉·n·(β + γ) + n·β.
 */
final class ReduceScatterByReduce {
    private ReduceScatterByReduce() {}

    /** send is the whole vector; counts are the items of each process. */
    static void append(ScheduleBuilder schedule, Team team, Region send, Region receive, int[] counts, Reducer op) {
        Region whole = team.rank() == 0 ? send.twin() : null;
        ReduceBinomial.append(schedule, team, send, whole, op, 0);
        scatter(schedule, team, whole, receive, counts);
    }

    /** Blocks of rank 0's vector to all. */
    static void scatter(ScheduleBuilder schedule, Team team, @Nullable Region whole, Region receive, int[] counts) {
        if (whole != null) {
            ScatterLinear.send(schedule, team, blocks(whole, counts), receive);
        } else {
            ScatterLinear.receive(schedule, receive, team.worldRank(0));
        }
    }

    static Region[] blocks(Region whole, int[] counts) {
        Region[] blocks = new Region[counts.length];
        int first = 0;
        for (int rank = 0; rank < counts.length; rank++) {
            blocks[rank] = whole.slice(first, counts[rank]);
            first += counts[rank];
        }
        return blocks;
    }
}
