package org.gridmpj.coll;

/**
 * Allgather around a ring: in each round every process passes on the block that it got in the round before. Also of
 * blocks of different lengths (Allgatherv).
 *
 * <p>When: long blocks, objects, v-variants. Cost: (p − 1)·α + (p − 1)·n·β.
 */
final class AllgatherRing {
    private AllgatherRing() {}

    static void append(ScheduleBuilder schedule, Team team, Region send, Region[] blocks) {
        schedule.copy(send, blocks[team.rank()]);
        schedule.nextRound();
        circulate(schedule, team, blocks);
    }

    /** The own block is in its place. */
    static void circulate(ScheduleBuilder schedule, Team team, Region[] blocks) {
        int next = team.worldRank(team.around(1));
        int previous = team.worldRank(team.around(-1));
        for (int step = 0; step < team.size() - 1; step++) {
            // each block has its place, which nobody else writes from the first step on
            schedule.nextRound(step);
            schedule.receive(blocks[team.around(-step - 1)], previous);
            schedule.send(blocks[team.around(-step)], next);
        }
        schedule.nextRound();
    }
}
