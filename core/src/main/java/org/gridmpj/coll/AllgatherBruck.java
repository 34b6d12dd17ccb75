package org.gridmpj.coll;

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
        for (int have = 1; have < size; have *= 2) {
            int more = Math.min(have, size - have);
            schedule.nextRound();
            schedule.receive(collected.slice(have * block, more * block), team.worldRank(team.around(have)));
            schedule.send(collected.slice(0, more * block), team.worldRank(team.around(-have)));
        }
        schedule.nextRound();
        int rank = team.rank();
        int upper = size - rank;
        schedule.move(
                collected.slice(0, upper * block), receive.slice(rank * receive.count(), upper * receive.count()));
        schedule.move(collected.slice(upper * block, rank * block), receive.slice(0, rank * receive.count()));
        schedule.nextRound();
    }
}
