package org.gridmpj.pt2pt;

import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.log.EngineView;

/**
 * The engine's operations by the messages that they are for: looked for one by one, since only answers of the rendezvous and
 * of synchronous mode ask. Guarded by the progress lock.
 */
final class OperationsByMessage implements EngineView {
    private final Peer[] peers;
    private final ActiveOperations operations;
    private final MatchingEngine matching;
    private final EpochCut cut;
    private final Runnable matchWhatIsHere;

    OperationsByMessage(
            Peer[] peers,
            ActiveOperations operations,
            MatchingEngine matching,
            EpochCut cut,
            Runnable matchWhatIsHere) {
        this.matchWhatIsHere = matchWhatIsHere;
        this.peers = peers;
        this.operations = operations;
        this.matching = matching;
        this.cut = cut;
    }

    @Override
    public boolean hasStarted(int peerRank, long contextId, long messageId) {
        return peers[peerRank].counters.hasCounted(contextId, messageId);
    }

    @Override
    public long sendToken(int peerRank, long contextId, long messageId) {
        OperationRecord send = operations.find(operation -> operation.kind == OperationRecord.Kind.SEND
                && operation.peer == peerRank
                && operation.contextId == contextId
                && operation.messageId == messageId
                && operation.token != 0);
        return send == null ? 0 : send.token;
    }

    @Override
    public long receiveToken(int peerRank, long contextId, long messageId) {
        OperationRecord receive = operations.find(operation -> operation.kind == OperationRecord.Kind.RECEIVE
                && operation.cleared
                && !operation.isComplete()
                && operation.rawStatus().sourceWorldRank == peerRank
                && operation.contextId == contextId
                && operation.messageId == messageId);
        return receive == null ? 0 : receive.token;
    }

    /** Gives an answer the token of the operation that it is for, if there is one. */
    void nameAnew(int peerRank, FrameHeader header) {
        if (header.kind == FrameKind.CTS || header.kind == FrameKind.SYNC_ACK) {
            long token = sendToken(peerRank, header.contextId, header.messageId);
            header.senderToken = token == 0 ? header.senderToken : token;
        } else if (header.kind == FrameKind.DATA) {
            long token = receiveToken(peerRank, header.contextId, header.messageId);
            header.receiverToken = token == 0 ? header.receiverToken : token;
        }
    }

    @Override
    public boolean isAnnounced(int peerRank, long contextId, long messageId) {
        boolean[] found = {false};
        matching.forEachUnexpected(message -> {
            FrameHeader header = message.header;
            found[0] |= header.kind == FrameKind.RTS
                    && header.sourceRank == peerRank
                    && header.contextId == contextId
                    && header.messageId == messageId;
        });
        return found[0];
    }

    @Override
    public void outcomesAreKnown() {
        matchWhatIsHere.run();
    }

    @Override
    public int latestEpoch() {
        return cut.latestEpoch();
    }
}
