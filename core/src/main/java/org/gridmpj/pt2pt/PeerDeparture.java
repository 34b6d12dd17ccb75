package org.gridmpj.pt2pt;

import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameKind;

/**
 * Ranks that go, by death or by Finalize: what only they could complete fails and names them, rather than hang. Guarded by
 * the progress lock.
 */
final class PeerDeparture implements FrameDispatch.Upcalls {
    private final FrameOutlet outlet;
    private final MatchingEngine matching;
    private final ActiveOperations operations;
    private final SendSide sends;
    private final ProgressEngine progress;

    PeerDeparture(
            FrameOutlet outlet,
            MatchingEngine matching,
            ActiveOperations operations,
            SendSide sends,
            ProgressEngine progress) {
        this.outlet = outlet;
        this.matching = matching;
        this.operations = operations;
        this.sends = sends;
        this.progress = progress;
    }

    @Override
    public void peerLost(Peer peer, MpiFailure cause) {
        if (peer.lost != null || peer.finalized) {
            // after its goodbye a closed connection is no news
            outlet.discard(peer);
            return;
        }
        peer.lost = cause;
        outlet.discard(peer);
        peer.held.clear();
        matching.forEachUnexpected(message -> {
            if (message.header.sourceRank == peer.worldRank
                    && (!message.arrived || message.header.kind == FrameKind.RTS)) {
                matching.drop(message);
            }
        });
        operations.forEach(operation -> {
            if (operation.isComplete()) {
                return;
            }
            if (operation.kind != OperationRecord.Kind.RECEIVE) {
                if (operation.peer == peer.worldRank) {
                    sends.fail(operation, SendSide.lossOf(peer, operation));
                }
            } else if (operation.matched
                    ? operation.rawStatus().sourceWorldRank == peer.worldRank
                    : operation.peer == peer.worldRank || operation.peer == PointToPoint.ANY_SOURCE) {
                matching.withdraw(operation);
                operations.fail(operation, SendSide.lossOf(peer, operation));
            }
        });
        progress.completed(null);
    }

    /** The peer has called Finalize: what only it could complete fails, rather than hang. */
    @Override
    public void peerFinalized(Peer peer) {
        peer.finalized = true;
        operations.forEach(operation -> {
            if (operation.isComplete() || operation.peer != peer.worldRank) {
                return;
            }
            boolean receive = operation.kind == OperationRecord.Kind.RECEIVE;
            boolean waitsForPeer = receive ? !operation.matched : operation.token != 0 && !operation.acknowledged;
            if (waitsForPeer) {
                matching.withdraw(operation);
                operations.fail(operation, SendSide.goneFor(peer, operation));
            }
        });
        progress.completed(null);
    }
}
