package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;
import org.jspecify.annotations.Nullable;

/**
 * What the two kinds of communicators do differently: each method appends the rounds of one collective to a schedule.
 * Regions that are significant at the root only (MPI standard, chapter 6) are null elsewhere.
 */
sealed interface CollectiveOperations permits IntraCollectives, InterCollectives {
    void barrier(ScheduleBuilder schedule);

    void bcast(ScheduleBuilder schedule, Region buffer, int root);

    /** receive is the first block. */
    void gather(ScheduleBuilder schedule, Region send, @Nullable Region receive, int root);

    void gatherv(ScheduleBuilder schedule, Region send, Region @Nullable [] receive, int root);

    /** send is the first block. */
    void scatter(ScheduleBuilder schedule, @Nullable Region send, Region receive, int root);

    void scatterv(ScheduleBuilder schedule, Region @Nullable [] send, Region receive, int root);

    /** receive is the first block. */
    void allgather(ScheduleBuilder schedule, Region send, Region receive);

    void allgatherv(ScheduleBuilder schedule, Region send, Region[] receive);

    /** Both are the first blocks. */
    void alltoall(ScheduleBuilder schedule, Region send, Region receive);

    void alltoallv(ScheduleBuilder schedule, Region[] send, Region[] receive);

    void reduce(ScheduleBuilder schedule, Region send, @Nullable Region receive, Reducer op, int root);

    void allreduce(ScheduleBuilder schedule, Region send, Region receive, Reducer op);

    /** counts are the items of each process of the local group. */
    void reduceScatter(ScheduleBuilder schedule, Region send, Region receive, int[] counts, Reducer op);

    /** Scan if inclusive, else Exscan. */
    void scan(ScheduleBuilder schedule, Region send, Region receive, Reducer op, boolean inclusive);
}
