package org.gridmpj.coll;

/**
 * Barrier by direct exchange: each process tells all others and hears from all, at once.
 *
 * <p>When: few processes that share cores, where one more round is one more change of the core's owner. Cost: α and
 * p − 1 messages out and in at each process.
 */
final class BarrierDirect {
    private BarrierDirect() {}

    static void append(ScheduleBuilder schedule, Team team) {
        for (int step = 1; step < team.size(); step++) {
            schedule.receive(Region.NOTHING, team.worldRank(team.around(-step)));
        }
        for (int step = 1; step < team.size(); step++) {
            schedule.send(Region.NOTHING, team.worldRank(team.around(step)));
        }
        schedule.nextRound();
    }
}
