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
 * <p>What is to be combined is swapped in segments, so that a segment is combined while the cache still has it, and the
 * room for what arrives is one segment. Where the operation is commutative and nothing was folded, the first halving
 * takes its operands from the program's buffer and the partner's message: the vector is not copied before.
 *
 * <p>When: long messages of at least as many items as processes. Cost: 2·lg p·α + 2·(p − 1)/p·n·β + (p − 1)/p·n·γ, plus
 * two α + n·β where folded.
 */
final class AllreduceRabenseifner {
    /** Bytes of a segment: short enough to go eagerly and to stay in the second-level cache. */
    private static final long SEGMENT_BYTES = 64 << 10;

    private final ScheduleBuilder schedule;
    private final Folding folding;
    private final Region receive;
    private final Reducer op;

    private AllreduceRabenseifner(ScheduleBuilder schedule, Folding folding, Region receive, Reducer op) {
        this.schedule = schedule;
        this.folding = folding;
        this.receive = receive;
        this.op = op;
    }

    static void append(ScheduleBuilder schedule, Team team, Region send, Region receive, Reducer op) {
        Folding folding = Folding.of(team);
        boolean inPlace = folding.power() < team.size() || !op.commutative() || send.overlaps(receive);
        if (team.size() == 1 || inPlace) {
            schedule.copy(send, receive);
        }
        if (folding.power() < team.size()) {
            folding.fold(schedule, receive, receive.twin(), op);
        }
        if (!folding.isIdle()) {
            new AllreduceRabenseifner(schedule, folding, receive, op).exchange(send, inPlace);
        }
        folding.unfold(schedule, receive);
    }

    /** Halving and the way back; source has the operands of the first halving. */
    private void exchange(Region source, boolean inPlace) {
        int power = folding.power();
        Region room =
                receive.slice(0, Math.min(receive.count(), segmentItems() + 2)).twin();
        int low = 0;
        int high = power;
        for (int mask = 1; mask < power; mask *= 2) {
            int middle = (low + high) / 2;
            int partner = folding.rank() ^ mask;
            boolean keepsLower = folding.rank() < partner;
            boolean apart = mask == 1 && !inPlace;
            Region from = apart ? source : receive;
            Region lower = from.part(low, middle, power);
            Region upper = from.part(middle, high, power);
            Region own = keepsLower ? lower : upper;
            Region given = keepsLower ? upper : lower;
            Region kept = keepsLower ? receive.part(low, middle, power) : receive.part(middle, high, power);
            int segments = segments(middle - low);
            for (int segment = 0; segment < segments; segment++) {
                Region result = kept.part(segment, segment + 1, segments);
                Region arrived = apart ? result : room.slice(0, result.count());
                schedule.nextRound();
                schedule.receive(arrived, folding.worldRank(partner));
                schedule.send(given.part(segment, segment + 1, segments), folding.worldRank(partner));
                if (apart) {
                    schedule.combine(own.part(segment, segment + 1, segments), result, op);
                } else if (partner < folding.rank() || op.commutative()) {
                    schedule.combine(arrived, result, op);
                } else {
                    schedule.combine(result, arrived, op);
                    schedule.move(arrived, result);
                }
            }
            low = keepsLower ? low : middle;
            high = keepsLower ? middle : high;
        }
        gather(low);
    }

    private int segmentItems() {
        long itemBytes = (long) receive.type().size() * receive.type().base().sizeBytes();
        return (int) Math.max(1, SEGMENT_BYTES / Math.max(1, itemBytes));
    }

    /** Of a block of so many parts; both partners compute the same, whose block may be an item longer. */
    private int segments(int parts) {
        long items = (long) receive.count() * parts / folding.power();
        return (int) (items / segmentItems()) + 1;
    }

    /** The way back: the partner of each round has the other half of the part that both halved. */
    private void gather(int part) {
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
