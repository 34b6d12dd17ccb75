package org.gridmpj.coll;

import java.util.ArrayList;
import java.util.List;
import org.gridmpj.datatype.Reducer;

/**
 * Allreduce by direct exchange: each process gives its vector to all others at once and combines all p by itself, in the
 * order of {@link AllreduceRecursiveDoubling}: neighbours of the {@link Folding} first, then pairs, pairs of pairs and so on,
 * the lower ranks on the left. So the bits are the same.
 *
 * <pre>
 *   p = 6     0∘1   2∘3    4     5
 *               ╰────╯     ╰─────╯
 *                  ╰──────────╯
 * </pre>
 *
 * <p>When: very short vectors, few processes that share cores, where one more round is one more change of the core's owner.
 * Cost: α + (p − 1)·n·(β + γ).
 */
final class AllreduceDirect {
    private AllreduceDirect() {}

    static void append(ScheduleBuilder schedule, Team team, Region send, Region receive, Reducer op) {
        int size = team.size();
        Region own = schedule.apart(new Region[] {send}, new Region[] {receive})[0];
        List<Region> vectors = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            vectors.add(rank == size - 1 ? receive : receive.twin());
        }
        for (int step = 1; step < size; step++) {
            int from = team.around(-step);
            schedule.receive(vectors.get(from), team.worldRank(from));
        }
        for (int step = 1; step < size; step++) {
            schedule.send(own, team.worldRank(team.around(step)));
        }
        schedule.copy(own, vectors.get(team.rank()));
        int power = Integer.highestOneBit(size);
        List<Region> folded = combinePairs(schedule, vectors.subList(0, 2 * (size - power)), op);
        folded.addAll(vectors.subList(2 * (size - power), size));
        while (folded.size() > 1) {
            folded = combinePairs(schedule, folded, op);
        }
        schedule.nextRound();
    }

    /** Each pair's result is in the place of its right one. */
    private static List<Region> combinePairs(ScheduleBuilder schedule, List<Region> vectors, Reducer op) {
        List<Region> results = new ArrayList<>();
        for (int i = 0; i < vectors.size(); i += 2) {
            schedule.combine(vectors.get(i), vectors.get(i + 1), op);
            results.add(vectors.get(i + 1));
        }
        return results;
    }
}
