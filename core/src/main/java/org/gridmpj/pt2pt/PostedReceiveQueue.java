package org.gridmpj.pt2pt;

import java.util.Arrays;
import java.util.function.Consumer;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.log.Determinant;
import org.gridmpj.transport.log.Outcomes;
import org.jspecify.annotations.Nullable;

/**
 * Receives without a message: one list per source and one of ANY_SOURCE, each in order of posting. A message may match
 * one in the list of its source and one in the other; the one posted first takes it (MPI standard, 3.5).
 *
 * <p>Guarded by the progress lock.
 */
final class PostedReceiveQueue {
    /** Lists by source + 1; the list of ANY_SOURCE is the first. */
    private @Nullable OperationRecord[] first = new @Nullable OperationRecord[9];

    private @Nullable OperationRecord[] last = new @Nullable OperationRecord[9];
    private long sequence;

    void append(OperationRecord receive) {
        int list = listOf(receive.peer);
        if (list >= first.length) {
            int length = Math.max(list + 1, 2 * first.length);
            first = Arrays.copyOf(first, length);
            last = Arrays.copyOf(last, length);
        }
        receive.postSequence = sequence++;
        receive.posted = true;
        OperationRecord before = last[list];
        receive.previousPosted = before;
        receive.nextPosted = null;
        if (before == null) {
            first[list] = receive;
        } else {
            before.nextPosted = receive;
        }
        last[list] = receive;
    }

    /** Takes out the receive posted earliest that accepts this envelope, or null. */
    @Nullable
    OperationRecord take(int source, FrameHeader header) {
        OperationRecord named = source + 1 < first.length ? search(first[source + 1], header) : null;
        OperationRecord any = search(first[0], header);
        OperationRecord found;
        if (named == null) {
            found = any;
        } else if (any == null || named.postSequence < any.postSequence) {
            found = named;
        } else {
            found = any;
        }
        if (found != null) {
            remove(found);
        }
        return found;
    }

    /**
     * As {@link #take} for a rank that has gone back alone: a receive of any source of which it is known what it got takes
     * that message only, and one that is going to be cancelled none.
     */
    @Nullable
    OperationRecord takeAsBefore(int source, FrameHeader header, Outcomes outcomes) {
        OperationRecord found = source + 1 < first.length ? search(first[source + 1], header) : null;
        while (found != null && outcomes.polls().willBeCancelled(found.receiveNumber)) {
            found = search(found.nextPosted, header);
        }
        for (OperationRecord any = first[0]; any != null; any = any.nextPosted) {
            if (outcomes.polls().willBeCancelled(any.receiveNumber)) {
                continue;
            }
            Determinant before = outcomes.ofReceive(any.receiveNumber);
            if (before == null
                    ? Matching.accepts(any.contextId, any.tag, any.matchType, any.typeCodeWanted(), header)
                    : AnySource.isOf(before, source, header)) {
                if (found == null || any.postSequence < found.postSequence) {
                    found = any;
                }
                break;
            }
        }
        if (found != null) {
            remove(found);
        }
        return found;
    }

    boolean awaitsAnySource() {
        return first[0] != null;
    }

    void remove(OperationRecord receive) {
        int list = listOf(receive.peer);
        OperationRecord before = receive.previousPosted;
        OperationRecord after = receive.nextPosted;
        if (before == null) {
            first[list] = after;
        } else {
            before.nextPosted = after;
        }
        if (after == null) {
            last[list] = before;
        } else {
            after.previousPosted = before;
        }
        receive.previousPosted = null;
        receive.nextPosted = null;
        receive.posted = false;
    }

    /** All receives of a list: of a source or of ANY_SOURCE; the action may remove the one it is given. */
    void forEach(int source, Consumer<OperationRecord> action) {
        int list = listOf(source);
        OperationRecord receive = list < first.length ? first[list] : null;
        while (receive != null) {
            OperationRecord next = receive.nextPosted;
            action.accept(receive);
            receive = next;
        }
    }

    private static @Nullable OperationRecord search(@Nullable OperationRecord from, FrameHeader header) {
        for (OperationRecord receive = from; receive != null; receive = receive.nextPosted) {
            if (Matching.accepts(receive.contextId, receive.tag, receive.matchType, receive.typeCodeWanted(), header)) {
                return receive;
            }
        }
        return null;
    }

    private static int listOf(int source) {
        return source == PointToPoint.ANY_SOURCE ? 0 : source + 1;
    }
}
