package org.gridmpj.coll;

/**
 * Allgather with everything started at once: each process gives its block to all others, beginning with its neighbour.
 *
 * <p>When: few processes whose links are not shared. Cost: (p − 1)·α + (p − 1)·n·β, without waiting between.
 */
final class AllgatherLinear {
    private AllgatherLinear() {}

    static void append(ScheduleBuilder schedule, Team team, Region send, Region[] receive) {
        Region own = receive[team.rank()];
        schedule.copy(send, own);
        schedule.nextRound();
        for (int step = 1; step < team.size(); step++) {
            int from = team.around(-step);
            schedule.receive(receive[from], team.worldRank(from));
        }
        for (int step = 1; step < team.size(); step++) {
            schedule.send(own, team.worldRank(team.around(step)));
        }
        schedule.nextRound();
    }
}
