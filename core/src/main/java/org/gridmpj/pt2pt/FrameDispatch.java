package org.gridmpj.pt2pt;

import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;

/**
 * What the transport calls: sends each frame to the protocol that it belongs to, or holds it behind a snapshot marker.
 * Guarded by the progress lock.
 */
final class FrameDispatch implements FrameSink {
    /** What is more than a protocol's step. */
    interface Upcalls {
        void peerLost(Peer peer, MpiFailure cause);

        void peerFinalized(Peer peer);
    }

    private final Peer[] peers;
    private final SendSide sends;
    private final ReceiveSide receives;
    private final MarkerGate gate;
    private final ProgressEngine progress;
    private final Upcalls upcalls;

    FrameDispatch(
            Peer[] peers,
            SendSide sends,
            ReceiveSide receives,
            MarkerGate gate,
            ProgressEngine progress,
            Upcalls upcalls) {
        this.peers = peers;
        this.sends = sends;
        this.receives = receives;
        this.gate = gate;
        this.progress = progress;
        this.upcalls = upcalls;
    }

    @Override
    public PayloadSink onFrame(int peerRank, FrameHeader header) {
        Peer peer = peers[peerRank];
        if (gate.holds(peer, header.kind)) {
            return gate.hold(peer, header);
        }
        return begin(peer, header);
    }

    private PayloadSink begin(Peer peer, FrameHeader header) {
        return switch (header.kind) {
            case EAGER, EAGER_SYNC -> receives.onEager(peer, header);
            case DATA -> receives.onData(peer, header);
            case RTS, CTS, SYNC_ACK, CANCEL_SEND, CANCEL_REPLY, MARKER, EPOCH_ABORT, FINALIZED, BYE ->
                ReceiveSide.DISCARD;
        };
    }

    @Override
    public void onFrameComplete(int peerRank, FrameHeader header, PayloadSink sink) {
        Peer peer = peers[peerRank];
        if (sink instanceof HeldFrame held) {
            PayloadSink target = held.releasedTo;
            if (target == null) {
                held.arrived = true;
            } else {
                // let go while its payload was on the way: pour it on now
                pour(held, target);
                end(peer, held.header, target);
            }
            return;
        }
        end(peer, header, sink);
    }

    private void end(Peer peer, FrameHeader header, PayloadSink sink) {
        switch (header.kind) {
            case EAGER, EAGER_SYNC -> receives.onEagerComplete(peer, header, sink);
            case DATA -> receives.onDataComplete(sink);
            case RTS -> receives.onRequestToSend(peer, header);
            case CTS -> sends.onClearToSend(peer, header);
            case SYNC_ACK -> sends.onSyncAck(peer, header);
            case CANCEL_SEND -> receives.onCancelSend(peer, header);
            case CANCEL_REPLY -> sends.onCancelReply(peer, header);
            case MARKER -> {
                gate.onMarker(peer, (int) header.messageId);
                progress.completed(null);
            }
            case EPOCH_ABORT -> {
                gate.onAbort((int) header.messageId);
                progress.completed(null);
            }
            case FINALIZED -> upcalls.peerFinalized(peer);
            case BYE -> {
                // between transports
            }
        }
    }

    /** Delivers what is held, in order, up to a marker of a later epoch. */
    void releaseHeld() {
        gate.release();
        for (Peer peer : peers) {
            peer.holding = gate.stillHolds(peer) && peer.held.isEmpty();
            while (!peer.holding && !peer.held.isEmpty()) {
                HeldFrame frame = peer.held.removeFirst();
                gate.released(frame);
                if (!frame.arrived && peer.lost != null) {
                    // its rest will never come
                    continue;
                }
                PayloadSink target = begin(peer, frame.header);
                if (frame.arrived) {
                    pour(frame, target);
                    end(peer, frame.header, target);
                } else {
                    frame.releasedTo = target;
                }
            }
        }
    }

    private static void pour(HeldFrame frame, PayloadSink target) {
        int length = (int) frame.header.payloadBytes;
        if (length > 0 && frame.header.kind != FrameKind.MARKER) {
            target.write(0, frame.payload, 0, length);
        }
    }

    @Override
    public void onPeerLost(int peerRank, MpiFailure cause) {
        upcalls.peerLost(peers[peerRank], cause);
    }
}
