package org.gridmpj.transport;

import java.util.List;

/**
 * What a rank can have told a peer with whom it has no connection: by whoever started both, who has a line to each. Slow, and
 * enough to be connected. Any thread may call, also under locks: none of it waits for the peer.
 */
public interface Knocker {
    /**
     * This rank has something for the peer, which is to dial: {@link Transport#onKnock} there. Lost if the peer is just being
     * started anew, or has gone.
     */
    void knock(int peerRank);

    /**
     * Whether {@link #sayGoodbye} may be used: in jobs of which no snapshot is taken and whose ranks do not move. Elsewhere
     * a goodbye has its place on the channel, before or behind a marker.
     */
    boolean saysGoodbyes();

    /** This rank has called Finalize and has never offered these peers a frame: {@link Transport#onGoodbye} there. */
    void sayGoodbye(List<Integer> peerRanks);
}
