package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.PayloadSource;

/**
 * One channel in a snapshot.
 *
 * <pre>
 *    0        4        8        12       16       20       24       28       32
 *    ┌────────┬────────┬────────┬────────┬────────┬────────┬────────┬────────┐
 *    │ magic  │ version│ peer   │ gener- │ incar- │ epoch  │ peer's │ cut's  │
 *    │        │        │ rank   │ ation  │ nation │        │ epoch  │ epoch  │
 *    └────────┴────────┴────────┴────────┴────────┴────────┴────────┴────────┘
 *   32               40               48               56               64
 *    ┌────────────────┬────────────────┬────────────────┬────────────────┐
 *    │ next expected  │ next number    │ cut expected   │ cut number     │
 *    └────────────────┴────────────────┴────────────────┴────────────────┘
 *   64       68
 *    ┌────────┬ frames × ┌───────────┬──────────────────────────┐┬────────┬──────────┬────────┐
 *    │ frames │          │ header 64 │ payload (header's length)││ length │ undecoded│ CRC32C │
 *    └────────┴          └───────────┴──────────────────────────┘┴────────┴──────────┴────────┘
 * </pre>
 *
 * Native byte order, as the wire. The frames are those that were offered and not acknowledged, in the order of their
 * numbers, the last being {@code next number − 1}. The undecoded bytes belong to frame {@code next expected}, which the peer
 * retains and sends anew; they are kept to tell what was in the buffers.
 *
 * @param nextExpected link number that was to arrive next
 * @param nextNumber link number of the next frame to be offered
 * @param cutEpoch epoch of the last marker that both ends have passed, or −1
 * @param cutExpected link number after the marker that arrived
 * @param cutNext link number after the marker that was offered
 */
record FrozenChannel(
        int peerRank,
        int generation,
        int incarnation,
        int epoch,
        int peerEpoch,
        int cutEpoch,
        long nextExpected,
        long nextNumber,
        long cutExpected,
        long cutNext,
        List<Frame> retained,
        ByteBuffer undecoded) {
    static final int MAGIC = 0x4754465A;
    static final int VERSION = 1;
    private static final int FIXED_BYTES = 68;

    /** Takes retained frames one by one. */
    interface FrameTaker {
        void take(FrameHeader header, byte[] payload);
    }

    /** A retained frame; its payload is read from the snapshot. */
    static final class Frame implements PayloadSource {
        private final FrameHeader header = new FrameHeader();
        private final byte[] payload;

        Frame(FrameHeader header, byte[] payload) {
            this.header.set(header);
            this.payload = payload;
        }

        FrameHeader header() {
            return header;
        }

        @Override
        public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
            MemorySegment.copy(payload, (int) positionBytes, target, ValueLayout.JAVA_BYTE, targetOffset, lengthBytes);
        }

        @Override
        public void released() {
            // The garbage collector has the rest.
        }
    }

    static FrozenChannel of(ChannelIdentity identity, Inbound inbound, Outbound outbound) {
        List<Frame> retained = new ArrayList<>();
        outbound.freeze((header, payload) -> retained.add(new Frame(header, payload)));
        boolean cut = inbound.cutEpoch() == outbound.cutEpoch() && inbound.cutEpoch() >= 0;
        return new FrozenChannel(
                identity.peerRank(),
                identity.generation(),
                identity.incarnation(),
                outbound.epoch(),
                inbound.peerEpoch(),
                cut ? inbound.cutEpoch() : -1,
                inbound.nextExpected(),
                outbound.next(),
                cut ? inbound.cutExpected() : 0,
                cut ? outbound.cutNext() : 0,
                retained,
                ByteBuffer.wrap(inbound.undecoded()));
    }

    /** The epoch before the first retained marker; a retained frame's epoch is that of the last marker before it. */
    int epochOfFirstRetained() {
        for (Frame frame : retained) {
            if (frame.header.kind == FrameKind.MARKER) {
                return (int) frame.header.messageId - 1;
            }
        }
        return epoch;
    }

    byte[] encode() {
        long bytes = FIXED_BYTES + 2L * Integer.BYTES + undecoded.capacity();
        for (Frame frame : retained) {
            bytes += FrameHeader.BYTES + frame.payload.length;
        }
        ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
        MemorySegment segment = MemorySegment.ofArray(buffer.array());
        buffer.putInt(MAGIC).putInt(VERSION).putInt(peerRank).putInt(generation).putInt(incarnation);
        buffer.putInt(epoch).putInt(peerEpoch).putInt(cutEpoch);
        buffer.putLong(nextExpected).putLong(nextNumber).putLong(cutExpected).putLong(cutNext);
        buffer.putInt(retained.size());
        for (Frame frame : retained) {
            frame.header.write(segment, buffer.position());
            buffer.position(buffer.position() + FrameHeader.BYTES).put(frame.payload);
        }
        buffer.putInt(undecoded.capacity()).put(undecoded.duplicate().rewind());
        buffer.putInt(checksum(buffer.array()));
        return buffer.array();
    }

    /**
     * Reads a section.
     *
     * @throws IllegalArgumentException if it is damaged or of another version
     */
    static FrozenChannel decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        if (bytes.length < FIXED_BYTES + 2 * Integer.BYTES || buffer.getInt() != MAGIC) {
            throw new IllegalArgumentException("no frozen GridTcp channel of this byte order");
        }
        int version = buffer.getInt();
        if (version != VERSION) {
            throw new IllegalArgumentException("a frozen GridTcp channel of version " + version + ", not " + VERSION);
        }
        if (buffer.getInt(bytes.length - Integer.BYTES) != checksum(bytes)) {
            throw new IllegalArgumentException("a frozen GridTcp channel with a wrong checksum");
        }
        try {
            return decodeBody(buffer, MemorySegment.ofArray(bytes));
        } catch (BufferUnderflowException | IndexOutOfBoundsException | NegativeArraySizeException e) {
            throw new IllegalArgumentException("a frozen GridTcp channel with wrong lengths", e);
        }
    }

    private static FrozenChannel decodeBody(ByteBuffer buffer, MemorySegment segment) {
        int peerRank = buffer.getInt();
        int generation = buffer.getInt();
        int incarnation = buffer.getInt();
        int epoch = buffer.getInt();
        int peerEpoch = buffer.getInt();
        int cutEpoch = buffer.getInt();
        long nextExpected = buffer.getLong();
        long nextNumber = buffer.getLong();
        long cutExpected = buffer.getLong();
        long cutNext = buffer.getLong();
        int frames = buffer.getInt();
        List<Frame> retained = new ArrayList<>();
        FrameHeader header = new FrameHeader();
        for (int i = 0; i < frames; i++) {
            header.read(segment, buffer.position());
            buffer.position(buffer.position() + FrameHeader.BYTES);
            byte[] payload = new byte[Math.toIntExact(header.payloadBytes)];
            buffer.get(payload);
            retained.add(new Frame(header, payload));
        }
        byte[] undecoded = new byte[buffer.getInt()];
        buffer.get(undecoded);
        return new FrozenChannel(
                peerRank,
                generation,
                incarnation,
                epoch,
                peerEpoch,
                cutEpoch,
                nextExpected,
                nextNumber,
                cutExpected,
                cutNext,
                retained,
                ByteBuffer.wrap(undecoded));
    }

    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - Integer.BYTES);
        return (int) crc.getValue();
    }
}
