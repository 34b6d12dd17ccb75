package org.gridmpj.coll;

import java.util.Arrays;

/**
 * Allgather by Bruck's algorithm (Bruck et al. 1997): the number of blocks that each process has doubles in each round,
 * for any p; they are collected packed, the own one first, and turned into their places at the end.
 *
 * <pre>
 *   p = 5, rank 2:   2 | 3 | 4 0 | 1   after rounds 0, 1, 2, 3; then turned by 2 to 0 1 2 3 4
 * </pre>
 *
 * When: short blocks. Cost: ⌈lg p⌉·α + (p − 1)·n·β, and one more copy.
 */
final class AllgatherBruck {
    private AllgatherBruck() {}

    static void append(ScheduleBuilder schedule, Team team, Region send, Region receive) {
        int size = team.size();
        int block = send.elements();
        Region collected = send.packed(Math.multiplyExact(block, size));
        schedule.copy(send, collected.slice(0, block));
        int[] ends = new int[size + 1];
        Arrays.setAll(ends, blocks -> blocks * block);
        exchange(schedule, team, collected, ends);
        int rank = team.rank();
        int upper = size - rank;
        schedule.move(
                collected.slice(0, upper * block), receive.slice(rank * receive.count(), upper * receive.count()));
        schedule.move(collected.slice(upper * block, rank * block), receive.slice(0, rank * receive.count()));
        schedule.nextRound();
    }

    /**
     * Collects the blocks of all, the own one and then those of the members after this one, around the ring.
     *
     * @param collected has the own block
     * @param ends element of collected at which so many blocks end
     */
    static void exchange(ScheduleBuilder schedule, Team team, Region collected, int[] ends) {
        int size = team.size();
        for (int have = 1; have < size; have *= 2) {
            int more = Math.min(have, size - have);
            schedule.nextRound();
            schedule.receive(
                    collected.slice(ends[have], ends[have + more] - ends[have]), team.worldRank(team.around(have)));
            schedule.send(collected.slice(0, ends[more]), team.worldRank(team.around(-have)));
        }
        schedule.nextRound();
    }
}
