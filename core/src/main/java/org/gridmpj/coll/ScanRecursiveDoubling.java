package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;

/**
 * Prefix reduction by recursive doubling, inclusive (Scan) or exclusive (Exscan): besides its result each process keeps
 * the combination of its block of 2ᵏ neighbouring ranks, which it swaps with the block beside. Lower ranks stand on the
 * left, so operations need not be commutative.
 *
 * <p>When: short vectors of many processes. Cost: ⌈lg p⌉·(α + n·β + 2·n·γ).
 */
final class ScanRecursiveDoubling {
    private ScanRecursiveDoubling() {}

    static void append(
            ScheduleBuilder schedule, Team team, Region send, Region receive, Reducer op, boolean inclusive) {
        if (team.size() == 1) {
            if (inclusive) {
                schedule.copy(send, receive);
            }
            schedule.nextRound();
            return;
        }
        Region block = send.twin();
        schedule.copy(send, block);
        boolean hasResult = inclusive;
        if (inclusive) {
            schedule.copy(send, receive);
        }
        Region other = send.twin();
        for (int mask = 1; mask < team.size(); mask *= 2) {
            int partner = team.rank() ^ mask;
            if (partner >= team.size()) {
                continue;
            }
            schedule.nextRound();
            schedule.receive(other, team.worldRank(partner));
            schedule.send(block, team.worldRank(partner));
            if (partner < team.rank()) {
                if (hasResult) {
                    schedule.combine(other, receive, op);
                } else {
                    schedule.copy(other, receive);
                    hasResult = true;
                }
                schedule.combine(other, block, op);
            } else {
                schedule.combine(block, other, op);
                Region combined = other;
                other = block;
                block = combined;
            }
        }
        schedule.nextRound();
    }
}
