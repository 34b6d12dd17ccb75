package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.ShortMessages;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a channel: decoding, order, fence, duplicates. Confined to the holder of the progress lock.
 *
 * <p>A frame that a cut interrupted was announced to the engine and waits for the rest: when the peer sends it anew, its
 * payload is poured into the same sink from position 0.
 */
final class Inbound {
    /** Where acknowledgements of the other direction go. */
    interface AcknowledgementSink {
        /** False if the peer acknowledges what was never sent. */
        boolean acknowledge(long expected);
    }

    private static final PayloadSink NOWHERE = (position, source, offset, length) -> {};

    private final ChannelIdentity identity;
    private final ChannelRules rules;
    private final FrameSink engine;
    private final AcknowledgementSink acknowledgements;
    private final CRC32C crc = new CRC32C();

    private final WireBuffer buffer;
    /** What is being decoded: the own buffer, or the link's memory. */
    private WireBuffer source;

    private int from;
    private int to;
    /** Of what is between them nothing is decoded that could be. */
    private boolean undecoded;

    /** The array into which the link is to put the next bytes, from position {@code positionBytes} of the payload on; or null. */
    private @Nullable Object filled;

    private long filledOffsetBytes;
    /** Whether the last payload was long enough for an array: a head is read by itself then, so that more of the next one goes there. */
    private boolean longPayloads;

    private final int arrayBytes;

    private int peerIncarnation;
    /** The incarnation at the other end of the link. */
    private int linkIncarnation;

    private int peerEpoch;
    private long nextExpected;

    /** The frame whose payload is being received. */
    private final FrameHeader header = new FrameHeader();

    private long number;
    /** Where the engine wants the frame that was announced last; kept over duplicates and cuts. */
    private PayloadSink sink = NOWHERE;

    private boolean inPayload;
    private boolean duplicate;
    private boolean asksForAcknowledgement;
    private long positionBytes;
    /** Whether the engine has been told of frame {@code nextExpected}. */
    private boolean announced;

    private long announcedPayloadBytes;

    private boolean acknowledgeNow;
    private boolean byeReceived;
    private int cutEpoch = -1;
    private long cutExpected;

    Inbound(
            ChannelIdentity identity,
            int peerIncarnation,
            ChannelSizes sizes,
            ChannelRules rules,
            FrameSink engine,
            AcknowledgementSink acknowledgements) {
        this.identity = identity;
        this.peerIncarnation = peerIncarnation;
        this.rules = rules;
        this.engine = engine;
        this.acknowledgements = acknowledgements;
        arrayBytes = sizes.arrayBytes();
        buffer = new WireBuffer(sizes.receiveBytes());
        source = buffer;
    }

    /**
     * Free room for bytes of the link; never empty, for all but a part of one head or 7 bytes is decoded at once.
     *
     * @param arrays whether it may be a run of an array: the rest of a long payload, but for what is less than 8 bytes
     */
    ByteRun incoming(ByteRun run, boolean arrays) {
        filled = null;
        if (arrays && inPayload && !duplicate && header.payloadBytes >= arrayBytes) {
            long restBytes = (header.payloadBytes & -8) - positionBytes - to;
            Object array = restBytes > 0 ? sink.arrayToFill() : null;
            if (array != null) {
                filled = array;
                filledOffsetBytes = sink.arrayOffsetBytes() + positionBytes;
                return run.setArray(array, filledOffsetBytes + to, Math.min(restBytes, Link.LONGEST_CALL_BYTES));
            }
        }
        int room = arrays && longPayloads && !inPayload ? LinkPrefix.HEAD_BYTES : buffer.capacityBytes;
        return run.set(buffer, to, room - to);
    }

    /** Decodes what has arrived, with what is {@link #isUndecoded}. */
    Reception received(int bytes) {
        Object array = filled;
        if (array != null) {
            filled = null;
            return receivedInArray(HeapBytes.of(array), bytes);
        }
        to += bytes;
        undecoded = false;
        Reception reception = decode();
        moveToBegin();
        return reception;
    }

