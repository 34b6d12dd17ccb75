package org.gridmpj.coll;

/**
 * Barrier by dissemination (Hensgen, Finkel and Manber 1988): in round k each process tells the one 2ᵏ further on and
 * hears from the one 2ᵏ before; after ⌈lg p⌉ rounds each has heard from all, directly or not.
 *
 * <p>When: always. Cost: ⌈lg p⌉·α.
 */
final class BarrierDissemination {
    private BarrierDissemination() {}

    static void append(ScheduleBuilder schedule, Team team) {
        for (int distance = 1; distance < team.size(); distance *= 2) {
            schedule.nextRound();
            schedule.receive(Region.NOTHING, team.worldRank(team.around(-distance)));
            schedule.send(Region.NOTHING, team.worldRank(team.around(distance)));
        }
        schedule.nextRound();
    }
}
