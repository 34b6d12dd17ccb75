package org.gridmpj.coll;

import org.jspecify.annotations.Nullable;

/**
 * Gather up a binomial tree: each process collects the blocks of those below it, packed, in the order of the ranks
 * relative to the root, and passes them on.
 *
 * <p>When: short blocks and many processes. Cost: ⌈lg p⌉·α + (p − 1)·n·β at the root.
 */
final class GatherBinomial {
    private GatherBinomial() {}

    /** receive is the first block at the root, null elsewhere. */
    static void append(ScheduleBuilder schedule, Team team, Region send, @Nullable Region receive, int root) {
        int size = team.size();
        int relative = Math.floorMod(team.rank() - root, size);
        int block = send.elements();
        int below = BinomialTree.descendants(relative, size);
        Region collected = send.packed(Math.multiplyExact(block, below));
        schedule.copy(send, collected.slice(0, block));
        schedule.nextRound();
        for (int mask = 1; mask < size && (relative & mask) == 0; mask *= 2) {
            int child = relative + mask;
            if (child < size) {
                schedule.receive(
                        collected.slice(block * mask, block * BinomialTree.descendants(child, size)),
                        team.worldRank((child + root) % size));
            }
        }
        if (relative != 0) {
            schedule.nextRound();
            schedule.send(collected, team.worldRank((BinomialTree.parent(relative) + root) % size));
        } else if (receive != null) {
            // Relative ranks 0 … size−root−1 are the ranks from root on, the others those from 0.
            int upper = size - root;
            schedule.move(
                    collected.slice(0, block * upper), receive.slice(root * receive.count(), upper * receive.count()));
            schedule.move(collected.slice(block * upper, block * root), receive.slice(0, root * receive.count()));
        }
        schedule.nextRound();
    }
}