    private void moveToBegin() {
        int left = to - from;
        if (left > 0 && from > 0) {
            Bytes.copy(buffer.segment, from, buffer.segment, 0, left);
        }
        from = 0;
        to = left;
    }

    /** Free room for bytes of the link that are to be looked at with {@link #look}, where it has found {@code NOTHING}. */
    ByteRun roomToLook(ByteRun run) {
        moveToBegin();
        return run.set(buffer, to, buffer.capacityBytes - to);
    }

    /** So many bytes have been put there. */
    void arrived(int bytes) {
        to += bytes;
        undecoded = true;
    }

    /** Whether there are bytes that {@link #received} is to decode before others come. */
    boolean isUndecoded() {
        return undecoded;
    }

    /**
     * As {@link ShortMessages#look}, of what a connection has brought: {@link #header} is the message's. It stays where it is,
     * at {@link #payloadOffset} of {@link #memory}, until {@link #tookMessage}.
     */
    int look() {
        if (inPayload) {
            return ShortMessages.OTHER;
        }
        int available = to - from;
        if (available < LinkPrefix.BYTES) {
            return ShortMessages.NOTHING;
        }
        int flags = LinkPrefix.getInt(buffer.segment, from + LinkPrefix.FLAGS_OFFSET);
        if (!hasMagic() || (flags & LinkPrefix.FLAG_FRAME) == 0) {
            return ShortMessages.OTHER;
        }
        if (available < LinkPrefix.HEAD_BYTES) {
            return ShortMessages.NOTHING;
        }
        if (checkHead(LinkPrefix.HEAD_BYTES) != Reception.OK
                || openFrame() != Reception.OK
                || duplicate
                || announced
                || header.kind != FrameKind.EAGER
                || header.payloadBytes > ShortFrame.MOST_PAYLOAD_BYTES
                || frameBytes() > buffer.capacityBytes
                || LinkPrefix.getInt(buffer.segment, from + LinkPrefix.EPOCH_OFFSET) > peerEpoch) {
            return ShortMessages.OTHER;
        }
        asksForAcknowledgement = (flags & LinkPrefix.FLAG_ACKNOWLEDGE_NOW) != 0;
        return available < frameBytes() ? ShortMessages.NOTHING : (int) header.payloadBytes;
    }

    private long frameBytes() {
        return LinkPrefix.HEAD_BYTES + LinkPrefix.padded(header.payloadBytes);
    }

    MemorySegment memory() {
        return buffer.segment;
    }

    long payloadOffset() {
        return (long) from + LinkPrefix.HEAD_BYTES;
    }

    /** The engine has the message that was found last. */
    void tookMessage() {
        from += (int) frameBytes();
        undecoded = from < to;
        if (!undecoded) {
            moveToBegin();
        }
        tookShortFrame();
    }

    /**
     * Bytes of the payload are where they are wanted, behind what of the last 8 is still in the buffer. Again all but less than 8 of
     * them count.
     */
    private Reception receivedInArray(MemorySegment array, int bytes) {
        Bytes.copy(buffer.segment, 0, array, filledOffsetBytes, to);
        int whole = (to + bytes) & -8;
        to = (to + bytes) - whole;
        Bytes.copy(array, filledOffsetBytes + whole, buffer.segment, 0, to);
        positionBytes += whole;
        if (positionBytes == header.payloadBytes) {
            inPayload = false;
            complete();
        }
        return Reception.OK;
    }

    /**
     * Decodes bytes where they lie in the link's memory. A part of a head that is left at the end goes into the own buffer,
     * and what follows it too.
     */
    Reception received(WireBuffer memory, int offsetBytes, int lengthBytes) {
        int offset = offsetBytes;
        int end = offsetBytes + lengthBytes;
        Reception reception = Reception.OK;
        while (to > 0 && offset < end && reception == Reception.OK) {
            int bytes = Math.min(end - offset, buffer.capacityBytes - to);
            Bytes.copy(memory.segment, offset, buffer.segment, to, bytes);
            offset += bytes;
            reception = received(bytes);
        }
        if (offset == end || reception != Reception.OK) {
            return reception;
        }
        source = memory;
        from = offset;
        to = end;
        try {
            reception = decode();
        } finally {
            source = buffer;
            // What follows bytes that break the link goes with it; it may be more than the buffer holds.
            int left = reception == Reception.OK ? to - from : 0;
            if (left > 0) {
                Bytes.copy(memory.segment, from, buffer.segment, 0, left);
            }
            from = 0;
            to = left;
        }
        return reception;
    }

