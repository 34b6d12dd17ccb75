package org.gridmpj.pt2pt;

import java.util.function.Consumer;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.log.Determinant;
import org.jspecify.annotations.Nullable;

/**
 * Brings messages and receives together, in MPI's order (standard, 3.5): messages of one sender match in the order sent,
 * receives in the order posted. Pure: no protocol, no clock, no thread; guarded by the progress lock.
 */
final class MatchingEngine {
    private PostedReceiveQueue posted = new PostedReceiveQueue();
    private final UnexpectedQueue unexpected = new UnexpectedQueue();
    /** Null unless ranks may go back alone. */
    private @Nullable AnySource anySource;

    /** Hears of searches of any source. */
    void onWildcard(Chances chances) {
        unexpected.onWildcard(chances);
    }

    /** Records, and follows, what operations of any source get. */
    void record(AnySource recorded) {
        anySource = recorded;
    }

    /** Whether a receive of any source is posted. */
    boolean awaitsAnySource() {
        return posted.awaitsAnySource();
    }

    /**
     * An envelope has arrived.
     *
     * @return the receive that takes it, out of the queue now; or null: the caller appends it with {@link #keep}
     */
    @Nullable
    OperationRecord arrive(int source, FrameHeader header) {
        AnySource recorded = anySource;
        return recorded == null ? posted.take(source, header) : recorded.arrive(posted, source, header);
    }

    /** A message without a receive. */
    void keep(UnexpectedMessage message) {
        unexpected.append(message);
    }

    /** A message of a snapshot without a receive: before all others. */
    void keepInFront(UnexpectedMessage message) {
        unexpected.prepend(message);
    }

    /** Takes the earliest message that a receive accepts out of the queue; null, and the receive is posted, if none. */
    @Nullable
    UnexpectedMessage post(OperationRecord receive) {
        UnexpectedMessage message = takeFor(receive);
        if (message == null) {
            posted.append(receive);
        }
        return message;
    }

    /** Posts a receive for which {@link #takeFor} has found nothing. */
    void postUnmatched(OperationRecord receive) {
        posted.append(receive);
    }

    /** As {@link #post}, but the receive is not posted if there is no message. */
    @Nullable
    UnexpectedMessage takeFor(OperationRecord receive) {
        if (unexpected.size() == 0) {
            return null;
        }
        AnySource recorded = anySource;
        UnexpectedMessage message = recorded == null ? find(receive) : recorded.takeFor(receive, unexpected);
        if (message != null) {
            unexpected.remove(message);
        }
        return message;
    }

    private @Nullable UnexpectedMessage find(OperationRecord receive) {
        return unexpected.find(
                receive.peer, receive.contextId, receive.tag, receive.matchType, receive.typeCodeWanted());
    }

    /** The message that a receive would take now; it stays. */
    @Nullable
    UnexpectedMessage probe(int source, long contextId, int tag) {
        AnySource recorded = anySource;
        if (recorded != null) {
            return recorded.probe(source, contextId, tag, unexpected);
        }
        return unexpected.find(source, contextId, tag, false, 0);
    }

    /** As {@link #probe} for a call that does not block: those before it have no say. */
    @Nullable
    UnexpectedMessage look(int source, long contextId, int tag) {
        return unexpected.find(source, contextId, tag, false, 0);
    }

    /** The message that an Iprobe found before this rank went back; null if it is not here yet. */
    @Nullable
    UnexpectedMessage lookAsBefore(Determinant before) {
        return unexpected.findByNumber(before.sourceRank(), before.contextId(), before.messageId());
    }

    /** Takes a receive back; false if it is not posted. */
    boolean withdraw(OperationRecord receive) {
        if (!receive.posted) {
            return false;
        }
        posted.remove(receive);
        return true;
    }

    /** Takes a message back that its sender cancels; null if it is matched or was never here. */
    @Nullable
    UnexpectedMessage withdraw(int source, long senderToken) {
        UnexpectedMessage message = unexpected.findByToken(source, senderToken);
        if (message != null) {
            unexpected.remove(message);
        }
        return message;
    }

    /** As {@link #withdraw(int, long)} for a message of this rank to itself. */
    @Nullable
    UnexpectedMessage withdrawSelf(OperationRecord send) {
        UnexpectedMessage message = unexpected.findBySelfSender(send);
        if (message != null) {
            unexpected.remove(message);
        }
        return message;
    }

    void drop(UnexpectedMessage message) {
        unexpected.remove(message);
    }

    PostedReceiveQueue posted() {
        return posted;
    }

    /** Takes over the posted receives of a snapshot; none may be posted yet. */
    void adopt(PostedReceiveQueue restored) {
        posted = restored;
    }

    void forEachPosted(int source, Consumer<OperationRecord> action) {
        posted.forEach(source, action);
    }

    void forEachUnexpected(Consumer<UnexpectedMessage> action) {
        unexpected.forEach(action);
    }

    int unexpectedCount() {
        return unexpected.size();
    }
}
