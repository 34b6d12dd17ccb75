package org.gridmpj.coll;

import org.jspecify.annotations.Nullable;

/**
 * Total exchange with everything started at once; each process begins with its neighbour, so that not all send to rank 0
 * first. Also of blocks of different lengths, and with the remote group of an intercommunicator (Allgather too: then
 * each block sent is the same).
 *
 * <p>When: blocks of middle length, objects, v-variants. Cost: (p − 1)·α + (p − 1)·n·β, without waiting between.
 */
final class AlltoallLinear {
    private AlltoallLinear() {}

    /** own is the own rank where the blocks of the same rank stay, null with a remote group. */
    static void append(ScheduleBuilder schedule, Team team, Region[] send, Region[] receive, @Nullable Integer own) {
        for (int step = 0; step < team.size(); step++) {
            int from = team.around(-step);
            if (own == null || from != own) {
                schedule.receiveUpTo(receive[from], team.worldRank(from));
            }
        }
        for (int step = 0; step < team.size(); step++) {
            int to = team.around(step);
            if (own == null || to != own) {
                schedule.send(send[to], team.worldRank(to));
            }
        }
        if (own != null) {
            schedule.copy(send[own], receive[own]);
        }
        schedule.nextRound();
    }
}
