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
 * <p>A long vector goes block by block, a new one in each round, so that what a stage works on is still in the cache, and a
 * process waits once for the messages of all stages:
 *
 * <pre>
 *   round        0          1          2          3          4
 *   block 0      halve 1    halve 2    gather 2   gather 1
 *   block 1                 halve 1    halve 2    gather 2   gather 1
 *   block 2                            halve 1    halve 2    gather 2   …
 * </pre>
 *
 * Neither blocks nor their length change the order in which an item's terms are combined. Where the operation is
 * commutative and nothing was folded, the first halving takes its operands from the program's buffer and the partner's
 * message: the vector is not copied before. Receives are posted a round early: each has room of its own, but for a gather's
 * whose part was sent from where its result goes, and may still be on its way to the partner; the partner sends the result only
 * when it has the part.
 *
 * <p>When: long messages of at least as many items as processes. Cost for b blocks: (b + 2·lg p)·α + 2·(p − 1)/p·n·β +
 * (p − 1)/p·n·γ, plus two α + n·β where folded.
 */
final class AllreduceRabenseifner {
    /** Bytes of a block: its stages stay in the second-level cache. */
    private static final long BLOCK_BYTES = 256 << 10;

    private final ScheduleBuilder schedule;
    private final Folding folding;
    private final Region receive;
    private final Reducer op;
    /** What the first halving sends and combines: the program's send buffer, or the receive buffer with a copy of it. */
    private final Region source;

    private final boolean inPlace;
    private final int halvings;
    private final int blocks;
    /** Where a halving's message arrives: by stage, two in turn. */
    private final Region[][] rooms;

    private AllreduceRabenseifner(
            ScheduleBuilder schedule, Folding folding, Region source, Region receive, boolean inPlace, Reducer op) {
        this.schedule = schedule;
        this.folding = folding;
        this.source = source;
        this.receive = receive;
        this.inPlace = inPlace;
        this.op = op;
        int power = folding.power();
        halvings = Integer.numberOfTrailingZeros(power);
        blocks = Math.clamp((receive.bytes() + BLOCK_BYTES - 1) / BLOCK_BYTES, 1, Math.max(1, receive.count() / power));
        rooms = new Region[halvings][2];
        int longest = receive.count() / blocks + 1;
        for (int stage = inPlace ? 0 : 1; stage < halvings; stage++) {
            for (int turn = 0; turn < 2 && turn < blocks; turn++) {
                rooms[stage][turn] = receive.slice(0, Math.min(receive.count(), (longest >> (stage + 1)) + 2))
                        .twin();
            }
        }
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
        if (!folding.isIdle() && folding.power() > 1) {
            schedule.nextRound();
            new AllreduceRabenseifner(schedule, folding, inPlace ? receive : send, receive, inPlace, op).exchange();
        }
        folding.unfold(schedule, receive);
    }

    private void exchange() {
        for (int round = 0; round < blocks + 2 * halvings - 1; round++) {
            schedule.nextRound(round == 0 ? 0 : 1);
            for (int stage = 0; stage < 2 * halvings; stage++) {
                int block = round - stage;
                if (block >= 0 && block < blocks) {
                    communicate(block, stage);
                }
            }
            for (int stage = 0; stage < halvings; stage++) {
                int block = round - stage;
                if (block >= 0 && block < blocks) {
                    combine(block, stage);
                }
            }
        }
        schedule.nextRound();
    }

    private void communicate(int block, int stage) {
        int partner = folding.worldRank(partner(stage));
        if (stage < halvings) {
            Part part = part(stage);
            schedule.receive(arrival(block, stage), partner);
            schedule.send(
                    of(stage == 0 ? source : receive, block, part.given(), part.given() + part.length()), partner);
        } else {
            // the way back: the partner of each round has the other half of the part that both halved
            int have = 1 << (stage - halvings);
            int own = part(halvings - 1).kept() / have * have;
            int others = own ^ have;
            Region result = of(receive, block, others, others + have);
            if (isApart(2 * halvings - 1 - stage)) {
                schedule.receive(result, partner);
            } else {
                schedule.receiveInOrder(result, partner);
            }
            schedule.send(of(receive, block, own, own + have), partner);
        }
    }

    private void combine(int block, int stage) {
        Part part = part(stage);
        Region result = of(receive, block, part.kept(), part.kept() + part.length());
        Region arrived = arrival(block, stage);
        if (isApart(stage)) {
            schedule.combine(of(source, block, part.kept(), part.kept() + part.length()), result, op);
        } else if (partner(stage) < folding.rank() || op.commutative()) {
            schedule.combine(arrived, result, op);
        } else {
            schedule.combine(result, arrived, op);
            schedule.move(arrived, result);
        }
    }

    /** Where what a halving receives goes. */
    private Region arrival(int block, int stage) {
        Part part = part(stage);
        Region kept = of(receive, block, part.kept(), part.kept() + part.length());
        return isApart(stage) ? kept : rooms[stage][block % 2].slice(0, kept.count());
    }

    /** Whether a stage's operands are in the send buffer and its result in the receive buffer. */
    private boolean isApart(int stage) {
        return stage == 0 && !inPlace;
    }

    private int partner(int stage) {
        return folding.rank() ^ (stage < halvings ? 1 << stage : 1 << (2 * halvings - 1 - stage));
    }

    /** Of power parts of a block, length ones from kept on stay here in a halving, as many from given on go. */
    private record Part(int kept, int given, int length) {}

    private Part part(int stage) {
        int low = 0;
        int length = folding.power();
        for (int halving = 0; ; halving++) {
            length /= 2;
            boolean keepsLower = (folding.rank() & (1 << halving)) == 0;
            int kept = keepsLower ? low : low + length;
            if (halving == stage) {
                return new Part(kept, keepsLower ? low + length : low, length);
            }
            low = kept;
        }
    }

    private Region of(Region whole, int block, int from, int to) {
        return whole.part(block, block + 1, blocks).part(from, to, folding.power());
    }
}
