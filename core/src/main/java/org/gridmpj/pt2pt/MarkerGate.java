package org.gridmpj.pt2pt;

import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;

/**
 * Holds what a peer sends behind its snapshot marker until this rank has made its own cut (Chandy and Lamport 1985).
 *
 * <pre>
 *   peer's channel:   m1  m2  MARKER(7)  m3  m4        m1, m2: before the cut, delivered, saved if unexpected
 *                                        └──┴── held   m3, m4: after it, delivered at the release
 * </pre>
 *
 * <p>Held payload has a budget. Until all markers are here frames are held beyond it, since only polling brings the
 * missing markers; after that polling stops while the budget is exceeded, and the transports press back.
 *
 * <p>Guarded by the progress lock.
 */
final class MarkerGate {
    private final long budgetBytes;
    private final Peer[] peers;
    private final int worldRank;
    private final CutRules rules;

    private int epoch = -1;
    private int releasedEpoch = -1;
    private int abortedEpoch = -1;
    private long heldBytes;
    private int heldFrames;
    /** Cuts are made without waiting for markers: what is beyond the budget need not be polled for. */
    private boolean transparent;
    /** A restored engine that does not have its state yet: everything is held. */
    private boolean holdingAll;

    MarkerGate(long budgetBytes, Peer[] peers, int worldRank, CutRules rules) {
        this.rules = rules;
        this.budgetBytes = budgetBytes;
        this.peers = peers;
        this.worldRank = worldRank;
    }

    /** This rank is about to cut. */
    void begin(int newEpoch) {
        epoch = newEpoch;
    }

    /** A marker has come. */
    void onMarker(Peer peer, int markerEpoch) {
        peer.markerEpoch = Math.max(peer.markerEpoch, markerEpoch);
        peer.holding = markerEpoch > releasedEpoch && markerEpoch > abortedEpoch;
    }

    /** Whether every peer that is still there has sent the marker of the current epoch. */
    boolean isComplete() {
        for (Peer peer : peers) {
            if (peer.worldRank != worldRank && peer.lost == null && !peer.finalized && peer.markerEpoch < epoch) {
                return false;
            }
        }
        return true;
    }

    /** Whether the current epoch was abandoned by somebody. */
    boolean isAborted() {
        return epoch >= 0 && epoch == abortedEpoch;
    }

    void onAbort(int newAbortedEpoch) {
        abortedEpoch = Math.max(abortedEpoch, newAbortedEpoch);
    }

    /** The cut is made or abandoned: markers up to the current epoch hold nothing any more. */
    void release() {
        releasedEpoch = Math.max(releasedEpoch, Math.max(epoch, abortedEpoch));
        epoch = -1;
    }

    /** Whether to stop polling, so that no more is held. */
    boolean isFull() {
        return heldBytes > budgetBytes && (transparent || (epoch >= 0 && isComplete()));
    }

    HeldFrame hold(Peer peer, FrameHeader header) {
        HeldFrame frame = new HeldFrame(header);
        peer.held.addLast(frame);
        heldBytes += header.payloadBytes;
        heldFrames++;
        return frame;
    }

    void released(HeldFrame frame) {
        heldBytes -= frame.header.payloadBytes;
        heldFrames--;
    }

    /**
     * Whether a frame of this peer is to be held; the abandonment of an epoch passes the gate, since it opens it, and that one is wanted,
     * as a marker that is on its way passes everything.
     */
    boolean holds(Peer peer, FrameKind kind) {
        if (holdingAll) {
            return rules.hold(CutRule.HOLD_UNTIL_ADOPTED);
        }
        boolean passes = kind.isOfEpoch() && kind != FrameKind.MARKER;
        return peer.holding && !passes && rules.hold(CutRule.HOLD_BEHIND_MARKER);
    }

    /**
     * The latest epoch before this one behind whose marker a peer is held, −1 for none. This rank has no part in it: others would not
     * be further if it had not been abandoned, though nobody has said so here yet.
     */
    int passedOver(int laterEpoch) {
        int latest = -1;
        for (Peer peer : peers) {
            if (peer.holding && peer.markerEpoch < laterEpoch && !isAbandoned(peer.markerEpoch)) {
                latest = Math.max(latest, peer.markerEpoch);
            }
        }
        return latest;
    }

    boolean stillHolds(Peer peer) {
        return holdingAll || peer.markerEpoch > releasedEpoch;
    }

    void enableTransparent() {
        transparent = true;
    }

    boolean holdsAny() {
        return heldFrames > 0;
    }

    int abandonedEpoch() {
        return abortedEpoch;
    }

    boolean isAbandoned(int someEpoch) {
        return someEpoch <= abortedEpoch;
    }

    /** Everything that comes is held until {@link #adopted}. */
    void holdAll() {
        holdingAll = true;
    }

    void adopted() {
        holdingAll = false;
    }
}
