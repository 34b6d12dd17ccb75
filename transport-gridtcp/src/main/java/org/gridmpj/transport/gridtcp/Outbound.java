package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a channel: numbers, staging and retention. Confined to the holder of the progress lock.
 *
 * <pre>
 *   link numbers      first          sending               next
 *                       │ written,      │ to be written      │
 *   ────────────────────┼───────────────┼────────────────────┼──────▶
 *    acknowledged, gone │ perhaps lost  │                    │ free
 *
 *   ring  │ head+payload │ head │ head+payload │ …      wire images, each in one piece
 *                           │
 *                           └─▶ PayloadSource: a long payload stays in the user's array
 * </pre>
 *
 * The ring is the permanent serialization buffer of the channel: frames are sent from it and stay in it until they are
 * acknowledged, so that retention costs nothing. A short frame that the link has taken into its own memory is retained there;
 * it has its room in the ring, and is staged when that memory is wanted or the link goes.
 */
final class Outbound implements ShortFrame.Keeper {
    /** Short frames that lie side by side are written together up to about this length. */
    private static final int TOGETHER_BYTES = 1 << 16;

    private static final long STAGED = -1;

    /** Zeros, never written. */
    private static final WireBuffer PADDING = new WireBuffer(8);

    private final ChannelIdentity identity;
    private final ChannelSizes sizes;
    private final ChannelRules rules;
    private final CRC32C crc = new CRC32C();

    private final WireBuffer ring;
    private int tail;

    /** By link number, counted from {@link #base}, modulo length. */
    private final int[] startOf;

    private final int[] stagedBytesOf;
    private final long[] longPayloadBytesOf;
    private final @Nullable PayloadSource[] longPayloadOf;
    /** Whether a link that takes payloads has the frame as a {@link ShortFrame}. */
    private final boolean[] shortOf;
    /** Where it is retained in the link's memory; −1 if it is staged. */
    private final long[] placeOf;
    /** In whose memory that is. */
    private ShortFrame.@Nullable Taker keptBy;
    /** What this end expected next, when it last said so. */
    private long lastAcknowledged;

    private final FrameHeader keptHeader = new FrameHeader();

    private final int mask;

    /** A number that has slot 0. */
    private long base;

    private long first;
    private long next;

    private long sending;
    /** Bytes of the frame {@code sending} that are written. */
    private long sentBytes;

    /** A piece of a long payload, the first with the head: copied from the user's array once, written in as many calls as it takes. */
    private @Nullable WireBuffer chunk;

    private int chunkFrom;
    private int chunkTo;
    /** Whether the last {@link #outgoing} was of the chunk. */
    private boolean fromChunk;

    /** The link takes payloads: no chunks. */
    private boolean payloadsAsTheyAre;
    /** What is staged before there is a link is as little as on any. */
    private int copiedPayloadBytes;

    private int stagedSinceAsked;
    private int framesSinceAsked;

    private int destinationIncarnation;
    private int epoch;
    /** Number after the last marker: where this half stood at the cut. */
    private long cutNext;

    private int cutEpoch = -1;

    Outbound(ChannelIdentity identity, int destinationIncarnation, ChannelSizes sizes, ChannelRules rules) {
        this.identity = identity;
        this.destinationIncarnation = destinationIncarnation;
        this.sizes = sizes;
        this.rules = rules;
        copiedPayloadBytes = sizes.copiedPayloadBytes();
        ring = new WireBuffer(sizes.stagingBytes());
        int frames = sizes.retainedFrames();
        startOf = new int[frames];
        stagedBytesOf = new int[frames];
        longPayloadBytesOf = new long[frames];
        longPayloadOf = new PayloadSource[frames];
        shortOf = new boolean[frames];
        placeOf = new long[frames];
        mask = frames - 1;
    }

    private int slot(long number) {
        return (int) (number - base) & mask;
    }

