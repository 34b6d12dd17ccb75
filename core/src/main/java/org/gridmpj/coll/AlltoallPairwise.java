package org.gridmpj.coll;

/**
 * Total exchange in p − 1 rounds: in round i each process sends to the one i further on and receives from the one i
 * before, so that every link carries one block at a time.
 *
 * <p>When: long blocks. Cost: (p − 1)·(α + n·β).
 */
final class AlltoallPairwise {
    private AlltoallPairwise() {}

    static void append(ScheduleBuilder schedule, Team team, Region[] send, Region[] receive) {
        schedule.copy(send[team.rank()], receive[team.rank()]);
        for (int step = 1; step < team.size(); step++) {
            int from = team.around(-step);
            int to = team.around(step);
            schedule.nextRound(step - 1);
            schedule.receiveUpTo(receive[from], team.worldRank(from));
            schedule.send(send[to], team.worldRank(to));
        }
        schedule.nextRound();
    }
}
