package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.PayloadSource;

/**
 * A short eager message as it stands in shared memory: with its record's word and up to 16 bytes of payload one cache line,
 * where the wire image has three.
 *
 * <pre>
 *    0        4        8    9    10   11   12       16               24       28       32               40
 *    ┌────────┬────────┬────┬────┬────┬────┬────────┬────────────────┬────────┬────────┬────────────────┬─────────
 *    │ number │ acknow-│type│flag│link│ 0  │ 0      │ context id     │ tag    │ count  │ message id     │ payload …
 *    │        │ ledged │    │    │flag│    │        │                │        │        │                │
 *    └────────┴────────┴────┴────┴────┴────┴────────┴────────────────┴────────┴────────┴────────────────┴─────────
 * </pre>
 *
 * <p>What it leaves out follows from the link: a {@link SharedMemoryLink} joins two incarnations in one generation, and no
 * one else can write to it; the epoch is that of the last whole frame, since a marker is one. Of the link numbers it has the
 * lower halves; the channel knows the upper ones. The record tells its length. What is retained is this very record, as long
 * as nobody needs its memory; the wire image, which any link can take, is made of it when the link goes.
 */
final class ShortFrame {
    /**
     * What may have a short frame instead of the staging ring: it is sent and retained in one place, the link's memory, until the
     * {@link Keeper} lets go of it.
     */
    interface Taker {
        /**
         * Takes a frame, all or nothing.
         *
         * @param number of the frame on the channel
         * @param acknowledged what this end expects next
         * @param flags of its {@link LinkPrefix}
         * @return its place, which grows from frame to frame; −1 if it cannot be taken now
         */
        long putShortFrame(FrameHeader header, PayloadSource payload, long number, long acknowledged, int flags);

        /** The memory in which the frame of a place is kept. */
        MemorySegment keptIn(long place);

        /** Where it begins there. */
        long keptAt(long place);

        /** Its length in bytes. */
        int keptBytes(long place);
    }

    /** Who retains frames in a {@link Taker}'s memory. */
    interface Keeper {
        /** Place of the oldest frame that is needed; {@link Long#MAX_VALUE} if none is. */
        long oldestKept();

        /** The memory is wanted: makes copies of all that is needed, and lets go of it. */
        void letGo();
    }

    /** Longest payload of a frame that is sent so. */
    static final int MOST_PAYLOAD_BYTES = 1 << 15;

    static final int HEAD_BYTES = 40;

    private static final int NUMBER_OFFSET = 0;
    private static final int ACKNOWLEDGED_OFFSET = 4;
    private static final int TYPE_OFFSET = 8;
    private static final int FLAGS_OFFSET = 9;
    private static final int LINK_FLAGS_OFFSET = 10;
    private static final int CONTEXT_OFFSET = 16;
    private static final int TAG_OFFSET = 24;
    private static final int COUNT_OFFSET = 28;
    private static final int MESSAGE_ID_OFFSET = 32;

    private ShortFrame() {}

    /** Whether a frame of this rank can be sent so. */
    static boolean fits(FrameHeader header, int worldRank) {
        return header.kind == FrameKind.EAGER
                && header.payloadBytes <= MOST_PAYLOAD_BYTES
                && header.messageBytes == header.payloadBytes
                && header.sourceRank == worldRank
                && (header.senderToken | header.receiverToken) == 0;
    }

    /** Writes the short form of a staged wire image, payload and all. */
    static void write(MemorySegment image, int imageOffset, MemorySegment target, long at, int payloadBytes) {
        int header = imageOffset + LinkPrefix.BYTES;
        putInt(target, at + NUMBER_OFFSET, (int) LinkPrefix.getLong(image, imageOffset + LinkPrefix.NUMBER_OFFSET));
        putInt(target, at + ACKNOWLEDGED_OFFSET, (int)
                LinkPrefix.getLong(image, imageOffset + LinkPrefix.ACKNOWLEDGED_OFFSET));
        putByte(target, at + TYPE_OFFSET, image.get(ValueLayout.JAVA_BYTE, header + FrameHeader.TYPE_OFFSET));
        putByte(target, at + FLAGS_OFFSET, image.get(ValueLayout.JAVA_BYTE, header + FrameHeader.FLAGS_OFFSET));
        putByte(target, at + LINK_FLAGS_OFFSET, (byte) LinkPrefix.getInt(image, imageOffset + LinkPrefix.FLAGS_OFFSET));
        putLong(target, at + CONTEXT_OFFSET, LinkPrefix.getLong(image, header + FrameHeader.CONTEXT_OFFSET));
        putLong(target, at + TAG_OFFSET, LinkPrefix.getLong(image, header + FrameHeader.TAG_OFFSET));
        putLong(target, at + MESSAGE_ID_OFFSET, LinkPrefix.getLong(image, header + FrameHeader.MESSAGE_ID_OFFSET));
        if (payloadBytes > 2 * Long.BYTES) {
            Bytes.copy(image, header + FrameHeader.BYTES, target, at + HEAD_BYTES, payloadBytes);
        } else if (payloadBytes > 0) {
            // The image is padded to a multiple of 8, the record's line has room for 16.
            putLong(target, at + HEAD_BYTES, LinkPrefix.getLong(image, header + FrameHeader.BYTES));
            if (payloadBytes > Long.BYTES) {
                putLong(
                        target,
                        at + HEAD_BYTES + Long.BYTES,
                        LinkPrefix.getLong(image, header + FrameHeader.BYTES + Long.BYTES));
            }
        }
    }

