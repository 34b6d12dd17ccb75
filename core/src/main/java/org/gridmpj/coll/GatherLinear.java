package org.gridmpj.coll;

import org.jspecify.annotations.Nullable;

/**
 * Gather straight to the root, each block to its place. Also of blocks of different lengths, and from the remote group
 * of an intercommunicator.
 *
 * <p>When: long blocks, objects, few processes, v-variants. Cost: (p − 1)·α + (p − 1)·n·β at the root, α + n·β elsewhere.
 */
final class GatherLinear {
    private GatherLinear() {}

    /** At the root: blocks by rank; own is the root's contribution. */
    static void receive(ScheduleBuilder schedule, Team team, @Nullable Region own, Region[] blocks) {
        for (int rank = 0; rank < team.size(); rank++) {
            if (own == null || rank != team.rank()) {
                schedule.receiveUpTo(blocks[rank], team.worldRank(rank));
            }
        }
        if (own != null) {
            schedule.copy(own, blocks[team.rank()]);
        }
        schedule.nextRound();
    }

    /** Elsewhere. */
    static void send(ScheduleBuilder schedule, Region own, int rootWorldRank) {
        schedule.send(own, rootWorldRank);
        schedule.nextRound();
    }
}
