package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;
import org.gridmpj.transport.FrameHeader;

/**
 * What precedes the {@link FrameHeader} of every frame on a link, and is all of an acknowledgement.
 *
 * <pre>
 *    0        4        8                16               24               32
 *    ┌────────┬────────┬────────────────┬────────────────┬────────────────┐
 *    │ magic  │ CRC32C │ length         │ link number    │ acknowledged   │
 *    └────────┴────────┴────────────────┴────────────────┴────────────────┘
 *   32       36       40       44       48       52       56
 *    ┌────────┬────────┬────────┬────────┬────────┬────────┐
 *    │ source │ destin.│ gener- │ epoch  │ flags  │ 0      │
 *    │ incarn.│ incarn.│ ation  │        │        │        │
 *    └────────┴────────┴────────┴────────┴────────┴────────┘
 * </pre>
 *
 * Native byte order; the handshake refuses the other one. {@code length}: bytes that follow the prefix, header and payload
 * with its padding to a multiple of 8. {@code acknowledged}: the link number that the sender expects next of the other
 * direction. The checksum covers everything from {@code length} to the end of the header; the payload is TCP's (or TLS's)
 * to protect.
 */
final class LinkPrefix {
    static final int BYTES = 56;
    /** Prefix and header. */
    static final int HEAD_BYTES = BYTES + FrameHeader.BYTES;

    static final int MAGIC = 0x47544631;

    static final int MAGIC_OFFSET = 0;
    static final int CHECKSUM_OFFSET = 4;
    static final int LENGTH_OFFSET = 8;
    static final int NUMBER_OFFSET = 16;
    static final int ACKNOWLEDGED_OFFSET = 24;
    static final int SOURCE_INCARNATION_OFFSET = 32;
    static final int DESTINATION_INCARNATION_OFFSET = 36;
    static final int GENERATION_OFFSET = 40;
    static final int EPOCH_OFFSET = 44;
    static final int FLAGS_OFFSET = 48;

    /** A frame follows; without it the prefix is an acknowledgement alone. */
    static final int FLAG_FRAME = 1;
    /** The receiver is to acknowledge at once, for the sender's room or buffer depends on it. */
    static final int FLAG_ACKNOWLEDGE_NOW = 2;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private LinkPrefix() {}

    static int getInt(MemorySegment segment, int atBytes) {
        return segment.get(INT, atBytes);
    }

    static long getLong(MemorySegment segment, int atBytes) {
        return segment.get(LONG, atBytes);
    }

    static void putInt(MemorySegment segment, int atBytes, int value) {
        segment.set(INT, atBytes, value);
    }

    static void putLong(MemorySegment segment, int atBytes, long value) {
        segment.set(LONG, atBytes, value);
    }

    /** Payload length on the wire: padded, so that every frame begins at a multiple of 8. */
    static long padded(long payloadBytes) {
        return (payloadBytes + 7) & -8L;
    }

    /** Writes a whole prefix but for the checksum. */
    static void write(
            MemorySegment target,
            int atBytes,
            long lengthBytes,
            long number,
            long acknowledged,
            int sourceIncarnation,
            int destinationIncarnation,
            int generation,
            int epoch,
            int flags) {
        putInt(target, atBytes + MAGIC_OFFSET, MAGIC);
        putLong(target, atBytes + LENGTH_OFFSET, lengthBytes);
        putLong(target, atBytes + NUMBER_OFFSET, number);
        putLong(target, atBytes + ACKNOWLEDGED_OFFSET, acknowledged);
        putInt(target, atBytes + SOURCE_INCARNATION_OFFSET, sourceIncarnation);
        putInt(target, atBytes + DESTINATION_INCARNATION_OFFSET, destinationIncarnation);
        putInt(target, atBytes + GENERATION_OFFSET, generation);
        putInt(target, atBytes + EPOCH_OFFSET, epoch);
        putInt(target, atBytes + FLAGS_OFFSET, flags);
        putInt(target, atBytes + FLAGS_OFFSET + Integer.BYTES, 0);
    }

    /** Puts the checksum over a prefix and, for a frame, its header. */
    static void seal(WireBuffer buffer, int atBytes, int headBytes, CRC32C crc) {
        putInt(buffer.segment, atBytes + CHECKSUM_OFFSET, checksum(buffer, atBytes, headBytes, crc));
    }

    /** The checksum that should stand there. */
    static int checksum(WireBuffer buffer, int atBytes, int headBytes, CRC32C crc) {
        crc.reset();
        crc.update(buffer.view(atBytes + LENGTH_OFFSET, headBytes - LENGTH_OFFSET));
        return (int) crc.getValue();
    }
}
