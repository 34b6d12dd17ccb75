package org.gridmpj.pt2pt;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages without a receive, in order of arrival: one list per source, for receives that name it, and one of all, for
 * ANY_SOURCE. A message that its receive has been waiting for never gets here; one that has is mostly the first of its
 * list, so the common path is O(1).
 *
 * <pre>
 *   source 0:  a ───────▶ d          of all:  a ▶ b ▶ c ▶ d
 *   source 1:      b ▶ c
 * </pre>
 *
 * Guarded by the progress lock.
 */
final class UnexpectedQueue {
    private @Nullable UnexpectedMessage[] firstOfSource = new @Nullable UnexpectedMessage[8];
    private @Nullable UnexpectedMessage[] lastOfSource = new @Nullable UnexpectedMessage[8];
    private @Nullable UnexpectedMessage firstOfAll;
    private @Nullable UnexpectedMessage lastOfAll;
    private int size;
    private @Nullable Chances chances;

    /** Hears of searches of any source. */
    void onWildcard(Chances listening) {
        chances = listening;
    }

    void append(UnexpectedMessage message) {
        int source = message.header.sourceRank;
        growTo(source);
        UnexpectedMessage last = lastOfSource[source];
        message.previousOfSource = last;
        message.nextOfSource = null;
        if (last == null) {
            firstOfSource[source] = message;
        } else {
            last.nextOfSource = message;
        }
        lastOfSource[source] = message;

        UnexpectedMessage lastAll = lastOfAll;
        message.previousOfAll = lastAll;
        message.nextOfAll = null;
        if (lastAll == null) {
            firstOfAll = message;
        } else {
            lastAll.nextOfAll = message;
        }
        lastOfAll = message;
        size++;
    }

    /** In front of all others: messages of a snapshot come before what arrived since. */
    void prepend(UnexpectedMessage message) {
        int source = message.header.sourceRank;
        growTo(source);
        UnexpectedMessage first = firstOfSource[source];
        message.previousOfSource = null;
        message.nextOfSource = first;
        if (first == null) {
            lastOfSource[source] = message;
        } else {
            first.previousOfSource = message;
        }
        firstOfSource[source] = message;

        UnexpectedMessage firstAll = firstOfAll;
        message.previousOfAll = null;
        message.nextOfAll = firstAll;
        if (firstAll == null) {
            lastOfAll = message;
        } else {
            firstAll.previousOfAll = message;
        }
        firstOfAll = message;
        size++;
    }

    /** The earliest message that a receive with this envelope would take; it stays in the queue. */
    @Nullable
    UnexpectedMessage find(int source, long contextId, int tag, boolean matchType, int typeCode) {
        if (source == PointToPoint.ANY_SOURCE) {
            if (chances != null) {
                chances.wildcard();
            }
            for (UnexpectedMessage m = firstOfAll; m != null; m = m.nextOfAll) {
                if (Matching.accepts(contextId, tag, matchType, typeCode, m.header)) {
                    return m;
                }
            }
            return null;
        }
        if (source >= firstOfSource.length) {
            return null;
        }
        for (UnexpectedMessage m = firstOfSource[source]; m != null; m = m.nextOfSource) {
            if (Matching.accepts(contextId, tag, matchType, typeCode, m.header)) {
                return m;
            }
        }
        return null;
    }

    /** The message with this number, or null. */
    @Nullable
    UnexpectedMessage findByNumber(int source, long contextId, long messageId) {
        if (source >= firstOfSource.length) {
            return null;
        }
        for (UnexpectedMessage m = firstOfSource[source]; m != null; m = m.nextOfSource) {
            if (m.header.contextId == contextId && m.header.messageId == messageId) {
                return m;
            }
        }
        return null;
    }

    /** The message of a send that its sender names by token, or null. */
    @Nullable
    UnexpectedMessage findByToken(int source, long senderToken) {
        if (source >= firstOfSource.length) {
            return null;
        }
        for (UnexpectedMessage m = firstOfSource[source]; m != null; m = m.nextOfSource) {
            if (m.header.senderToken == senderToken) {
                return m;
            }
        }
        return null;
    }

    /** The message whose data still lies with this send of the own rank, or null. */
    @Nullable
    UnexpectedMessage findBySelfSender(OperationRecord send) {
        UnexpectedMessage m = send.peer < firstOfSource.length ? firstOfSource[send.peer] : null;
        while (m != null && m.selfSender != send) {
            m = m.nextOfSource;
        }
        return m;
    }

    void remove(UnexpectedMessage message) {
        int source = message.header.sourceRank;
        UnexpectedMessage before = message.previousOfSource;
        UnexpectedMessage after = message.nextOfSource;
        if (before == null) {
            firstOfSource[source] = after;
        } else {
            before.nextOfSource = after;
        }
        if (after == null) {
            lastOfSource[source] = before;
        } else {
            after.previousOfSource = before;
        }

        UnexpectedMessage beforeAll = message.previousOfAll;
        UnexpectedMessage afterAll = message.nextOfAll;
        if (beforeAll == null) {
            firstOfAll = afterAll;
        } else {
            beforeAll.nextOfAll = afterAll;
        }
        if (afterAll == null) {
            lastOfAll = beforeAll;
        } else {
            afterAll.previousOfAll = beforeAll;
        }
        message.previousOfSource = null;
        message.nextOfSource = null;
        message.previousOfAll = null;
        message.nextOfAll = null;
        size--;
    }

    /** All messages in order of arrival. */
    void forEach(Consumer<UnexpectedMessage> action) {
        UnexpectedMessage m = firstOfAll;
        while (m != null) {
            UnexpectedMessage next = m.nextOfAll;
            action.accept(m);
            m = next;
        }
    }

    int size() {
        return size;
    }

    private void growTo(int source) {
        if (source >= firstOfSource.length) {
            int length = Math.max(source + 1, 2 * firstOfSource.length);
            firstOfSource = Arrays.copyOf(firstOfSource, length);
            lastOfSource = Arrays.copyOf(lastOfSource, length);
        }
    }
}
