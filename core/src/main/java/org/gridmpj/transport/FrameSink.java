package org.gridmpj.transport;

import org.gridmpj.error.MpiFailure;

/**
 * The engine as a transport sees it: upcalls, all made inside {@link Transport#poll} by the holder of the progress lock,
 * for each peer in the order in which that peer offered the frames.
 */
public interface FrameSink {
    /**
     * A header has arrived. The engine matches it now and says where the payload goes.
     *
     * @param peerRank world rank of the sender
     * @param header valid during the call only
     * @return where the payload is to be poured; ignored when {@code header.payloadBytes} is 0
     */
    PayloadSink onFrame(int peerRank, FrameHeader header);

    /**
     * All of a frame has arrived. Called exactly once after each {@link #onFrame}, frames without payload too.
     *
     * @param peerRank world rank of the sender
     * @param header the same fields as in onFrame, valid during the call only
     * @param sink what onFrame returned
     */
    void onFrameComplete(int peerRank, FrameHeader header, PayloadSink sink);

    /**
     * A peer is lost and this transport will not bring it back. A transport that recovers never says so by itself: for
     * it only a new IP table or the job's end decides.
     */
    void onPeerLost(int peerRank, MpiFailure cause);
}