    /**
     * Decodes a {@link ShortFrame}.
     *
     * @param sending a number that is not far from what the peer acknowledges
     */
    Reception receivedShortFrame(WireBuffer memory, int offsetBytes, int lengthBytes, long sending) {
        Reception reception = openShortFrame(memory, offsetBytes, lengthBytes, sending);
        if (reception != Reception.OK) {
            return reception;
        }
        boolean again = announced && !duplicate && rules.hold(ChannelRule.ANNOUNCE_ONCE);
        if (again && header.payloadBytes != announcedPayloadBytes) {
            return Reception.CORRUPT;
        }
        if (!duplicate && !again) {
            sink = engine.onFrame(identity.peerRank(), header);
        }
        if (!rules.hold(ChannelRule.COUNT_WHEN_COMPLETE) && !duplicate) {
            nextExpected = number + 1;
        }
        if (header.payloadBytes > 0 && !duplicate) {
            sink.write(0, memory.segment, offsetBytes + ShortFrame.HEAD_BYTES, (int) header.payloadBytes);
        }
        complete();
        return Reception.OK;
    }

    /** Checks a {@link ShortFrame} and reads its header; nothing is taken, so it may be asked again. */
    private Reception openShortFrame(WireBuffer memory, int offsetBytes, int lengthBytes, long sending) {
        MemorySegment bytes = memory.segment;
        int payloadBytes = lengthBytes - ShortFrame.HEAD_BYTES;
        if (to > 0 || inPayload || payloadBytes < 0) {
            return Reception.CORRUPT;
        }
        if (linkIncarnation != peerIncarnation && rules.hold(ChannelRule.FENCE_FRAMES)) {
            return Reception.FENCED;
        }
        if (!acknowledgements.acknowledge(ShortFrame.acknowledged(bytes, offsetBytes, sending))) {
            return Reception.CORRUPT;
        }
        number = ShortFrame.number(bytes, offsetBytes, nextExpected);
        duplicate = number < nextExpected && rules.hold(ChannelRule.DROP_DUPLICATES);
        if (number > nextExpected && rules.hold(ChannelRule.RESYNC_ON_GAP)) {
            return Reception.GAP;
        }
        ShortFrame.read(bytes, offsetBytes, payloadBytes, header);
        header.sourceRank = identity.peerRank();
        asksForAcknowledgement = ShortFrame.asksForAcknowledgement(bytes, offsetBytes);
        return header.count < 0 ? Reception.CORRUPT : Reception.OK;
    }

    /**
     * Whether a {@link ShortFrame} is the next frame, and the engine has not heard of it: {@link #header} is its header. It stays
     * where it is until {@link #tookShortFrame}.
     */
    boolean isNextShortFrame(WireBuffer memory, int offsetBytes, int lengthBytes, long sending) {
        return openShortFrame(memory, offsetBytes, lengthBytes, sending) == Reception.OK && !duplicate && !announced;
    }

    /** Of the frame that was looked at last. */
    FrameHeader header() {
        return header;
    }

    /** The engine has what {@link #isNextShortFrame} has shown it. */
    void tookShortFrame() {
        acknowledgeNow |= asksForAcknowledgement;
        nextExpected = number + 1;
    }

    private Reception decode() {
        Reception reception = Reception.OK;
        while (reception == Reception.OK) {
            int before = from;
            reception = inPayload ? pour() : head();
            if (from == before) {
                break;
            }
        }
        return reception;
    }

