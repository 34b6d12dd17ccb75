package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;
import org.jspecify.annotations.Nullable;

/**
 * Reduce in two levels (Karonis et al. 2000): each host's ranks combine up a binomial tree to their leader, the leaders up one
 * to the root. A host's leader is the root if that is one of its ranks, else its lowest rank.
 *
 * <p>The terms of an item are combined host by host: only for operations whose result is the same to the bit in any order
 * ({@link org.gridmpj.datatype.PredefinedOp#isExactOn}).
 *
 * <p>When: several hosts, one of them with several ranks. Cost: ⌈lg h⌉·(α + n·(β + γ)) between the h hosts,
 * ⌈lg r⌉·(α + n·(β + γ)) within one of r ranks; h − 1 messages between hosts, the fewest that there can be, where the tree over
 * all ranks may have p − 1.
 */
final class ReduceHierarchical {
    private ReduceHierarchical() {}

    /** receive is where the result goes at the root, null elsewhere. */
    static void append(
            ScheduleBuilder schedule, Levels levels, Region send, @Nullable Region receive, Reducer op, int root) {
        Team host = levels.onHost();
        Team leaders = levels.leaders(root);
        int leader = host.group().rankOf(leaders.worldRank(leaders.rank()));
        boolean leads = host.rank() == leader;
        Region ofHost = send;
        if (host.size() > 1) {
            ofHost = receive == null ? send.twin() : receive;
            ReduceBinomial.append(schedule, host, send, leads ? ofHost : null, op, leader);
        }
        if (leads) {
            int rootHost = levels.placement().hostOf(root);
            ReduceBinomial.append(schedule, leaders, ofHost, receive, op, rootHost);
        }
    }
}
