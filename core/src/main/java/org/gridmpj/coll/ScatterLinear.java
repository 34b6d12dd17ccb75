package org.gridmpj.coll;

import org.jspecify.annotations.Nullable;

/**
 * Scatter straight from the root. Also of blocks of different lengths, and to the remote group of an intercommunicator.
 *
 * <p>When: long blocks, objects, few processes, v-variants. Cost: (p − 1)·α + (p − 1)·n·β at the root, α + n·β elsewhere.
 */
final class ScatterLinear {
    private ScatterLinear() {}

    /** At the root: blocks by rank; own is where the root's goes. */
    static void send(ScheduleBuilder schedule, Team team, Region[] blocks, @Nullable Region own) {
        for (int rank = 0; rank < team.size(); rank++) {
            if (own == null || rank != team.rank()) {
                schedule.send(blocks[rank], team.worldRank(rank));
            }
        }
        if (own != null) {
            schedule.copy(blocks[team.rank()], own);
        }
        schedule.nextRound();
    }

    /** Elsewhere. */
    static void receive(ScheduleBuilder schedule, Region own, int rootWorldRank) {
        schedule.receiveUpTo(own, rootWorldRank);
        schedule.nextRound();
    }
}