    /**
     * Takes a frame if there is room; {@code acknowledged} travels with it.
     *
     * @param taker may have the frame at once, and retain it; null if there is none, or something else has to go first
     */
    boolean stage(FrameHeader header, PayloadSource payload, long acknowledged, ShortFrame.@Nullable Taker taker) {
        if (first == next) {
            startOver();
        }
        boolean copied = header.payloadBytes <= copiedPayloadBytes;
        int bytes = LinkPrefix.HEAD_BYTES + (copied ? (int) LinkPrefix.padded(header.payloadBytes) : 0);
        if (next - first > mask) {
            return false;
        }
        int at = room(bytes);
        if (at < 0) {
            return false;
        }
        if (header.kind == FrameKind.MARKER) {
            beginEpoch((int) header.messageId);
        }
        boolean ask = (!copied || header.kind == FrameKind.BYE || runsShort(bytes))
                && rules.hold(ChannelRule.ASK_FOR_ACKNOWLEDGEMENT);
        int flags = LinkPrefix.FLAG_FRAME | (ask ? LinkPrefix.FLAG_ACKNOWLEDGE_NOW : 0);
        boolean shortFrame = copied && ShortFrame.fits(header, identity.worldRank());
        long place =
                shortFrame && taker != null ? taker.putShortFrame(header, payload, next, acknowledged, flags) : STAGED;
        int slot = slot(next);
        lastAcknowledged = acknowledged;
        if (place >= 0) {
            keepIn(taker);
        } else {
            writeHead(at, header, next, acknowledged, flags);
            if (!shortFrame || !payloadsAsTheyAre) {
                // A short frame has no use for a checksum as long as it stays in shared memory; see resume.
                LinkPrefix.seal(ring, at, LinkPrefix.HEAD_BYTES, crc);
            }
            if (copied && header.payloadBytes > 0) {
                // The padding shows nothing of older messages.
                LinkPrefix.putLong(ring.segment, at + bytes - Long.BYTES, 0);
                payload.read(0, ring.segment, at + LinkPrefix.HEAD_BYTES, (int) header.payloadBytes);
            }
        }
        placeOf[slot] = place;
        startOf[slot] = at;
        stagedBytesOf[slot] = bytes;
        shortOf[slot] = shortFrame;
        longPayloadBytesOf[slot] = copied ? 0 : header.payloadBytes;
        if (!copied) {
            longPayloadOf[slot] = payload;
        }
        tail = at + bytes;
        next++;
        if (place >= 0) {
            wroteFrame();
        }
        if (copied) {
            payload.released();
        }
        return true;
    }

    /**
     * Nothing is retained: the same memory again, which is in this core's cache. Nor need the peer be asked to acknowledge: who
     * answers each message has done so by that.
     */
    private void startOver() {
        base = next;
        tail = 0;
        stagedSinceAsked = 0;
        framesSinceAsked = 0;
    }

    /** A reference that is as it was is not stored: with some collectors that waits for the stores before. */
    @SuppressWarnings("ReferenceEquality") // a link is itself only
    private void keepIn(ShortFrame.@Nullable Taker taker) {
        if (keptBy != taker) {
            keptBy = taker;
        }
    }

    private void beginEpoch(int marked) {
        // what is retained in the link's memory has no epoch of its own there
        letGo();
        epoch = marked;
        cutEpoch = marked;
        cutNext = next + 1;
    }

    private void writeHead(int at, FrameHeader header, long number, long acknowledged, int flags) {
        LinkPrefix.write(
                ring.segment,
                at,
                FrameHeader.BYTES + LinkPrefix.padded(header.payloadBytes),
                number,
                acknowledged,
                identity.incarnation(),
                destinationIncarnation,
                identity.generation(),
                epoch,
                flags);
        header.write(ring.segment, at + LinkPrefix.BYTES);
    }

