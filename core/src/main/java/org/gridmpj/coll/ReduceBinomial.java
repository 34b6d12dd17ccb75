package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;
import org.jspecify.annotations.Nullable;

/**
 * Reduce along a binomial tree of blocks of neighbouring ranks. Which blocks are combined, and in which order, depends on
 * p alone; the root only decides who does it:
 *
 * <pre>
 *   p = 6      ((0 1) (2 3)) (4 5)       the result of two blocks goes to the root if it is in one of them,
 *              root 3: 3 does ((0 1)(2 3)) and the last step, 0 and 4 do the others
 * </pre>
 *
 * So a sum has the same bits at each root, the lower ranks always stand on the left, and operations that are not
 * commutative need nothing else (associativity is used, MPI standard 6.9.1).
 *
 * <p>When: always. Cost: ⌈lg p⌉·(α + n·β + n·γ).
 */
final class ReduceBinomial {
    private ReduceBinomial() {}

    /** receive is where the result goes at the root, null elsewhere. */
    static void append(
            ScheduleBuilder schedule, Team team, Region send, @Nullable Region receive, Reducer op, int root) {
        int size = team.size();
        int rank = team.rank();
        // What was combined so far; null while that is the program's send buffer, which is not changed.
        Region result = null;
        Region spare = null;
        for (int half = 1; half < size; half *= 2) {
            int left = rank / (2 * half) * 2 * half;
            int middle = left + half;
            if (middle >= size) {
                continue;
            }
            int leftHolder = root >= left && root < middle ? root : left;
            int rightHolder = root >= middle && root < middle + half ? root : middle;
            int holder = rightHolder == root ? rightHolder : leftHolder;
            int giver = holder == leftHolder ? rightHolder : leftHolder;
            if (rank == giver) {
                schedule.nextRound();
                schedule.send(result == null ? send : result, team.worldRank(holder));
                schedule.nextRound();
                return;
            }
            if (result == null && (giver < rank || send.isObjects())) {
                // An operation may also keep references to objects on its left: not to the program's own.
                result = receive != null ? receive : send.twin();
                schedule.copy(send, result);
            }
            Region other = spare == null ? send.twin() : spare;
            schedule.nextRound();
            schedule.receive(other, team.worldRank(giver));
            if (giver < rank && result != null) {
                schedule.combine(other, result, op);
                spare = other;
            } else {
                // The combination lands in other; the buffer of result is free for the next message.
                schedule.combine(result == null ? send : result, other, op);
                spare = result;
                result = other;
            }
        }
        if (receive != null) {
            if (result == null) {
                schedule.copy(send, receive);
            } else {
                schedule.move(result, receive);
            }
        }
        schedule.nextRound();
    }
}
