package org.gridmpj.coll;

/**
 * Broadcast down a binomial tree: a process that has the data passes it to the one half the remaining distance away.
 *
 * <pre>
 *   0 ──▶ 4 ──▶ 6 ──▶ 7        ranks relative to the root, p = 8
 *   ├───▶ 2 ──▶ 3  └▶ …
 *   └───▶ 1
 * </pre>
 *
 * When: short messages, objects, few processes. Cost: ⌈lg p⌉·(α + n·β).
 */
final class BcastBinomial {
    private BcastBinomial() {}

    static void append(ScheduleBuilder schedule, Team team, Region buffer, int root) {
        int size = team.size();
        int relative = Math.floorMod(team.rank() - root, size);
        if (relative != 0) {
            schedule.nextRound();
            schedule.receiveUpTo(buffer, team.worldRank((BinomialTree.parent(relative) + root) % size));
        }
        schedule.nextRound();
        for (int mask = BinomialTree.longestStep(relative, size); mask > 0; mask /= 2) {
            if (relative + mask < size) {
                schedule.send(buffer, team.worldRank((relative + mask + root) % size));
            }
        }
        schedule.nextRound();
    }
}