    @Override
    public long oldestKept() {
        for (long number = first; number < next && keptBy != null; number++) {
            long place = placeOf[slot(number)];
            if (place >= 0) {
                return place;
            }
        }
        return Long.MAX_VALUE;
    }

    /** Stages what is retained in the link's memory. */
    @Override
    public void letGo() {
        ShortFrame.Taker taker = keptBy;
        if (taker == null) {
            return;
        }
        for (long number = first; number < next; number++) {
            int slot = slot(number);
            long place = placeOf[slot];
            if (place >= 0) {
                stageKept(taker, place, number, startOf[slot], stagedBytesOf[slot]);
                placeOf[slot] = STAGED;
            }
        }
        keptBy = null;
    }

    private void stageKept(ShortFrame.Taker taker, long place, long number, int at, int bytes) {
        MemorySegment kept = taker.keptIn(place);
        long offset = taker.keptAt(place);
        int payloadBytes = taker.keptBytes(place) - ShortFrame.HEAD_BYTES;
        ShortFrame.read(kept, offset, payloadBytes, keptHeader);
        keptHeader.sourceRank = identity.worldRank();
        int flags = LinkPrefix.FLAG_FRAME
                | (ShortFrame.asksForAcknowledgement(kept, offset) ? LinkPrefix.FLAG_ACKNOWLEDGE_NOW : 0);
        writeHead(at, keptHeader, number, ShortFrame.acknowledged(kept, offset, lastAcknowledged), flags);
        if (payloadBytes > 0) {
            LinkPrefix.putLong(ring.segment, at + bytes - Long.BYTES, 0);
            Bytes.copy(kept, offset + ShortFrame.HEAD_BYTES, ring.segment, at + LinkPrefix.HEAD_BYTES, payloadBytes);
        }
    }

    /** The link, and its memory, are going to be forgotten. */
    void linkDown() {
        if (rules.hold(ChannelRule.STAGE_WHEN_THE_LINK_GOES)) {
            letGo();
        }
    }

    private boolean runsShort(int bytes) {
        stagedSinceAsked += bytes;
        framesSinceAsked++;
        // What is retained in the link's memory is best acknowledged before that comes round: it would be copied.
        int roomBytes =
                payloadsAsTheyAre ? Math.min(sizes.stagingBytes(), sizes.sharedRingBytes()) : sizes.stagingBytes();
        if (stagedSinceAsked < roomBytes / 4 && framesSinceAsked < sizes.retainedFrames() / 4) {
            return false;
        }
        stagedSinceAsked = 0;
        framesSinceAsked = 0;
        return true;
    }

    /** Where a wire image of this length may lie, or −1. */
    private int room(int bytes) {
        if (first == next) {
            return 0;
        }
        int head = startOf[slot(first)];
        if (tail > head) {
            if (sizes.stagingBytes() - tail >= bytes) {
                return tail;
            }
            // Never up to the head: full and empty must look different.
            return head > bytes ? 0 : -1;
        }
        return head - tail > bytes ? tail : -1;
    }

    /**
     * The bytes to be written next.
     *
     * @param arrays whether they may be a run of an array
     */
    ByteRun outgoing(ByteRun run, boolean arrays) {
        fromChunk = false;
        if (sending == next) {
            return run.none();
        }
        int slot = slot(sending);
        int staged = stagedBytesOf[slot];
        PayloadSource payload = longPayloadOf[slot];
        long payloadBytes = longPayloadBytesOf[slot];
        Object array = arrays && payload != null && payloadBytes >= sizes.arrayBytes() ? payload.array() : null;
        boolean begunChunk = chunkFrom < chunkTo;
        boolean headInChunk = sentBytes == 0 && payload != null && array == null && !payloadsAsTheyAre;
        if (sentBytes < staged && !begunChunk && !headInChunk) {
            return stagedRun(run, slot, staged);
        }
        if (payloadsAsTheyAre && payload != null) {
            return run.set(payload, sentBytes - staged, payloadBytes);
        }
        if (array != null && payload != null && !begunChunk) {
            long position = sentBytes - staged;
            return position < payloadBytes
                    ? run.setArray(array, payload.arrayOffsetBytes() + position, payloadBytes - position)
                    : run.set(PADDING, 0, (int) (LinkPrefix.padded(payloadBytes) - position));
        }
        fromChunk = true;
        WireBuffer piece = chunk;
        if (piece == null) {
            piece = new WireBuffer(LinkPrefix.HEAD_BYTES + sizes.chunkBytes());
            chunk = piece;
        }
        if (!begunChunk) {
            fillChunk(piece, slot);
        }
        return run.set(piece, chunkFrom, chunkTo - chunkFrom);
    }

