package org.gridmpj.pt2pt;

import org.gridmpj.datatype.MessageBuffer;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.jspecify.annotations.Nullable;

/**
 * The protocols at the sender.
 *
 * <pre>
 *   eager        sender ── EAGER ─────────────▶ receiver         up to the eager limit; buffered mode at any length
 *   synchronous  sender ── EAGER_SYNC ────────▶ receiver
 *                       ◀──────────── SYNC_ACK ──                when matched
 *   rendezvous   sender ── RTS ───────────────▶ receiver         above the eager limit
 *                       ◀───────────────── CTS ──                when matched
 *                       ── DATA ──────────────▶                  straight into the posted array
 *   cancel       sender ── CANCEL_SEND ───────▶ receiver
 *                       ◀──────── CANCEL_REPLY ──                count 1: it was unmatched and is gone
 * </pre>
 *
 * <p>Guarded by the progress lock.
 */
final class SendSide implements OperationRecord.ReleaseListener {
    private final Peer[] peers;
    private final int worldRank;
    private final FrameOutlet outlet;
    private final OperationTable table;
    private final ActiveOperations operations;
    private final MatchingEngine matching;
    private final SelfDelivery self;
    final BufferedSendSpace bufferedSpace = new BufferedSendSpace();
    private final FrameHeader header = new FrameHeader();

    SendSide(
            Peer[] peers,
            int worldRank,
            FrameOutlet outlet,
            OperationTable table,
            ActiveOperations operations,
            MatchingEngine matching,
            SelfDelivery self) {
        this.peers = peers;
        this.worldRank = worldRank;
        this.outlet = outlet;
        this.table = table;
        this.operations = operations;
        this.matching = matching;
        this.self = self;
    }

    /** Starts a send whose buffer is set. */
    void start(OperationRecord send) {
        Peer peer = peers[send.peer];
        if (peer.lost != null) {
            send.setFailure(lossOf(peer, send));
            operations.complete(send);
            return;
        }
        if (send.mode == SendMode.BUFFERED) {
            startBuffered(send, peer);
            return;
        }
        send.messageId = peer.counters.next(send.contextId);
        if (send.peer == worldRank) {
            operations.add(send);
            self.send(send);
            return;
        }
        MessageBuffer data = send.attachedBuffer();
        send.eager = data.eagerBytes() <= peer.eagerLimitBytes;
        boolean synchronous = send.mode == SendMode.SYNCHRONOUS;
        if (!send.eager && peer.finalized) {
            send.setFailure(goneFor(peer, send));
            operations.complete(send);
            return;
        }
        operations.add(send);
        fillEnvelope(send, data);
        if (!send.eager) {
            header.kind = FrameKind.RTS;
            header.senderToken = table.register(send);
            failIfClosed(outlet.emit(peer, header, OutboundFrame.NO_PAYLOAD, send), peer, send);
            return;
        }
        header.payloadBytes = data.messageBytes();
        if (synchronous) {
            header.kind = FrameKind.EAGER_SYNC;
            header.senderToken = table.register(send);
        }
        failIfClosed(outlet.emit(peer, header, send, send), peer, send);
    }

    /**
     * Buffered mode: the user's operation completes at once, a carrier with a copy of the data goes on. It is eager at any
     * length, so that no buffered message waits for its receiver, across a snapshot for instance.
     */
    private void startBuffered(OperationRecord send, Peer peer) {
        MessageBuffer data = send.attachedBuffer();
        byte[] copy;
        try {
            copy = bufferedSpace.take(send, data.messageBytes());
        } catch (MpiFailure noRoom) {
            send.withdraw();
            throw noRoom;
        }
        send.messageId = peer.counters.next(send.contextId);
        operations.add(send);
        if (send.peer == worldRank) {
            bufferedSpace.giveBack(copy);
            self.send(send);
            return;
        }
        OperationRecord carrier = new OperationRecord(this);
        carrier.describe(
                OperationRecord.Kind.BUFFERED_CARRIER,
                SendMode.BUFFERED,
                null,
                0,
                0,
                send.type,
                send.peer,
                send.contextId,
                send.tag,
                false);
        carrier.begin();
        carrier.messageId = send.messageId;
        carrier.copy = copy;
        operations.add(carrier);
        fillEnvelope(send, data);
        header.payloadBytes = data.messageBytes();
        operations.complete(send);
        failIfClosed(outlet.emit(peer, header, carrier, null), peer, carrier);
    }

    private void fillEnvelope(OperationRecord send, MessageBuffer data) {
        fillEnvelope(header, worldRank, send.contextId, send.tag, send.messageId, data);
    }

