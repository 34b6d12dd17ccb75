package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;

/**
 * Reduce-scatter in p − 1 rounds: in round i each process sends the block of the one i further on, and combines what the
 * one i before sends with its own.
 *
 * <p>When: commutative operations, long messages. Cost: (p − 1)·α + (p − 1)/p·n·(β + γ).
 */
final class ReduceScatterPairwise {
    private ReduceScatterPairwise() {}

    static void append(ScheduleBuilder schedule, Team team, Region[] send, Region receive, Reducer op) {
        schedule.copy(send[team.rank()], receive);
        Region arrived = receive.twin();
        for (int step = 1; step < team.size(); step++) {
            int to = team.around(step);
            schedule.nextRound();
            schedule.receive(arrived, team.worldRank(team.around(-step)));
            schedule.send(send[to], team.worldRank(to));
            schedule.combine(arrived, receive, op);
        }
        schedule.nextRound();
    }
}
