package org.gridmpj.pt2pt;

import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameKind;
import org.jspecify.annotations.Nullable;

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
    /** Null unless ranks may go back alone. */
    private @Nullable AnySource anySource;

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
        outlet.discard(peer);
        if (peer.lost != null) {
            return;
        }
        if (peer.finalized) {
            // after its goodbye a closed connection is no news, but nothing more gets there
            failSendsTo(peer);
            return;
        }
        peer.lost = cause;
        matching.forEachUnexpected(message -> {
            if (message.header.sourceRank == peer.worldRank
                    && (!message.arrived || message.header.kind == FrameKind.RTS)) {
                matching.drop(message);
            }
        });
        operations.forEach(operation -> {
            if (operation.isComplete() || operation.kind != OperationRecord.Kind.RECEIVE) {
                return;
            }
            // ANY_SOURCE fails too: the message waited for may have been the lost rank's (as in ULFM)
            boolean concerned = operation.matched
                    ? operation.rawStatus().sourceWorldRank == peer.worldRank
                    : operation.peer == peer.worldRank || operation.peer == PointToPoint.ANY_SOURCE;
            if (concerned) {
                matching.withdraw(operation);
                operations.fail(operation, SendSide.lossOf(peer, operation));
            }
        });
        failSendsTo(peer);
        progress.completed(null);
    }

    /** Records what operations of any source get: before it is known nothing is matched. */
    void record(AnySource recorded) {
        anySource = recorded;
    }

    private void failSendsTo(Peer peer) {
        operations.forEach(operation -> {
            if (!operation.isComplete()
                    && operation.kind != OperationRecord.Kind.RECEIVE
                    && operation.peer == peer.worldRank) {
                sends.fail(
                        operation,
                        peer.lost != null ? SendSide.lossOf(peer, operation) : SendSide.goneFor(peer, operation));
            }
        });
    }

    /** The peer has called Finalize: what only it could complete fails, rather than hang. */
    @Override
    public void peerFinalized(Peer peer) {
        peer.finalized = true;
        AnySource recorded = anySource;
        if (recorded != null && recorded.isAwaited()) {
            // its messages are here, and not matched yet
            return;
        }
        operations.forEach(operation -> {
            if (operation.isComplete() || operation.peer != peer.worldRank) {
                return;
            }
            boolean receive = operation.kind == OperationRecord.Kind.RECEIVE;
            boolean waitsForPeer = receive
                    ? !operation.matched && !(recorded != null && recorded.willBeCancelled(operation))
                    : operation.token != 0 && !operation.acknowledged;
            if (waitsForPeer) {
                matching.withdraw(operation);
                operations.fail(operation, SendSide.goneFor(peer, operation));
            }
        });
        progress.completed(null);
    }
}
