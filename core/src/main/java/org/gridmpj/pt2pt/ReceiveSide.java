package org.gridmpj.pt2pt;

import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.PayloadSink;
import org.jspecify.annotations.Nullable;

/**
 * The protocols at the receiver; see {@link SendSide} for the drawing. Matches each envelope as it arrives, so that the
 * payload is poured straight into the posted array.
 *
 * <p>Guarded by the progress lock.
 */
final class ReceiveSide {
    /** Swallows the payload of a frame that nobody waits for any more. */
    static final PayloadSink DISCARD = (position, source, sourceOffset, length) -> {};

    private final Peer[] peers;
    private final int worldRank;
    private final FrameOutlet outlet;
    private final OperationTable table;
    private final ActiveOperations operations;
    private final MatchingEngine matching;
    private final UnexpectedPool pool;
    private final SelfDelivery self;
    private final ProgressEngine progress;
    private final FrameHeader answer = new FrameHeader();
    private @Nullable Chances chances;
    /** Null unless ranks may go back alone. */
    private @Nullable AnySource anySource;

    ReceiveSide(
            Peer[] peers,
            int worldRank,
            FrameOutlet outlet,
            OperationTable table,
            ActiveOperations operations,
            MatchingEngine matching,
            UnexpectedPool pool,
            SelfDelivery self,
            ProgressEngine progress) {
        this.peers = peers;
        this.worldRank = worldRank;
        this.outlet = outlet;
        this.table = table;
        this.operations = operations;
        this.matching = matching;
        this.pool = pool;
        this.self = self;
        this.progress = progress;
    }

    /** Hears of receives from any source, and of messages that are taken back. */
    void onWildcard(Chances listening) {
        chances = listening;
    }

    /** Records what receives of any source get. */
    void record(AnySource recorded) {
        anySource = recorded;
    }

    /** It is known what receives of any source got before: what is here is matched, in the order in which it came. */
    void matchWhatIsHere() {
        matching.forEachUnexpected(message -> {
            OperationRecord receive = matching.arrive(message.header.sourceRank, message.header);
            if (receive != null) {
                matching.drop(message);
                take(message, receive);
            }
        });
        progress.completed(null);
    }

    /** Starts a receive whose buffer is set. */
    void start(OperationRecord receive) {
        operations.add(receive);
        AnySource recorded = anySource;
        if (recorded != null) {
            recorded.starts(receive);
        }
        UnexpectedMessage message = matching.takeFor(receive);
        if (message != null) {
            take(message, receive);
            return;
        }
        boolean notYet = recorded != null && (recorded.isAwaited() || recorded.willBeCancelled(receive));
        MpiFailure hopeless = notYet ? null : whyNothingWillCome(receive.peer, receive);
        if (hopeless != null) {
            receive.setFailure(hopeless);
            operations.complete(receive);
            return;
        }
        matching.postUnmatched(receive);
    }

    /** Why no message will ever come from a source, or null. */
    @Nullable
    MpiFailure whyNothingWillCome(int source, Object operation) {
        if (source == PointToPoint.ANY_SOURCE) {
            if (chances != null) {
                chances.wildcard();
            }
            return null;
        }
        if (source == worldRank) {
            return null;
        }
        Peer peer = peers[source];
        if (peer.lost != null) {
            return SendSide.lossOf(peer, operation);
        }
        return peer.finalized ? SendSide.goneFor(peer, operation) : null;
    }

    /** A receive takes a message of the unexpected queue; also used for messages that a snapshot brings back. */
    void take(UnexpectedMessage message, OperationRecord receive) {
        FrameHeader envelope = message.header;
        OperationRecord selfSender = message.selfSender;
        if (selfSender != null) {
            self.transfer(envelope, selfSender, receive);
            pool.giveBack(message);
            return;
        }
        if (envelope.kind == FrameKind.RTS) {
            grant(peers[envelope.sourceRank], envelope, receive);
            pool.giveBack(message);
            return;
        }
        expect(receive, envelope.sourceRank, envelope);
        if (envelope.kind == FrameKind.EAGER_SYNC) {
            acknowledge(peers[envelope.sourceRank], envelope);
        }
        if (message.arrived) {
            deliver(message, receive);
        } else {
            message.receiver = receive;
        }
    }

    private void deliver(UnexpectedMessage message, OperationRecord receive) {
        if (!receive.isComplete()) {
            if (message.header.messageBytes > 0) {
                receive.write(0, message.payload(), 0, (int) message.header.messageBytes);
            }
            operations.complete(receive);
        }
        pool.giveBack(message);
    }

