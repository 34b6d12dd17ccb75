package org.gridmpj.pt2pt;

import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.log.Determinant;
import org.gridmpj.transport.log.Outcomes;
import org.jspecify.annotations.Nullable;

/**
 * Matching where one rank alone may go back (docs/design/0018): which message an operation of any source gets is recorded,
 * and followed by a rank that has gone back. Absent otherwise. Guarded by the progress lock.
 *
 * <p>Receives of one source need no record: messages of one sender match in their order, so what they get follows from the
 * program and from what those of any source got.
 */
final class AnySource {
    private final Outcomes outcomes;

    AnySource(Outcomes outcomes) {
        this.outcomes = outcomes;
    }

    /** Whether a determinant is that of this message. */
    static boolean isOf(Determinant determinant, int source, FrameHeader header) {
        return determinant.sourceRank() == source
                && determinant.contextId() == header.contextId
                && determinant.messageId() == header.messageId;
    }

    /** A receive starts. Those of collective operations are advanced by whoever polls: their order is a matter of time. */
    void starts(OperationRecord receive) {
        receive.receiveNumber = receive.inner ? -1 : outcomes.nextReceive();
    }

    /** An envelope has arrived: the receive that takes it, out of the queue; or null. */
    @Nullable
    OperationRecord arrive(PostedReceiveQueue posted, int source, FrameHeader header) {
        if (outcomes.areAwaited()) {
            return null;
        }
        if (!outcomes.areFollowed()) {
            OperationRecord receive = posted.take(source, header);
            if (receive != null && receive.peer == PointToPoint.ANY_SOURCE) {
                outcomes.received(receive.receiveNumber, source, header.contextId, header.messageId);
            }
            return receive;
        }
        OperationRecord receive = posted.takeAsBefore(source, header, outcomes);
        if (receive != null) {
            follow(receive, source, header);
        }
        return receive;
    }

    /** A receive gets a message by what was known, or freely. */
    private void follow(OperationRecord receive, int source, FrameHeader header) {
        boolean any = receive.peer == PointToPoint.ANY_SOURCE;
        long number = any ? receive.receiveNumber : -1;
        Determinant before = any ? outcomes.ofReceive(number) : null;
        boolean fits = outcomes.isAsBefore(number, source, header.contextId, header.messageId);
        if (fits
                && before != null
                && !Matching.accepts(
                        receive.contextId, receive.tag, receive.matchType, receive.typeCodeWanted(), header)) {
            outcomes.diverged(before, receive);
        }
        if (any) {
            outcomes.received(number, source, header.contextId, header.messageId);
        }
    }

    /** The message that a receive takes out of the queue; it stays there. */
    @Nullable
    UnexpectedMessage takeFor(OperationRecord receive, UnexpectedQueue unexpected) {
        if (outcomes.areAwaited() || willBeCancelled(receive)) {
            return null;
        }
        boolean any = receive.peer == PointToPoint.ANY_SOURCE;
        Determinant before = any ? outcomes.ofReceive(receive.receiveNumber) : null;
        UnexpectedMessage message = before == null
                ? unexpected.find(
                        receive.peer, receive.contextId, receive.tag, receive.matchType, receive.typeCodeWanted())
                : unexpected.findByNumber(before.sourceRank(), before.contextId(), before.messageId());
        if (message == null) {
            return null;
        }
        FrameHeader header = message.header;
        if (outcomes.areFollowed()) {
            follow(receive, header.sourceRank, header);
        } else if (any) {
            outcomes.received(receive.receiveNumber, header.sourceRank, header.contextId, header.messageId);
        }
        return message;
    }

    /** The message that a probe finds; it stays in the queue. */
    @Nullable
    UnexpectedMessage probe(int source, long contextId, int tag, UnexpectedQueue unexpected) {
        if (outcomes.areAwaited()) {
            return null;
        }
        Determinant before = source == PointToPoint.ANY_SOURCE ? outcomes.ofNextProbe() : null;
        if (before == null) {
            return unexpected.find(source, contextId, tag, false, 0);
        }
        UnexpectedMessage message =
                unexpected.findByNumber(before.sourceRank(), before.contextId(), before.messageId());
        if (message != null && !Matching.accepts(contextId, tag, false, 0, message.header)) {
            outcomes.diverged(before, "probe");
        }
        return message;
    }

    /** A blocking probe of any source has found a message. */
    void probed(FrameHeader header) {
        outcomes.probed(header.sourceRank, header.contextId, header.messageId);
    }

    /** Whether nothing comes for a receive because it is going to be cancelled. */
    boolean willBeCancelled(OperationRecord receive) {
        return outcomes.polls().willBeCancelled(receive.receiveNumber);
    }

    /** Whether messages are not matched yet, so that it cannot be said what will not come. */
    boolean isAwaited() {
        return outcomes.areAwaited();
    }
}
