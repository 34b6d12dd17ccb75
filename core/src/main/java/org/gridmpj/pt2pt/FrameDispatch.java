package org.gridmpj.pt2pt;

import java.lang.foreign.MemorySegment;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.jspecify.annotations.Nullable;

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
    /** Set once, before any frame comes. */
    private @Nullable EpochCut cut;
    /** Null unless ranks may go back alone. */
    private @Nullable OperationsByMessage byMessage;

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

    void cutBy(EpochCut transparent) {
        cut = transparent;
    }

    /** Held answers are named by their messages' numbers: tokens may be those of a life before a lone return. */
    void nameAnew(OperationsByMessage operations) {
        byMessage = operations;
    }

    @Override
    public PayloadSink onFrame(int peerRank, FrameHeader header) {
        Peer peer = peers[peerRank];
        if (gate.holds(peer, header.kind)) {
            return arriving(peer, header, gate.hold(peer, header));
        }
        PayloadSink sink = begin(peer, header);
        EpochCut transparent = cut;
        if (transparent != null) {
            sink = transparent.arriving(peer, header, sink);
        }
        return arriving(peer, header, sink);
    }

    private static PayloadSink arriving(Peer peer, FrameHeader header, PayloadSink sink) {
        if (header.payloadBytes > 0) {
            peer.arriving = sink;
            peer.arrivingHeader = header;
        }
        return sink;
    }

    private PayloadSink begin(Peer peer, FrameHeader header) {
        PayloadSink again = peer.awaitedAgain;
        if (again != null) {
            peer.awaitedAgain = null;
            return again;
        }
        return switch (header.kind) {
            case EAGER, EAGER_SYNC -> receives.onEager(peer, header);
            case DATA -> receives.onData(peer, header);
            case RTS,
                    CTS,
                    SYNC_ACK,
                    CANCEL_SEND,
                    CANCEL_REPLY,
                    MARKER,
                    EPOCH_ABORT,
                    EPOCH_WANTED,
                    FINALIZED,
                    BYE,
                    STATE,
                    DETERMINANTS,
                    DETERMINANTS_HELD -> ReceiveSide.DISCARD;
        };
    }

    @Override
    public void onFrameComplete(int peerRank, FrameHeader header, PayloadSink sink) {
        Peer peer = peers[peerRank];
        complete(peer, header, sink);
        peer.arriving = null;
        peer.arrivingHeader = null;
        ArrivalSink tapped = peer.tapped;
        if (tapped != null) {
            tapped.tap(null);
            peer.tapped = null;
        }
    }

    private void complete(Peer peer, FrameHeader header, PayloadSink sink) {
        if (sink instanceof LoggedFrame logged) {
            end(peer, header, logged.target);
            return;
        }
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
                if (cut != null) {
                    cut.onMarker(peer, (int) header.messageId);
                }
                progress.completed(null);
            }
            case EPOCH_ABORT -> {
                if (cut != null && cut.isEnabled()) {
                    cut.onAbandoned(
                            (int) header.messageId, "world rank " + peer.worldRank + " has abandoned it", false);
                } else {
                    gate.onAbort((int) header.messageId);
                }
                progress.completed(null);
            }
            case EPOCH_WANTED -> {
                if (cut != null) {
                    boolean _ = cut.request((int) header.messageId);
                }
            }
            case FINALIZED -> upcalls.peerFinalized(peer);
            case BYE, STATE, DETERMINANTS, DETERMINANTS_HELD -> {
                // below the engine
            }
        }
    }

    /**
     * Delivers what is held, in order, up to a marker of a later epoch. One that is held may be the end of an epoch, which comes
     * here again: what was then found to be behind a marker stays held.
     */
    void releaseHeld() {
        gate.release();
        for (Peer peer : peers) {
            peer.holding = gate.stillHolds(peer);
            while (!peer.holding && !peer.held.isEmpty()) {
                HeldFrame frame = peer.held.removeFirst();
                gate.released(frame);
                if (!frame.arrived && peer.lost != null) {
                    // its rest will never come
                    continue;
                }
                OperationsByMessage operations = byMessage;
                if (operations != null) {
                    operations.nameAnew(peer.worldRank, frame.header);
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

    /** A frame of an image's log, as if it had just come. */
    void deliver(InFlightLog.Saved frame, @Nullable PayloadSink halfFilled) {
        Peer peer = peers[frame.peerRank()];
        FrameHeader header = frame.header();
        PayloadSink target = frame.continuation() ? halfFilled : begin(peer, header);
        if (target == null) {
            throw new MpiFailure(ErrorClass.INTERN, "a snapshot has the rest of a frame that nobody awaits: " + header);
        }
        byte[] payload = frame.payload();
        if (payload.length > 0) {
            target.write(frame.fromBytes(), MemorySegment.ofArray(payload), 0, payload.length);
        }
        end(peer, header, target);
    }

    private static void pour(HeldFrame frame, PayloadSink target) {
        int length = (int) frame.header.payloadBytes;
        if (length > 0 && frame.header.kind != FrameKind.MARKER) {
            target.write(0, frame.payload, 0, length);
        }
    }

    @Override
    public void onPeerLost(int peerRank, MpiFailure cause) {
        if (cut != null) {
            cut.onPeerLost(peers[peerRank]);
        }
        upcalls.peerLost(peers[peerRank], cause);
    }
}
