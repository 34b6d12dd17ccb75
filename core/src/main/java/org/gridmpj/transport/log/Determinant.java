package org.gridmpj.transport.log;

import java.nio.ByteBuffer;

/**
 * Which message an operation of any source has got, which of several requests a wait for some of them has completed, or what
 * a poll has answered: what its rank must do again when it goes back alone (Alvisi and Marzullo, Message logging, 1998).
 *
 * @param number of the operation among those of its kind: receives in the order of their starts, others in that of their
 *     ends; polls of all kinds together; of those that said no, that of the next one
 * @param sourceRank world rank of the sender; of a choice or a test, index of the request; else 0
 * @param contextId of the operation and of the message; where there is none, 0
 * @param messageId number of the message in its channel and context; of a cancel, that of the receive; else 0
 */
public record Determinant(Kind kind, long number, int sourceRank, long contextId, long messageId) {
    /** What an operation was. */
    public enum Kind {
        /** A receive. */
        RECEIVE(1),
        /** A blocking probe. */
        PROBE(2),
        /** Waitany, or one request of Waitsome. */
        CHOICE(3),
        /** All polls before a number, but for those that said yes. */
        POLLS_SAID_NO(4),
        /** A Test or one of its like that said yes; one for each request that it completed. */
        TESTED(5),
        /** An Iprobe that found a message. */
        FOUND(6),
        /** A cancel of a receive that had no message yet. */
        CANCELLED(7);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        private static Kind of(int code) {
            return switch (code) {
                case 1 -> RECEIVE;
                case 2 -> PROBE;
                case 3 -> CHOICE;
                case 4 -> POLLS_SAID_NO;
                case 5 -> TESTED;
                case 6 -> FOUND;
                case 7 -> CANCELLED;
                default -> throw new IllegalArgumentException("no determinant is of kind " + code);
            };
        }
    }

    /** Encoded: kind (int), source (int), number, context, message (longs). */
    static final int BYTES = 2 * Integer.BYTES + 3 * Long.BYTES;

    void write(ByteBuffer target) {
        target.putInt(kind.code)
                .putInt(sourceRank)
                .putLong(number)
                .putLong(contextId)
                .putLong(messageId);
    }

    /** @throws IllegalArgumentException if it is none */
    static Determinant read(ByteBuffer source) {
        Kind kind = Kind.of(source.getInt());
        int sourceRank = source.getInt();
        return new Determinant(kind, source.getLong(), sourceRank, source.getLong(), source.getLong());
    }

    @Override
    public String toString() {
        return switch (kind) {
            case RECEIVE, PROBE ->
                (kind == Kind.RECEIVE ? "receive " : "probe ") + number + " of any source: message " + messageId
                        + " of rank " + sourceRank + " in context " + Long.toHexString(contextId);
            case CHOICE -> "wait " + number + " for some of several requests: that with index " + sourceRank;
            case POLLS_SAID_NO -> "no poll before " + number;
            case TESTED -> "poll " + number + ", a test: the request with index " + sourceRank + " is complete";
            case FOUND ->
                "poll " + number + ", an Iprobe: message " + messageId + " of rank " + sourceRank + " in context "
                        + Long.toHexString(contextId);
            case CANCELLED -> "poll " + number + ", a cancel: receive " + messageId;
        };
    }
}