    /** Matches a receive; a message that does not fit is swallowed, and the receive fails when it is complete. */
    private static void expect(OperationRecord receive, int source, FrameHeader envelope) {
        receive.matchedWith(source, envelope);
        MpiFailure failure = receive.attachedBuffer().expect(envelope.messageBytes, envelope.count, envelope.flags);
        if (failure != null) {
            receive.setFailure(explained(failure, receive));
        }
    }

    static MpiFailure explained(MpiFailure failure, OperationRecord receive) {
        MessageStatus status = receive.rawStatus();
        return new MpiFailure(
                failure.errorClass(),
                failure.getMessage() + "; sent by world rank " + status.sourceWorldRank + " with tag " + status.tag
                        + ", taken by: " + receive,
                failure);
    }

    /** Rendezvous: the receive is ready for the data. */
    private void grant(Peer peer, FrameHeader rts, OperationRecord receive) {
        expect(receive, peer.worldRank, rts);
        receive.cleared = true;
        receive.messageId = rts.messageId;
        long receiverToken = table.register(receive);
        answer.clear();
        answer.kind = FrameKind.CTS;
        answer.sourceRank = worldRank;
        answer.contextId = rts.contextId;
        answer.tag = rts.tag;
        answer.messageId = rts.messageId;
        answer.senderToken = rts.senderToken;
        answer.receiverToken = receiverToken;
        if (!outlet.emit(peer, answer, OutboundFrame.NO_PAYLOAD, null)) {
            operations.fail(receive, SendSide.goneFor(peer, receive));
        }
    }

    private void acknowledge(Peer peer, FrameHeader message) {
        answer.clear();
        answer.kind = FrameKind.SYNC_ACK;
        answer.sourceRank = worldRank;
        answer.contextId = message.contextId;
        answer.tag = message.tag;
        answer.messageId = message.messageId;
        answer.senderToken = message.senderToken;
        outlet.emitAnswer(peer, answer);
    }

    /** EAGER and EAGER_SYNC have begun to arrive. */
    PayloadSink onEager(Peer peer, FrameHeader header) {
        OperationRecord receive = matching.arrive(peer.worldRank, header);
        if (receive == null) {
            if (header.payloadBytes > Integer.MAX_VALUE - 64) {
                throw new MpiFailure(ErrorClass.INTERN, "an unexpected eager message too long to keep: " + header);
            }
            UnexpectedMessage message = pool.take(header, peer.worldRank, header.payloadBytes);
            matching.keep(message);
            return message;
        }
        expect(receive, peer.worldRank, header);
        return receive;
    }

    /** EAGER and EAGER_SYNC are here. */
    void onEagerComplete(Peer peer, FrameHeader header, PayloadSink sink) {
        if (sink instanceof OperationRecord receive) {
            if (header.kind == FrameKind.EAGER_SYNC) {
                acknowledge(peer, header);
            }
            operations.complete(receive);
            return;
        }
        if (sink instanceof UnexpectedMessage message) {
            message.arrived = true;
            OperationRecord receive = message.receiver;
            if (receive != null) {
                deliver(message, receive);
            } else {
                progress.completed(null);
            }
        }
    }

    void onRequestToSend(Peer peer, FrameHeader rts) {
        OperationRecord receive = matching.arrive(peer.worldRank, rts);
        if (receive != null) {
            grant(peer, rts, receive);
            return;
        }
        UnexpectedMessage message = pool.take(rts, peer.worldRank, 0);
        message.arrived = true;
        matching.keep(message);
        progress.completed(null);
    }

    PayloadSink onData(Peer peer, FrameHeader header) {
        OperationRecord receive = table.find(header.receiverToken);
        if (receive == null || receive.rawStatus().sourceWorldRank != peer.worldRank) {
            return DISCARD;
        }
        return receive;
    }

    void onDataComplete(PayloadSink sink) {
        if (sink instanceof OperationRecord receive) {
            operations.complete(receive);
        }
    }

    /** The sender wants a message back; it hears whether that was still possible. */
    void onCancelSend(Peer peer, FrameHeader request) {
        if (chances != null) {
            chances.met("a message was taken back by its sender");
        }
        UnexpectedMessage message = matching.withdraw(peer.worldRank, request.senderToken);
        if (message != null) {
            pool.giveBack(message);
        }
        answer.clear();
        answer.kind = FrameKind.CANCEL_REPLY;
        answer.sourceRank = worldRank;
        answer.contextId = request.contextId;
        answer.tag = request.tag;
        answer.messageId = request.messageId;
        answer.senderToken = request.senderToken;
        answer.count = message == null ? 0 : 1;
        outlet.emitAnswer(peer, answer);
    }

    /** Takes a receive back if it has no message yet; whether it had none. */
    boolean cancel(OperationRecord receive) {
        if (receive.isComplete() || !matching.withdraw(receive)) {
            return false;
        }
        receive.cancelled = true;
        operations.complete(receive);
        return true;
    }
}
