package org.gridmpj.coll;

import org.gridmpj.comm.Placement;

/**
 * Broadcast in two levels: from the root down a binomial tree of the other hosts' leaders, and in each host down a binomial
 * tree of its ranks. A host's leader is the root if that is one of its ranks, else its lowest rank. What goes to other hosts
 * goes first.
 *
 * <pre>
 *   host 0 (root)    0 ═══▶ 4 ═══▶ …      ═ between hosts: once for each but the root's, whatever the root and the placement
 *                    ├──▶ 2 ──▶ 3         ─ within one
 *                    └──▶ 1
 * </pre>
 *
 * When: several hosts, one of them with several ranks. Cost: ⌈lg h⌉·(α + n·β) between the h hosts, ⌈lg r⌉·(α + n·β) within
 * one of r ranks; h − 1 messages between hosts, where the binomial tree over all ranks may have p − 1.
 */
final class BcastHierarchical {
    private BcastHierarchical() {}

    static void append(ScheduleBuilder schedule, Team team, Placement placement, Region buffer, int root) {
        int hosts = placement.hosts();
        int host = placement.hostOf(team.rank());
        int rootHost = placement.hostOf(root);
        int relativeHost = Math.floorMod(host - rootHost, hosts);
        int ranks = placement.ranksOn(host);
        int leaderPlace = host == rootHost ? placement.placeOf(root) : 0;
        int relative = Math.floorMod(placement.placeOf(team.rank()) - leaderPlace, ranks);
        if (relative != 0) {
            int parent = placement.rankOn(host, (BinomialTree.parent(relative) + leaderPlace) % ranks);
            schedule.nextRound();
            schedule.receiveUpTo(buffer, team.worldRank(parent));
        } else if (relativeHost != 0) {
            int parent = leader(placement, (BinomialTree.parent(relativeHost) + rootHost) % hosts, root);
            schedule.nextRound();
            schedule.receiveUpTo(buffer, team.worldRank(parent));
        }
        schedule.nextRound();
        if (relative == 0) {
            for (int mask = BinomialTree.longestStep(relativeHost, hosts); mask > 0; mask /= 2) {
                if (relativeHost + mask < hosts) {
                    int child = leader(placement, (relativeHost + mask + rootHost) % hosts, root);
                    schedule.send(buffer, team.worldRank(child));
                }
            }
        }
        for (int mask = BinomialTree.longestStep(relative, ranks); mask > 0; mask /= 2) {
            if (relative + mask < ranks) {
                int child = placement.rankOn(host, (relative + mask + leaderPlace) % ranks);
                schedule.send(buffer, team.worldRank(child));
            }
        }
        schedule.nextRound();
    }

    private static int leader(Placement placement, int host, int root) {
        return host == placement.hostOf(root) ? root : placement.rankOn(host, 0);
    }
}
