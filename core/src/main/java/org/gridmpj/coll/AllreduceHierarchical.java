package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;

/**
 * Allreduce in two levels (Karonis et al. 2000): each host's ranks combine up a binomial tree to their leader, the lowest of
 * them; the leaders combine among themselves; each leader gives the result down its host's tree.
 *
 * <pre>
 *   host 0   0 ◀── 3 ◀── 6      ─ within a host, up and later down
 *            ║                  ═ between hosts: leaders only
 *   host 1   1 ◀── 4 ◀── 7
 * </pre>
 *
 * The terms of an item are combined host by host: only for operations whose result is the same to the bit in any order
 * ({@link org.gridmpj.datatype.PredefinedOp#isExactOn}).
 *
 * <p>When: short messages, several hosts, one of them with several ranks. Cost: that of the leaders' Allreduce among h, by
 * recursive doubling ⌈lg h⌉·(α + n·(β + γ)), between the hosts; ⌈lg r⌉·(2·α + n·(2·β + γ)) within one of r ranks. The
 * messages and bytes between hosts are those of h processes, of which recursive doubling among p ranks may send p/h times as
 * many.
 */
final class AllreduceHierarchical {
    private AllreduceHierarchical() {}

    /** An Allreduce of some of the processes. */
    interface Among {
        void append(Team team, Region send);
    }

    /** @param amongLeaders with its result in receive */
    static void append(
            ScheduleBuilder schedule, Levels levels, Region send, Region receive, Reducer op, Among amongLeaders) {
        Team host = levels.onHost();
        boolean leads = host.rank() == 0;
        if (host.size() == 1) {
            amongLeaders.append(levels.leaders(), send);
            return;
        }
        ReduceBinomial.append(schedule, host, send, leads ? receive : null, op, 0);
        if (leads) {
            amongLeaders.append(levels.leaders(), receive);
        }
        BcastBinomial.append(schedule, host, receive, 0);
    }
}
