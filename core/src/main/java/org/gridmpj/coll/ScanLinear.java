package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;

/**
 * Prefix reduction along the ranks, inclusive (Scan) or exclusive (Exscan): each process combines what all before it have given with
 * its own, and passes that on, piece by piece so that many work at a time. Operations need not be commutative.
 *
 * <pre>
 *   0 ── v0 ──▶ 1 ── v0∘v1 ──▶ 2 ── (v0∘v1)∘v2 ──▶ …
 * </pre>
 *
 * <p>When: few processes, as each vector is sent once instead of ⌈lg p⌉ times, and the first ones need not wait for the last; long
 * vectors. Cost: (p − 1)·α + (n + (p − 2)·piece)·(β + γ).
 */
final class ScanLinear {
    private static final int PIECE_BYTES = 32 << 10;

    private ScanLinear() {}

    static void append(
            ScheduleBuilder schedule, Team team, Region send, Region receive, Reducer op, boolean inclusive) {
        int rank = team.rank();
        boolean isFirst = rank == 0;
        boolean passesOn = rank < team.size() - 1;
        if (inclusive) {
            schedule.copy(send, receive);
        }
        Region before = inclusive && !isFirst ? send.twin() : receive;
        Region through = inclusive ? receive : send;
        if (!inclusive && !isFirst && passesOn) {
            through = send.twin();
            schedule.copy(send, through);
        }
        int most = itemsInAPiece(send);
        // one piece also of no items, so that all know of each other
        for (int first = 0; first == 0 || first < send.count(); first += most) {
            int items = Math.min(most, send.count() - first);
            // the receive buffer may be the send buffer, which is copied before the first one
            schedule.nextRound(first == 0 ? 0 : 1);
            if (!isFirst) {
                schedule.receive(before.slice(first, items), team.worldRank(rank - 1));
            }
            if (passesOn && first > 0) {
                schedule.send(through.slice(first - most, most), team.worldRank(rank + 1));
            }
            if (!isFirst && (inclusive || passesOn)) {
                schedule.combine(before.slice(first, items), through.slice(first, items), op);
            }
        }
        schedule.nextRound();
        if (passesOn) {
            int last = Math.max(0, (send.count() - 1) / most * most);
            schedule.send(through.slice(last, send.count() - last), team.worldRank(rank + 1));
            schedule.nextRound();
        }
    }

    private static int itemsInAPiece(Region send) {
        long bytes = send.bytes();
        // the length of objects is not known
        return bytes == 0 ? Math.max(1, send.count()) : (int) Math.max(1, PIECE_BYTES * (long) send.count() / bytes);
    }
}