    /** What is staged of the frame that is being sent, with short ones that lie behind it. */
    private ByteRun stagedRun(ByteRun run, int slot, int staged) {
        int start = startOf[slot] + (int) sentBytes;
        int end = startOf[slot] + staged;
        if (payloadsAsTheyAre && shortOf[slot]) {
            return run.setShortFrame(ring, start, staged);
        }
        for (long number = sending;
                longPayloadOf[slot(number)] == null
                        && number + 1 < next
                        && startOf[slot(number + 1)] == end
                        && !(payloadsAsTheyAre && shortOf[slot(number + 1)])
                        && end - start < TOGETHER_BYTES; ) {
            number++;
            end += stagedBytesOf[slot(number)];
        }
        return run.set(ring, start, end - start);
    }

    /** What comes next of a long frame; its head, too, if nothing is written yet: one call for both. */
    private void fillChunk(WireBuffer piece, int slot) {
        PayloadSource payload = longPayloadOf[slot];
        if (payload == null) {
            throw new IllegalStateException("frame " + sending + " has no payload beyond its staged bytes");
        }
        int staged = stagedBytesOf[slot];
        int head = sentBytes == 0 ? staged : 0;
        Bytes.copy(ring.segment, startOf[slot], piece.segment, 0, head);
        long positionBytes = sentBytes + head - staged;
        int length = (int) Math.min(sizes.chunkBytes(), longPayloadBytesOf[slot] - positionBytes);
        payload.read(positionBytes, piece.segment, head, length);
        chunkFrom = 0;
        chunkTo = head + (int) LinkPrefix.padded(length);
        for (int pad = head + length; pad < chunkTo; pad++) {
            piece.segment.set(ValueLayout.JAVA_BYTE, pad, (byte) 0);
        }
    }

    /** Bytes of the last {@link #outgoing} are on the link. */
    void wrote(int bytes) {
        long left = bytes;
        while (left > 0) {
            int slot = slot(sending);
            long total = stagedBytesOf[slot] + LinkPrefix.padded(longPayloadBytesOf[slot]);
            if (fromChunk) {
                chunkFrom += (int) left;
            }
            long taken = Math.min(left, total - sentBytes);
            sentBytes += taken;
            left -= taken;
            if (sentBytes == total) {
                sentBytes = 0;
                chunkFrom = 0;
                chunkTo = 0;
                wroteFrame();
            }
        }
    }

    private void wroteFrame() {
        sending++;
        if (!rules.hold(ChannelRule.RETAIN_UNTIL_ACKNOWLEDGED)) {
            release(sending);
        }
    }

    /** Whether the cursor is between two frames, so that an acknowledgement may be put in. */
    boolean isBetweenFrames() {
        return sentBytes == 0;
    }

    /** Whether all that was offered is written. */
    boolean isAllWritten() {
        return sending == next;
    }

    /** Whether all that was offered is acknowledged. */
    boolean isAllAcknowledged() {
        return first == next;
    }

    /** The peer expects this number next; false if it cannot, for the frames below were not all sent. */
    boolean acknowledge(long expected) {
        if (expected > sending) {
            return false;
        }
        release(expected);
        return true;
    }