    /** Decodes a head if it is complete, else leaves {@code from} as it is. */
    private Reception head() {
        int available = to - from;
        if (available < LinkPrefix.BYTES) {
            return Reception.OK;
        }
        MemorySegment bytes = source.segment;
        if (!hasMagic()) {
            return Reception.CORRUPT;
        }
        int flags = LinkPrefix.getInt(bytes, from + LinkPrefix.FLAGS_OFFSET);
        boolean frame = (flags & LinkPrefix.FLAG_FRAME) != 0;
        int headBytes = frame ? LinkPrefix.HEAD_BYTES : LinkPrefix.BYTES;
        if (available < headBytes) {
            return Reception.OK;
        }
        Reception reception = checkHead(headBytes);
        if (reception != Reception.OK) {
            return reception;
        }
        return frame ? begin(bytes, flags) : skip(headBytes);
    }

    private boolean hasMagic() {
        return LinkPrefix.getInt(source.segment, from + LinkPrefix.MAGIC_OFFSET) == LinkPrefix.MAGIC;
    }

    /** Whether a whole head that has the magic is sound and of this life of the peer; what it acknowledges is. */
    private Reception checkHead(int headBytes) {
        MemorySegment bytes = source.segment;
        if (LinkPrefix.getInt(bytes, from + LinkPrefix.CHECKSUM_OFFSET)
                        != LinkPrefix.checksum(source, from, headBytes, crc)
                && rules.hold(ChannelRule.VERIFY_CHECKSUMS)) {
            return Reception.CORRUPT;
        }
        if (isFenced(bytes)) {
            return Reception.FENCED;
        }
        return acknowledgements.acknowledge(LinkPrefix.getLong(bytes, from + LinkPrefix.ACKNOWLEDGED_OFFSET))
                ? Reception.OK
                : Reception.CORRUPT;
    }

    private Reception skip(int bytes) {
        from += bytes;
        return Reception.OK;
    }

    private boolean isFenced(MemorySegment bytes) {
        if (LinkPrefix.getInt(bytes, from + LinkPrefix.GENERATION_OFFSET) != identity.generation()
                && rules.hold(ChannelRule.FENCE_GENERATIONS)) {
            return true;
        }
        return rules.hold(ChannelRule.FENCE_FRAMES)
                && (LinkPrefix.getInt(bytes, from + LinkPrefix.SOURCE_INCARNATION_OFFSET) != peerIncarnation
                        || LinkPrefix.getInt(bytes, from + LinkPrefix.DESTINATION_INCARNATION_OFFSET)
                                != identity.incarnation());
    }

    /** Reads number and header of the frame whose head is here; nothing is taken, so it may be asked again. */
    private Reception openFrame() {
        MemorySegment bytes = source.segment;
        number = LinkPrefix.getLong(bytes, from + LinkPrefix.NUMBER_OFFSET);
        duplicate = number < nextExpected && rules.hold(ChannelRule.DROP_DUPLICATES);
        if (number > nextExpected && rules.hold(ChannelRule.RESYNC_ON_GAP)) {
            return Reception.GAP;
        }
        try {
            header.read(bytes, from + LinkPrefix.BYTES);
        } catch (IllegalArgumentException notAHeader) {
            return Reception.CORRUPT;
        }
        long lengthBytes = LinkPrefix.getLong(bytes, from + LinkPrefix.LENGTH_OFFSET);
        return lengthBytes == FrameHeader.BYTES + LinkPrefix.padded(header.payloadBytes)
                ? Reception.OK
                : Reception.CORRUPT;
    }

    private Reception begin(MemorySegment bytes, int flags) {
        Reception reception = openFrame();
        if (reception != Reception.OK) {
            return reception;
        }
        int epoch = LinkPrefix.getInt(bytes, from + LinkPrefix.EPOCH_OFFSET);
        boolean again = announced && !duplicate && rules.hold(ChannelRule.ANNOUNCE_ONCE);
        if (again && header.payloadBytes != announcedPayloadBytes) {
            return Reception.CORRUPT;
        }
        from += LinkPrefix.HEAD_BYTES;
        asksForAcknowledgement = (flags & LinkPrefix.FLAG_ACKNOWLEDGE_NOW) != 0;
        positionBytes = 0;
        if (!duplicate && !again && header.kind != FrameKind.BYE) {
            noticeEpoch(epoch, header.kind == FrameKind.MARKER);
            sink = engine.onFrame(identity.peerRank(), header);
            announced = true;
            announcedPayloadBytes = header.payloadBytes;
        }
        if (!rules.hold(ChannelRule.COUNT_WHEN_COMPLETE) && !duplicate) {
            nextExpected = number + 1;
        }
        inPayload = header.payloadBytes > 0;
        if (inPayload) {
            longPayloads = header.payloadBytes >= arrayBytes;
        }
        if (!inPayload) {
            complete();
        }
        return Reception.OK;
    }

