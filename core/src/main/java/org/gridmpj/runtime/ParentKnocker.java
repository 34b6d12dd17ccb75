package org.gridmpj.runtime;

import java.util.List;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.transport.Knocker;

/**
 * Knocks by the control connection: rank → parent, through its agent if it has one → the other rank.
 *
 * @param saysGoodbyes whether no snapshot is taken of this job
 */
record ParentKnocker(Parent parent, int worldRank, boolean saysGoodbyes) implements Knocker {
    @Override
    public void knock(int peerRank) {
        parent.report(new ControlMessage.Knock(worldRank, peerRank));
    }

    @Override
    public void sayGoodbye(List<Integer> peerRanks) {
        parent.report(new ControlMessage.Goodbye(worldRank, peerRanks));
    }
}
