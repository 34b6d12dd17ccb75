package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;

/**
 * Allreduce by Rabenseifner's algorithm (2004): reduce-scatter by recursive halving of the vector, then allgather by
 * recursive doubling.
 *
 * <pre>
 *   p = 4    rank 0 combines with 1 the first half, then with 2 its first quarter; 1 ends with the third quarter, …
 *            then the quarters are gathered the same way back
 * </pre>
 *
 * Each item is combined at one process, so that all have the same bits. Partners are 1, 2, 4 … apart, so the blocks
 * combined are neighbouring ranks and operations need not be commutative.
 *
 * <p>When: long messages of at least as many items as processes. Cost: 2·lg p·α + 2·(p − 1)/p·n·β + (p − 1)/p·n·γ, plus
 * two α + n·β where folded.
 */
final class AllreduceRabenseifner {
    private AllreduceRabenseifner() {}

    static void append(ScheduleBuilder schedule, Team team, Region send, Region receive, Reducer op) {
        schedule.copy(send, receive);
        Folding folding = Folding.of(team);
        Region spare = receive.twin();
        folding.fold(schedule, receive, spare, op);
        if (!folding.isIdle()) {
            int power = folding.power();
            int low = 0;
            int high = power;
            for (int mask = 1; mask < power; mask *= 2) {
                int middle = (low + high) / 2;
                int partner = folding.rank() ^ mask;
                boolean keepsLower = folding.rank() < partner;
                Region kept = keepsLower ? receive.part(low, middle, power) : receive.part(middle, high, power);
                Region given = keepsLower ? receive.part(middle, high, power) : receive.part(low, middle, power);
                Region arrived = keepsLower ? spare.part(low, middle, power) : spare.part(middle, high, power);
                schedule.nextRound();
                schedule.receive(arrived, folding.worldRank(partner));
                schedule.send(given, folding.worldRank(partner));
                if (partner < folding.rank() || op.commutative()) {
                    schedule.combine(arrived, kept, op);
                } else {
                    schedule.combine(kept, arrived, op);
                    schedule.move(arrived, kept);
                }
                low = keepsLower ? low : middle;
                high = keepsLower ? middle : high;
            }
            gather(schedule, folding, receive, low);
        }
        folding.unfold(schedule, receive);
    }

    /** The way back: the partner of each round has the other half of the part that both halved. */
    private static void gather(ScheduleBuilder schedule, Folding folding, Region receive, int part) {
        int power = folding.power();
        int have = 1;
        for (int mask = power / 2; mask > 0; mask /= 2) {
            int own = part / have * have;
            int others = own ^ have;
            int partner = folding.rank() ^ mask;
            schedule.nextRound();
            schedule.receive(receive.part(others, others + have, power), folding.worldRank(partner));
            schedule.send(receive.part(own, own + have, power), folding.worldRank(partner));
            have *= 2;
        }
        schedule.nextRound();
    }
}
