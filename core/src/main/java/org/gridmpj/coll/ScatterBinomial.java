package org.gridmpj.coll;

import org.jspecify.annotations.Nullable;

/**
 * Scatter down a binomial tree: each process gets the blocks of all below it, packed, in the order of the ranks relative
 * to the root, and passes them on.
 *
 * <p>When: short blocks and many processes. Cost: ⌈lg p⌉·α + (p − 1)·n·β at the root.
 */
final class ScatterBinomial {
    private ScatterBinomial() {}

    /** send is the first block at the root, null elsewhere. */
    static void append(ScheduleBuilder schedule, Team team, @Nullable Region send, Region receive, int root) {
        int size = team.size();
        int relative = Math.floorMod(team.rank() - root, size);
        int block = receive.elements();
        Region collected = receive.packed(Math.multiplyExact(block, BinomialTree.descendants(relative, size)));
        if (send != null) {
            int upper = size - root;
            schedule.move(send.slice(root * send.count(), upper * send.count()), collected.slice(0, block * upper));
            schedule.move(send.slice(0, root * send.count()), collected.slice(block * upper, block * root));
        } else {
            schedule.receive(collected, team.worldRank((BinomialTree.parent(relative) + root) % size));
        }
        schedule.nextRound();
        for (int mask = BinomialTree.longestStep(relative, size); mask > 0; mask /= 2) {
            int child = relative + mask;
            if (child < size) {
                schedule.send(
                        collected.slice(block * mask, block * BinomialTree.descendants(child, size)),
                        team.worldRank((child + root) % size));
            }
        }
        schedule.copy(collected.slice(0, block), receive);
        schedule.nextRound();
    }
}