    private void release(long below) {
        while (first < below) {
            int slot = slot(first);
            first++;
            PayloadSource payload = longPayloadOf[slot];
            if (payload != null) {
                if (rules.hold(ChannelRule.RELEASE_ONCE)) {
                    longPayloadOf[slot] = null;
                }
                payload.released();
            }
        }
    }

    /** Whether everything from a number on can be sent anew. */
    boolean canResendFrom(long expected) {
        return first <= expected && expected <= next;
    }

    /**
     * A new link: everything from the number that the peer expects is sent anew, to this incarnation.
     *
     * @param linkTakesPayloads whether {@link #outgoing} may be a payload
     */
    void resume(long expected, int newDestinationIncarnation, boolean linkTakesPayloads) {
        payloadsAsTheyAre = linkTakesPayloads;
        copiedPayloadBytes = linkTakesPayloads ? sizes.copiedPayloadBytes() : sizes.connectionCopiedPayloadBytes();
        if (rules.hold(ChannelRule.HANDSHAKE_ACKNOWLEDGES)) {
            release(expected);
        }
        if (rules.hold(ChannelRule.RESEND_WHOLE_FRAMES)) {
            sentBytes = 0;
            chunkFrom = 0;
            chunkTo = 0;
        }
        if (rules.hold(ChannelRule.RESEND_AFTER_RECONNECTION) || sending < expected) {
            sending = Math.max(expected, first);
        }
        boolean readdress =
                newDestinationIncarnation != destinationIncarnation && rules.hold(ChannelRule.READDRESS_RETAINED);
        for (long number = first; number < next; number++) {
            int at = startOf[slot(number)];
            if (readdress) {
                LinkPrefix.putInt(
                        ring.segment, at + LinkPrefix.DESTINATION_INCARNATION_OFFSET, newDestinationIncarnation);
            }
            LinkPrefix.seal(ring, at, LinkPrefix.HEAD_BYTES, crc);
        }
        destinationIncarnation = newDestinationIncarnation;
    }

    /** Nothing will be sent any more: gives all buffers back. */
    void discard() {
        first = next;
        sending = next;
        sentBytes = 0;
        keptBy = null;
        for (int slot = 0; slot <= mask; slot++) {
            PayloadSource payload = longPayloadOf[slot];
            if (payload != null) {
                longPayloadOf[slot] = null;
                payload.released();
            }
        }
    }

    /** The first frame that is not all written. */
    long sending() {
        return sending;
    }

    long first() {
        return first;
    }

    long next() {
        return next;
    }

    int epoch() {
        return epoch;
    }

    int cutEpoch() {
        return cutEpoch;
    }

    long cutNext() {
        return cutNext;
    }

    /** Hands out the retained frames in order, each with its payload in one piece. */
    void freeze(FrozenChannel.FrameTaker taker) {
        letGo();
        FrameHeader header = new FrameHeader();
        for (long number = first; number < next; number++) {
            int slot = slot(number);
            header.read(ring.segment, startOf[slot] + LinkPrefix.BYTES);
            byte[] payload = new byte[Math.toIntExact(header.payloadBytes)];
            PayloadSource source = longPayloadOf[slot];
            if (source == null) {
                MemorySegment.copy(
                        ring.segment,
                        ValueLayout.JAVA_BYTE,
                        startOf[slot] + LinkPrefix.HEAD_BYTES,
                        payload,
                        0,
                        payload.length);
            } else {
                source.read(0, MemorySegment.ofArray(payload), 0, payload.length);
            }
            taker.take(header, payload);
        }
    }

    /** Before the first frame: numbers go on where those of a frozen channel ended; its frames are staged next. */
    void thaw(long firstRetained, int frozenEpoch) {
        first = firstRetained;
        next = firstRetained;
        sending = firstRetained;
        epoch = frozenEpoch;
    }
}