    /** The header of a message as all protocols begin it; eager until another kind is set, and without a payload. */
    static void fillEnvelope(
            FrameHeader header, int worldRank, long contextId, int tag, long messageId, MessageBuffer data) {
        header.clear();
        header.sourceRank = worldRank;
        header.contextId = contextId;
        header.tag = tag;
        header.typeCode = data.typeCode();
        header.flags = data.flags();
        header.count = data.elementCount();
        header.messageBytes = data.messageBytes();
        header.messageId = messageId;
    }

    private void failIfClosed(boolean taken, Peer peer, OperationRecord send) {
        if (!taken) {
            fail(send, goneFor(peer, send));
        }
    }

    void fail(OperationRecord send, MpiFailure cause) {
        returnRoom(send);
        operations.fail(send, cause);
    }

    private void returnRoom(OperationRecord send) {
        byte[] copy = send.copy;
        if (copy != null) {
            send.copy = null;
            bufferedSpace.giveBack(copy);
        }
    }

    @Override
    public void payloadReleased(OperationRecord send) {
        if (send.isComplete()) {
            return;
        }
        send.released = true;
        returnRoom(send);
        completeIfDone(send);
    }

    private void completeIfDone(OperationRecord send) {
        if (send.released && (send.mode != SendMode.SYNCHRONOUS || send.acknowledged)) {
            operations.complete(send);
        }
    }

    /** CTS: the receiver has matched and has room. A second one, or one for an operation that has ended, is ignored. */
    void onClearToSend(Peer peer, FrameHeader cts) {
        OperationRecord send = table.find(cts.senderToken);
        if (send == null || send.cleared || send.peer != peer.worldRank) {
            return;
        }
        send.cleared = true;
        send.acknowledged = true;
        MessageBuffer data = send.attachedBuffer();
        fillEnvelope(send, data);
        header.kind = FrameKind.DATA;
        header.payloadBytes = data.messageBytes();
        header.senderToken = cts.senderToken;
        header.receiverToken = cts.receiverToken;
        failIfClosed(outlet.emit(peer, header, send, null), peer, send);
    }

    void onSyncAck(Peer peer, FrameHeader ack) {
        OperationRecord send = table.find(ack.senderToken);
        if (send != null && send.peer == peer.worldRank) {
            send.acknowledged = true;
            completeIfDone(send);
        }
    }

    /**
     * Whether it is a matter of time if a send can be taken back: the receiver knows. That of an eager one is in the log, and one
     * to the own rank lies in its queue.
     */
    boolean isCancelAChance(OperationRecord send) {
        return send.peer != worldRank && (send.mode == SendMode.SYNCHRONOUS || !isEager(send));
    }

    /** Takes a send back if that is still possible (MPI standard, 3.8.4); else it goes on. */
    void cancel(OperationRecord send) {
        if (send.isComplete() || send.cancelled || send.cleared) {
            return;
        }
        Peer peer = peers[send.peer];
        if (send.peer == worldRank) {
            UnexpectedMessage message = matching.withdrawSelf(send);
            if (message != null) {
                send.cancelled = true;
                operations.complete(send);
            }
            return;
        }
        if (outlet.withdraw(peer, send)) {
            send.cancelled = true;
            operations.complete(send);
            return;
        }
        if (send.token != 0 && !send.acknowledged) {
            header.clear();
            header.kind = FrameKind.CANCEL_SEND;
            header.sourceRank = worldRank;
            header.contextId = send.contextId;
            header.tag = send.tag;
            header.messageId = send.messageId;
            header.senderToken = send.token;
            failIfClosed(outlet.emit(peer, header, OutboundFrame.NO_PAYLOAD, null), peer, send);
        }
    }

    void onCancelReply(Peer peer, FrameHeader reply) {
        OperationRecord send = table.find(reply.senderToken);
        if (send == null || send.peer != peer.worldRank || reply.count == 0) {
            return;
        }
        send.cancelled = true;
        send.acknowledged = true;
        if (send.released || !isEager(send)) {
            operations.complete(send);
        }
    }

    /** Whether the payload went with the first frame. */
    boolean isEager(OperationRecord send) {
        return send.mode == SendMode.BUFFERED || send.eager;
    }

    static MpiFailure lossOf(Peer peer, Object operation) {
        MpiFailure cause = peer.lost;
        return new MpiFailure(
                ErrorClass.PROC_FAILED,
                "world rank " + peer.worldRank + " is lost, so this cannot complete: " + operation
                        + (cause == null ? "" : " (" + cause.getMessage() + ")"),
                cause);
    }

    static MpiFailure goneFor(Peer peer, @Nullable Object operation) {
        return new MpiFailure(
                ErrorClass.PROC_FAILED,
                "world rank " + peer.worldRank
                        + (peer.finalized ? " has called Finalize" : " has closed its connection")
                        + (operation == null ? "" : ", so this cannot complete: " + operation));
    }
}
