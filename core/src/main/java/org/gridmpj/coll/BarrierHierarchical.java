package org.gridmpj.coll;

import org.gridmpj.comm.Placement;

/**
 * Barrier in three steps: each host's ranks tell its leader, the lowest of them, up a binomial tree; the leaders meet by
 * dissemination ({@link BarrierDissemination}); each leader lets its host's ranks go, down the tree.
 *
 * <p>When: several hosts, one of them with several ranks. Cost: ⌈lg h⌉·α between the h hosts, 2·⌈lg r⌉·α within one of r
 * ranks; h·⌈lg h⌉ messages between hosts, where dissemination among p ranks may have p·⌈lg p⌉.
 */
final class BarrierHierarchical {
    private BarrierHierarchical() {}

    static void append(ScheduleBuilder schedule, Team team, Placement placement) {
        int host = placement.hostOf(team.rank());
        int ranks = placement.ranksOn(host);
        int place = placement.placeOf(team.rank());
        int longest = BinomialTree.longestStep(place, ranks);
        schedule.nextRound();
        for (int mask = longest; mask > 0; mask /= 2) {
            if (place + mask < ranks) {
                schedule.receive(Region.NOTHING, team.worldRank(placement.rankOn(host, place + mask)));
            }
        }
        schedule.nextRound();
        if (place == 0) {
            BarrierDissemination.append(schedule, new Levels(team, placement).leaders());
        } else {
            int parent = team.worldRank(placement.rankOn(host, BinomialTree.parent(place)));
            schedule.send(Region.NOTHING, parent);
            schedule.receive(Region.NOTHING, parent);
            schedule.nextRound();
        }
        for (int mask = longest; mask > 0; mask /= 2) {
            if (place + mask < ranks) {
                schedule.send(Region.NOTHING, team.worldRank(placement.rankOn(host, place + mask)));
            }
        }
        schedule.nextRound();
    }
}
