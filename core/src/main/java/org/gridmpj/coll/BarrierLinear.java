package org.gridmpj.coll;

/**
 * Barrier through rank 0: it hears from all, then tells all.
 *
 * <p>When: very few processes, or few cores for many. Cost: 2·α on the longest way, 2·(p − 1) messages at rank 0.
 */
final class BarrierLinear {
    private BarrierLinear() {}

    static void append(ScheduleBuilder schedule, Team team) {
        if (team.rank() == 0) {
            for (int rank = 1; rank < team.size(); rank++) {
                schedule.receive(Region.NOTHING, team.worldRank(rank));
            }
            schedule.nextRound();
            for (int rank = 1; rank < team.size(); rank++) {
                schedule.send(Region.NOTHING, team.worldRank(rank));
            }
        } else {
            schedule.send(Region.NOTHING, team.worldRank(0));
            schedule.nextRound();
            schedule.receive(Region.NOTHING, team.worldRank(0));
        }
        schedule.nextRound();
    }
}
