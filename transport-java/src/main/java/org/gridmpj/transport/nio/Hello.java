package org.gridmpj.transport.nio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What each end says about itself once both have proved that they know the job's secret.
 *
 * <pre>
 *    0          8        12        16           20     24       28            32            36      40         44    48
 *    ┌──────────┬────────┬─────────┬────────────┬──────┬────────┬─────────────┬─────────────┬───────┬──────────┬─────┐
 *    │ "GRIDMPJ"│ order  │ version │ generation │ size │ source │ destination │ source's    │ 0     │ CRC32C   │ 0   │
 *    │ and a 0  │ mark   │         │            │      │ rank   │ rank        │ incarnation │       │ of 0..40 │     │
 *    └──────────┴────────┴─────────┴────────────┴──────┴────────┴─────────────┴─────────────┴───────┴──────────┴─────┘
 * </pre>
 *
 * Native byte order, which the mark tells.
 */
record Hello(int version, int generation, int size, int sourceRank, int destinationRank, int incarnation) {
    /** Version of the wire: the handshake and everything after it. */
    static final int VERSION = 1;

    static final int BYTES = 48;
    static final int ORDER_MARK = 0x01020304;

    private static final byte[] MAGIC = "GRIDMPJ\0".getBytes(StandardCharsets.US_ASCII);
    private static final int ORDER_OFFSET = 8;
    private static final int VERSION_OFFSET = 12;
    private static final int GENERATION_OFFSET = 16;
    private static final int SIZE_OFFSET = 20;
    private static final int SOURCE_OFFSET = 24;
    private static final int DESTINATION_OFFSET = 28;
    private static final int INCARNATION_OFFSET = 32;
    private static final int CHECKSUM_OFFSET = 40;

    /** The bytes that are sent. */
    byte[] encode() {
        byte[] bytes = new byte[BYTES];
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        buffer.put(0, MAGIC);
        buffer.putInt(ORDER_OFFSET, ORDER_MARK);
        buffer.putInt(VERSION_OFFSET, version);
        buffer.putInt(GENERATION_OFFSET, generation);
        buffer.putInt(SIZE_OFFSET, size);
        buffer.putInt(SOURCE_OFFSET, sourceRank);
        buffer.putInt(DESTINATION_OFFSET, destinationRank);
        buffer.putInt(INCARNATION_OFFSET, incarnation);
        buffer.putInt(CHECKSUM_OFFSET, checksum(bytes));
        return bytes;
    }

    /**
     * Reads the bytes of a peer.
     *
     * @throws HandshakeRefusal if this is no greeting that can be understood
     */
    static Hello decode(byte[] bytes) throws HandshakeRefusal {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new HandshakeRefusal("it does not greet as a GridMPJ rank", false);
        }
        int mark = buffer.getInt(ORDER_OFFSET);
        if (mark == Integer.reverseBytes(ORDER_MARK)) {
            throw new HandshakeRefusal(
                    "it has the other byte order: the ranks of a job must all run on processors of one byte order",
                    true);
        }
        int version = buffer.getInt(VERSION_OFFSET);
        if (version != VERSION) {
            throw new HandshakeRefusal(
                    "it speaks version " + version + " of the wire, this rank version " + VERSION
                            + ": install the same GridMPJ on all hosts",
                    true);
        }
        if (mark != ORDER_MARK || buffer.getInt(CHECKSUM_OFFSET) != checksum(bytes)) {
            throw new HandshakeRefusal("its greeting is damaged", false);
        }
        return new Hello(
                version,
                buffer.getInt(GENERATION_OFFSET),
                buffer.getInt(SIZE_OFFSET),
                buffer.getInt(SOURCE_OFFSET),
                buffer.getInt(DESTINATION_OFFSET),
                buffer.getInt(INCARNATION_OFFSET));
    }

    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, CHECKSUM_OFFSET);
        return (int) crc.getValue();
    }
}
