package org.gridmpj.coll;

import org.gridmpj.comm.Placement;

/**
 * Allgather in two levels (Karonis et al. 2000): each host's ranks gather up a binomial tree to their leader, the lowest of
 * them; the leaders exchange their hosts' blocks by Bruck's algorithm; each leader gives all blocks down its host's tree. The
 * blocks are packed, the own host's first, and put into their places at the end.
 *
 * <pre>
 *   ranks 0 2 4 on host 0, 1 3 on host 1:    packed at host 1   1 3 | 0 2 4
 * </pre>
 *
 * When: short blocks, several hosts, one of them with several ranks. Cost: ⌈lg h⌉·α + (p − r)·n·β between the h hosts, and
 * 2·⌈lg r⌉·α + (r + ⌈lg r⌉·p)·n·β within one of r ranks; h·⌈lg h⌉ messages between hosts, and each block comes to each other
 * host once: p·(h − 1)·n bytes, the fewest that there can be, whatever the placement.
 */
final class AllgatherHierarchical {
    private AllgatherHierarchical() {}

    /** receive is the first block. */
    static void append(ScheduleBuilder schedule, Levels levels, Region send, Region receive) {
        Placement placement = levels.placement();
        Team host = levels.onHost();
        Team leaders = levels.leaders();
        int hosts = leaders.size();
        int block = send.elements();
        int[] ends = new int[hosts + 1];
        for (int step = 0; step < hosts; step++) {
            ends[step + 1] =
                    Math.addExact(ends[step], Math.multiplyExact(block, placement.ranksOn(leaders.around(step))));
        }
        Region collected = send.packed(ends[hosts]);
        boolean leads = host.rank() == 0;
        GatherBinomial.append(schedule, host, send, leads ? collected.slice(0, block) : null, 0);
        if (leads) {
            AllgatherBruck.exchange(schedule, leaders, collected, ends);
        }
        BcastBinomial.append(schedule, host, collected, 0);
        for (int step = 0; step < hosts; step++) {
            Region ofHost = collected.slice(ends[step], ends[step + 1] - ends[step]);
            spread(schedule, placement, leaders.around(step), ofHost, block, receive);
        }
        schedule.nextRound();
    }

    /** Puts a host's blocks into their places, those of consecutive ranks at once. */
    private static void spread(
            ScheduleBuilder schedule, Placement placement, int host, Region packed, int block, Region receive) {
        int ranks = placement.ranksOn(host);
        int first = 0;
        for (int end = 1; end <= ranks; end++) {
            int rank = placement.rankOn(host, first);
            if (end == ranks || placement.rankOn(host, end) != rank + end - first) {
                int blocks = end - first;
                schedule.move(
                        packed.slice(first * block, blocks * block),
                        receive.slice(rank * receive.count(), blocks * receive.count()));
                first = end;
            }
        }
    }
}