    /** Pours what there is of the payload, in multiples of 8 bytes. */
    private Reception pour() {
        long paddedBytes = LinkPrefix.padded(header.payloadBytes);
        int length = (int) Math.min((to - from) & -8, paddedBytes - positionBytes);
        int real = (int) Math.min(length, header.payloadBytes - positionBytes);
        if (real > 0 && !duplicate) {
            sink.write(positionBytes, source.segment, from, real);
        }
        from += length;
        positionBytes += length;
        if (positionBytes == paddedBytes) {
            inPayload = false;
            complete();
        }
        return Reception.OK;
    }

    private void complete() {
        acknowledgeNow |= asksForAcknowledgement;
        if (duplicate) {
            return;
        }
        if (rules.hold(ChannelRule.COUNT_WHEN_COMPLETE)) {
            nextExpected = number + 1;
        }
        announced = false;
        if (header.kind == FrameKind.BYE) {
            byeReceived = true;
            return;
        }
        if (header.kind == FrameKind.MARKER) {
            cutEpoch = (int) header.messageId;
            cutExpected = nextExpected;
        }
        engine.onFrameComplete(identity.peerRank(), header, sink);
    }

    /** A higher epoch without its marker acts as the marker: what follows belongs after the cut. */
    private void noticeEpoch(int epoch, boolean withItsMarker) {
        if (epoch <= peerEpoch) {
            return;
        }
        peerEpoch = epoch;
        if (!withItsMarker) {
            FrameHeader marker = new FrameHeader();
            marker.kind = FrameKind.MARKER;
            marker.sourceRank = identity.peerRank();
            marker.messageId = epoch;
            cutEpoch = epoch;
            cutExpected = nextExpected;
            PayloadSink none = engine.onFrame(identity.peerRank(), marker);
            engine.onFrameComplete(identity.peerRank(), marker, none);
        }
    }

    /** The peer's hello tells its epoch; it counts only if no earlier frame is still to come. */
    void noticeEpochOfHello(int epoch, long peerNextNumber) {
        if (peerNextNumber == nextExpected) {
            noticeEpoch(epoch, false);
        }
    }

    /** A new link has shaken hands. */
    void linkUp() {
        linkIncarnation = peerIncarnation;
    }

    /** The link is gone, and with it what it had brought of an incomplete frame. */
    void forgetPartialFrame() {
        filled = null;
        undecoded = false;
        if (rules.hold(ChannelRule.FORGET_PARTIAL_FRAMES)) {
            from = 0;
            to = 0;
            inPayload = false;
        }
    }

    void peerIncarnation(int incarnation) {
        peerIncarnation = incarnation;
    }

    int peerIncarnation() {
        return peerIncarnation;
    }

    long nextExpected() {
        return nextExpected;
    }

    boolean isAcknowledgementUrgent() {
        return acknowledgeNow;
    }

    void acknowledgementUrgent(boolean urgent) {
        acknowledgeNow = urgent;
    }

    boolean isByeReceived() {
        return byeReceived;
    }

    int peerEpoch() {
        return peerEpoch;
    }

    int cutEpoch() {
        return cutEpoch;
    }

    long cutExpected() {
        return cutExpected;
    }

    /** Bytes that were read but make no whole head or payload unit yet. */
    byte[] undecoded() {
        byte[] bytes = new byte[to - from];
        MemorySegment.copy(source.segment, ValueLayout.JAVA_BYTE, from, bytes, 0, bytes.length);
        return bytes;
    }

    void thaw(long frozenNextExpected, int frozenPeerEpoch) {
        nextExpected = frozenNextExpected;
        peerEpoch = frozenPeerEpoch;
    }
}
