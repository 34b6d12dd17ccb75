package org.gridmpj.transport.gridtcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The handshake of a channel, each way once per connection, after the proof of the secret.
 *
 * <pre>
 *    0        4        8        12       16       20       24       28       32
 *    ┌────────┬────────┬────────┬────────┬────────┬────────┬────────┬────────┐
 *    │ magic  │ version│ verdict│ size   │ rank   │ gener- │ incar- │ peer's │
 *    │        │        │        │        │        │ ation  │ nation │ incarn.│
 *    └────────┴────────┴────────┴────────┴────────┴────────┴────────┴────────┘
 *   32               40               48               56       60       64
 *    ┌────────────────┬────────────────┬────────────────┬────────┬────────┐
 *    │ next expected  │ next number    │ committed      │ epoch  │ descr. │
 *    └────────────────┴────────────────┴────────────────┴────────┴────────┘
 *   64               72               80               88       92       96
 *    ┌────────────────┬────────────────┬────────────────┬────────┬────────┐
 *    │ shared: host   │ process        │ number         │ length │ CRC32C │
 *    └────────────────┴────────────────┴────────────────┴────────┴────────┘
 * </pre>
 *
 * <p>The descriptor is of the shared memory, too. Version 2 had no number of it.
 *
 * Native byte order: a peer of the other one has the magic the wrong way round and is told so in its log.
 *
 * @param verdict what the sender thinks of the peer's hello; ACCEPTED in the first one
 * @param size ranks of the job
 * @param worldRank the sender
 * @param generation the sender's
 * @param incarnation the sender's
 * @param peerIncarnation the receiver's, as the sender knows it
 * @param nextExpected link number that the sender waits for: everything below it has arrived
 * @param nextNumber link number that the sender's next new frame will have
 * @param committedWatermark link number below which a committed snapshot of the sender covers what it received
 * @param epoch of the sender; a higher one acts as marker when no frame is under way
 * @param sharing the shared memory that the dialer offers; in the answer the same if the acceptor uses it
 */
record Hello(
        Admission verdict,
        int size,
        int worldRank,
        int generation,
        int incarnation,
        int peerIncarnation,
        long nextExpected,
        long nextNumber,
        long committedWatermark,
        int epoch,
        Sharing sharing) {
    static final int BYTES = 96;
    /** Reads differently from the other end: the byte-order mark. */
    static final int MAGIC = 0x47544348;

    static final int VERSION = 4;

    private static final int CHECKED_BYTES = BYTES - Integer.BYTES;

    /** Without shared memory. */
    Hello(
            Admission verdict,
            int size,
            int worldRank,
            int generation,
            int incarnation,
            int peerIncarnation,
            long nextExpected,
            long nextNumber,
            long committedWatermark,
            int epoch) {
        this(
                verdict,
                size,
                worldRank,
                generation,
                incarnation,
                peerIncarnation,
                nextExpected,
                nextNumber,
                committedWatermark,
                epoch,
                Sharing.NONE);
    }

    /** The same with shared memory. */
    Hello with(Sharing offer) {
        return new Hello(
                verdict,
                size,
                worldRank,
                generation,
                incarnation,
                peerIncarnation,
                nextExpected,
                nextNumber,
                committedWatermark,
                epoch,
                offer);
    }

    byte[] encode() {
        ByteBuffer buffer = ByteBuffer.allocate(BYTES).order(ByteOrder.nativeOrder());
        buffer.putInt(MAGIC)
                .putInt(VERSION)
                .putInt(verdict.code())
                .putInt(size)
                .putInt(worldRank)
                .putInt(generation)
                .putInt(incarnation)
                .putInt(peerIncarnation)
                .putLong(nextExpected)
                .putLong(nextNumber)
                .putLong(committedWatermark)
                .putInt(epoch)
                .putInt(sharing.descriptor())
                .putLong(sharing.hostId())
                .putLong(sharing.pid())
                .putLong(sharing.number())
                .putInt(sharing.segmentBytes())
                .putInt(checksum(buffer.array()));
        return buffer.array();
    }

    /**
     * Reads a hello.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    static Hello decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        int magic = buffer.getInt();
        if (magic == Integer.reverseBytes(MAGIC)) {
            throw new IllegalArgumentException(
                    "the peer has the other byte order: GridTcp joins hosts of one byte order only");
        }
        if (magic != MAGIC) {
            throw new IllegalArgumentException("no GridTcp handshake: magic " + Integer.toHexString(magic));
        }
        int version = buffer.getInt();
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "the peer speaks version " + version + " of GridTcp, this rank version " + VERSION);
        }
        if (buffer.getInt(CHECKED_BYTES) != checksum(bytes)) {
            throw new IllegalArgumentException("a handshake with a wrong checksum");
        }
        Hello hello = new Hello(
                Admission.of(buffer.getInt()),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getLong(),
                buffer.getLong(),
                buffer.getLong(),
                buffer.getInt());
        int descriptor = buffer.getInt();
        return hello.with(
                new Sharing(buffer.getLong(), buffer.getLong(), descriptor, buffer.getLong(), buffer.getInt()));
    }

    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, CHECKED_BYTES);
        return (int) crc.getValue();
    }
}
