package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;

/**
 * Allreduce around a ring (Patarasuk and Yuan 2009): part r of the vector starts at rank r + 1, each process adds its own
 * and passes it on, so that it ends whole at rank r; then the parts are gathered around the same ring. Each item is
 * combined in one order at one process, so that all have the same bits.
 *
 * <p>When: very long messages, commutative operations, at least as many items as processes. Cost: 2·(p − 1)·α +
 * 2·(p − 1)/p·n·β + (p − 1)/p·n·γ.
 */
final class AllreduceRing {
    private AllreduceRing() {}

    static void append(ScheduleBuilder schedule, Team team, Region send, Region receive, Reducer op) {
        int size = team.size();
        schedule.copy(send, receive);
        schedule.nextRound();
        if (size == 1) {
            return;
        }
        Region[] parts = new Region[size];
        for (int part = 0; part < size; part++) {
            parts[part] = receive.part(part, part + 1, size);
        }
        int next = team.worldRank(team.around(1));
        int previous = team.worldRank(team.around(-1));
        Region spare = receive.slice(0, (receive.count() + size - 1) / size).twin();
        for (int step = 1; step < size; step++) {
            Region kept = parts[team.around(-step - 1)];
            Region arrived = spare.slice(0, kept.count());
            schedule.nextRound();
            schedule.receive(arrived, previous);
            schedule.send(parts[team.around(-step)], next);
            schedule.combine(arrived, kept, op);
        }
        AllgatherRing.circulate(schedule, team, parts);
    }
}
