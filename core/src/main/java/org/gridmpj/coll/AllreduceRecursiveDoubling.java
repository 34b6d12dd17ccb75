package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;

/**
 * Allreduce by recursive doubling (Thakur, Rabenseifner and Gropp 2005): in round k a process swaps what it has with the
 * one whose rank differs in bit k, and both combine, the lower ranks on the left. So all end with the same bits, and
 * operations need not be commutative. Other p than powers of two are folded first.
 *
 * <p>When: short messages, objects, fewer items than processes. Cost: ⌈lg p⌉·(α + n·β + n·γ), plus two α + n·β where
 * folded.
 */
final class AllreduceRecursiveDoubling {
    private AllreduceRecursiveDoubling() {}

    static void append(ScheduleBuilder schedule, Team team, Region send, Region receive, Reducer op) {
        schedule.copy(send, receive);
        if (team.size() == 1) {
            schedule.nextRound();
            return;
        }
        Folding folding = Folding.of(team);
        Region work = receive;
        Region other = receive.twin();
        folding.fold(schedule, work, other, op);
        if (!folding.isIdle()) {
            for (int mask = 1; mask < folding.power(); mask *= 2) {
                int partner = folding.rank() ^ mask;
                schedule.nextRound();
                schedule.receive(other, folding.worldRank(partner));
                schedule.send(work, folding.worldRank(partner));
                if (partner < folding.rank()) {
                    schedule.combine(other, work, op);
                } else {
                    schedule.combine(work, other, op);
                    Region combined = other;
                    other = work;
                    work = combined;
                }
            }
            schedule.move(work, receive);
        }
        folding.unfold(schedule, receive);
    }
}