    /** Writes the short form of a frame that is not staged, payload and all. */
    static void write(
            FrameHeader header,
            PayloadSource payload,
            long number,
            long acknowledged,
            int linkFlags,
            MemorySegment target,
            long at) {
        putInt(target, at + NUMBER_OFFSET, (int) number);
        putInt(target, at + ACKNOWLEDGED_OFFSET, (int) acknowledged);
        putByte(target, at + TYPE_OFFSET, (byte) header.typeCode);
        putByte(target, at + FLAGS_OFFSET, (byte) header.flags);
        putByte(target, at + LINK_FLAGS_OFFSET, (byte) linkFlags);
        putLong(target, at + CONTEXT_OFFSET, header.contextId);
        putInt(target, at + TAG_OFFSET, header.tag);
        putInt(target, at + COUNT_OFFSET, header.count);
        putLong(target, at + MESSAGE_ID_OFFSET, header.messageId);
        if (header.payloadBytes > 0) {
            payload.read(0, target, at + HEAD_BYTES, (int) header.payloadBytes);
        }
    }

    /** Reads all of the header but the source rank. */
    static void read(MemorySegment source, long at, int payloadBytes, FrameHeader header) {
        header.beEager();
        header.typeCode = source.get(ValueLayout.JAVA_BYTE, at + TYPE_OFFSET) & 0xFF;
        header.flags = source.get(ValueLayout.JAVA_BYTE, at + FLAGS_OFFSET) & 0xFF;
        header.contextId = source.get(ValueLayout.JAVA_LONG_UNALIGNED, at + CONTEXT_OFFSET);
        header.tag = source.get(ValueLayout.JAVA_INT_UNALIGNED, at + TAG_OFFSET);
        header.count = source.get(ValueLayout.JAVA_INT_UNALIGNED, at + COUNT_OFFSET);
        header.messageId = source.get(ValueLayout.JAVA_LONG_UNALIGNED, at + MESSAGE_ID_OFFSET);
        header.payloadBytes = payloadBytes;
        header.messageBytes = payloadBytes;
        header.senderToken = 0;
        header.receiverToken = 0;
    }

    /** The link number whose lower half stands there, as the one nearest to a number that is known. */
    static long number(MemorySegment source, long at, long near) {
        return nearest(source.get(ValueLayout.JAVA_INT_UNALIGNED, at + NUMBER_OFFSET), near);
    }

    /** What the sender expects next, as {@link #number}. */
    static long acknowledged(MemorySegment source, long at, long near) {
        return nearest(source.get(ValueLayout.JAVA_INT_UNALIGNED, at + ACKNOWLEDGED_OFFSET), near);
    }

    static boolean asksForAcknowledgement(MemorySegment source, long at) {
        return (source.get(ValueLayout.JAVA_BYTE, at + LINK_FLAGS_OFFSET) & LinkPrefix.FLAG_ACKNOWLEDGE_NOW) != 0;
    }

    private static long nearest(int lowerHalf, long near) {
        return near + (lowerHalf - (int) near);
    }

    private static void putByte(MemorySegment target, long at, byte value) {
        target.set(ValueLayout.JAVA_BYTE, at, value);
    }

    private static void putInt(MemorySegment target, long at, int value) {
        target.set(ValueLayout.JAVA_INT_UNALIGNED, at, value);
    }

    private static void putLong(MemorySegment target, long at, long value) {
        target.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
    }
}
