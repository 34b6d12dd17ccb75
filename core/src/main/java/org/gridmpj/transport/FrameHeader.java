package org.gridmpj.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What precedes the payload of every frame. A mutable cell that its owner fills and reuses, so that a message costs no
 * allocation; whoever needs it for longer than a call copies it ({@link #set(FrameHeader)}).
 *
 * <pre>
 *    0        1        2        3        4                8                16                24
 *    ┌────────┬────────┬────────┬────────┬────────────────┬────────────────┬────────────────┐
 *    │ kind   │ type   │ flags  │ 0      │ source rank    │ context id     │ payload bytes  │
 *    └────────┴────────┴────────┴────────┴────────────────┴────────────────┴────────────────┘
 *   24               28               32               40                48                56
 *    ┌────────────────┬────────────────┬────────────────┬─────────────────┬────────────────┐
 *    │ tag            │ count          │ message id     │ sender token    │ receiver token │
 *    └────────────────┴────────────────┴────────────────┴─────────────────┴────────────────┘
 *   56               64
 *    ┌────────────────┐
 *    │ message bytes  │
 *    └────────────────┘
 * </pre>
 *
 * Native byte order; the handshake of a transport refuses a peer of the other order. Link number, incarnations,
 * generation and epoch belong to the channel and stand in the transport's own prefix.
 */
public final class FrameHeader {
    /** Length in bytes; a multiple of 8, so that payloads stay aligned. */
    public static final int BYTES = 64;

    /** {@link #flags}: each element was serialized by itself; see {@code ObjectCodec}. */
    public static final int FLAG_OBJECTS = 1;

    public static final int KIND_OFFSET = 0;
    public static final int TYPE_OFFSET = 1;
    public static final int FLAGS_OFFSET = 2;
    public static final int SOURCE_OFFSET = 4;
    public static final int CONTEXT_OFFSET = 8;
    public static final int PAYLOAD_OFFSET = 16;
    public static final int TAG_OFFSET = 24;
    public static final int COUNT_OFFSET = 28;
    public static final int MESSAGE_ID_OFFSET = 32;
    public static final int SENDER_TOKEN_OFFSET = 40;
    public static final int RECEIVER_TOKEN_OFFSET = 48;
    public static final int MESSAGE_BYTES_OFFSET = 56;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /** What the frame is for. */
    public FrameKind kind = FrameKind.EAGER;
    /** Code of the base type ({@code BaseType.code()}), for the type matching of the MPJ dialect; 0 if none. */
    public int typeCode;
    /** FLAG_ constants. */
    public int flags;
    /** World rank of the sender. */
    public int sourceRank;
    /** Communicator and kind of traffic (point-to-point or collective). */
    public long contextId;
    /** Bytes that follow this header. */
    public long payloadBytes;
    /** Tag of the message. */
    public int tag;
    /** Number of base elements in the message. */
    public int count;
    /** Number of the message in program order for (source, destination, context); the epoch in a MARKER. */
    public long messageId;
    /** Names the send operation at the sender, echoed by CTS, SYNC_ACK and CANCEL_REPLY. */
    public long senderToken;
    /** Names the receive operation at the receiver, from CTS, echoed by DATA. */
    public long receiverToken;
    /** Length of the whole message: payloadBytes of EAGER and DATA, what is to come in an RTS. */
    public long messageBytes;

    /** Takes over all fields of another header. */
    public void set(FrameHeader other) {
        kind = other.kind;
        typeCode = other.typeCode;
        flags = other.flags;
        sourceRank = other.sourceRank;
        contextId = other.contextId;
        payloadBytes = other.payloadBytes;
        tag = other.tag;
        count = other.count;
        messageId = other.messageId;
        senderToken = other.senderToken;
        receiverToken = other.receiverToken;
        messageBytes = other.messageBytes;
    }

    /** Back to an EAGER frame of no bytes. */
    public void clear() {
        beEager();
        typeCode = 0;
        flags = 0;
        sourceRank = 0;
        contextId = 0;
        payloadBytes = 0;
        tag = 0;
        count = 0;
        messageId = 0;
        senderToken = 0;
        receiverToken = 0;
        messageBytes = 0;
    }

    /** As most frames are; a store that changes nothing would cost a fence with some collectors. */
    public void beEager() {
        if (kind != FrameKind.EAGER) {
            kind = FrameKind.EAGER;
        }
    }

    /** Writes the {@link #BYTES} of this header. */
    public void write(MemorySegment target, long offsetBytes) {
        target.set(ValueLayout.JAVA_BYTE, offsetBytes + KIND_OFFSET, (byte) kind.code());
        target.set(ValueLayout.JAVA_BYTE, offsetBytes + TYPE_OFFSET, (byte) typeCode);
        target.set(ValueLayout.JAVA_BYTE, offsetBytes + FLAGS_OFFSET, (byte) flags);
        target.set(ValueLayout.JAVA_BYTE, offsetBytes + 3, (byte) 0);
        target.set(INT, offsetBytes + SOURCE_OFFSET, sourceRank);
        target.set(LONG, offsetBytes + CONTEXT_OFFSET, contextId);
        target.set(LONG, offsetBytes + PAYLOAD_OFFSET, payloadBytes);
        target.set(INT, offsetBytes + TAG_OFFSET, tag);
        target.set(INT, offsetBytes + COUNT_OFFSET, count);
        target.set(LONG, offsetBytes + MESSAGE_ID_OFFSET, messageId);
        target.set(LONG, offsetBytes + SENDER_TOKEN_OFFSET, senderToken);
        target.set(LONG, offsetBytes + RECEIVER_TOKEN_OFFSET, receiverToken);
        target.set(LONG, offsetBytes + MESSAGE_BYTES_OFFSET, messageBytes);
    }

    /**
     * Reads the {@link #BYTES} of a header.
     *
     * @throws IllegalArgumentException if they are none: the stream is corrupt
     */
    public void read(MemorySegment source, long offsetBytes) {
        kind = FrameKind.of(source.get(ValueLayout.JAVA_BYTE, offsetBytes + KIND_OFFSET));
        typeCode = source.get(ValueLayout.JAVA_BYTE, offsetBytes + TYPE_OFFSET) & 0xFF;
        flags = source.get(ValueLayout.JAVA_BYTE, offsetBytes + FLAGS_OFFSET) & 0xFF;
        sourceRank = source.get(INT, offsetBytes + SOURCE_OFFSET);
        contextId = source.get(LONG, offsetBytes + CONTEXT_OFFSET);
        payloadBytes = source.get(LONG, offsetBytes + PAYLOAD_OFFSET);
        tag = source.get(INT, offsetBytes + TAG_OFFSET);
        count = source.get(INT, offsetBytes + COUNT_OFFSET);
        messageId = source.get(LONG, offsetBytes + MESSAGE_ID_OFFSET);
        senderToken = source.get(LONG, offsetBytes + SENDER_TOKEN_OFFSET);
        receiverToken = source.get(LONG, offsetBytes + RECEIVER_TOKEN_OFFSET);
        messageBytes = source.get(LONG, offsetBytes + MESSAGE_BYTES_OFFSET);
        if (payloadBytes < 0 || messageBytes < 0 || count < 0) {
            throw new IllegalArgumentException("a frame header with a negative length: " + this);
        }
    }

    @Override
    public String toString() {
        return kind + " from " + sourceRank + " context " + Long.toHexString(contextId) + " tag " + tag + " count "
                + count + " payload " + payloadBytes + " B message " + messageId + " (" + messageBytes + " B) tokens "
                + senderToken + "→" + receiverToken;
    }
}
