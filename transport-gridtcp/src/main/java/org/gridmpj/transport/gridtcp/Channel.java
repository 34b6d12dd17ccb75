package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSource;
import org.gridmpj.transport.ShortMessages;
import org.jspecify.annotations.Nullable;

/**
 * The reliable, numbered, fenced message channel to one peer over links that may break and be replaced: a state machine
 * without I/O, threads or clock. Each method is one event; its result says what the owner is to do. Confined to the holder
 * of the progress lock; nothing is allocated between a handshake and the next.
 *
 * <pre>
 *   event                      answer
 *   offer(frame)               ACCEPTED / BACK_PRESSURED / CLOSED
 *   outgoing() … wrote(n)      the bytes to write next; how many the link took
 *   incoming() … received(n)   room for bytes; OK, or why the link must be broken
 *   roomToLook() … arrived(n)  the same for who waits for one message: look() says whether it is there, tookMessage() takes it
 *   tick()                     an acknowledgement that is owed becomes due
 *   speak()                    an acknowledgement becomes due though none is owed
 *   hello(), admit(hello)      the handshake; whether the peer's is acceptable
 *   linkUp(hello), linkDown()  a link has shaken hands; is broken
 *   peerMoved(incarnation)     a new IP table
 * </pre>
 *
 * <p><b>Acknowledgement.</b> Every frame carries the number that its sender expects next. An acknowledgement by itself is
 * sent when a frame asks for it (the sender's room runs short, or a user's array waits for its release), and at a tick if
 * one is owed: a channel that is quiet retains nothing. No frame ever waits for an acknowledgement as long as there is room.
 */
final class Channel {
    private final ChannelIdentity identity;
    private final ChannelRules rules;
    private final int jobSize;
    private final Outbound outbound;
    private final Inbound inbound;
    private final CRC32C crc = new CRC32C();

    private final WireBuffer acknowledgement = new WireBuffer(LinkPrefix.BYTES);
    private int acknowledgementFrom;
    private int acknowledgementTo;

    private final ByteRun out = new ByteRun();
    private final ByteRun in = new ByteRun();

    private boolean up;
    private boolean byeOffered;
    private boolean closed;
    private long lastAcknowledged;
    private long committedWatermark;
    private long peerCommittedWatermark;

    Channel(
            ChannelIdentity identity,
            int jobSize,
            int peerIncarnation,
            ChannelSizes sizes,
            ChannelRules rules,
            FrameSink engine) {
        this.identity = identity;
        this.jobSize = jobSize;
        this.rules = rules;
        outbound = new Outbound(identity, peerIncarnation, sizes, rules);
        inbound = new Inbound(identity, peerIncarnation, sizes, rules, engine, outbound::acknowledge);
    }

    /** Takes a frame for the peer; it is retained until the peer has acknowledged it. */
    Endpoint.Offer offer(FrameHeader header, PayloadSource payload) {
        return offer(header, payload, null);
    }

    /**
     * As {@link #offer(FrameHeader, PayloadSource)}.
     *
     * @param taker may have a short frame at once, where nothing goes before it; null if the link does not take any
     */
    Endpoint.Offer offer(FrameHeader header, PayloadSource payload, ShortFrame.@Nullable Taker taker) {
        if (closed || byeOffered || inbound.isByeReceived()) {
            return Endpoint.Offer.CLOSED;
        }
        boolean goesAtOnce = up && outbound.isAllWritten();
        long expected = inbound.nextExpected();
        boolean goesFirst = goesAtOnce && acknowledgementFrom == acknowledgementTo;
        if (!outbound.stage(header, payload, expected, goesFirst ? taker : null)) {
            return Endpoint.Offer.BACK_PRESSURED;
        }
        if (goesAtOnce) {
            lastAcknowledged = expected;
            inbound.acknowledgementUrgent(false);
        }
        return Endpoint.Offer.ACCEPTED;
    }

    /**
     * Says that nothing more will be sent; false if there is no room now. It is said of itself in answer to the peer's BYE,
     * for the peer waits until it has everything that was offered before.
     */
    boolean sayBye() {
        if (byeOffered || closed) {
            return true;
        }
        FrameHeader bye = new FrameHeader();
        bye.kind = FrameKind.BYE;
        bye.sourceRank = identity.worldRank();
        byeOffered = outbound.stage(bye, EmptyPayload.INSTANCE, inbound.nextExpected(), null);
        return byeOffered;
    }

    /** The bytes to be written next; empty if there are none or no link is up. */
    ByteRun outgoing() {
        return outgoing(false);
    }

    /** As {@link #outgoing()}; on a link that takes arrays the bytes may be a run of one. */
    ByteRun outgoing(boolean linkTakesArrays) {
        if (!up) {
            return out.none();
        }
        if (acknowledgementFrom == acknowledgementTo
                && outbound.isBetweenFrames()
                && inbound.isAcknowledgementUrgent()) {
            writeAcknowledgement();
        }
        if (acknowledgementFrom < acknowledgementTo) {
            return out.set(acknowledgement, acknowledgementFrom, acknowledgementTo - acknowledgementFrom);
        }
        return outbound.outgoing(out, linkTakesArrays);
    }

    private void writeAcknowledgement() {
        lastAcknowledged = inbound.nextExpected();
        inbound.acknowledgementUrgent(false);
        LinkPrefix.write(
                acknowledgement.segment,
                0,
                0,
                0,
                lastAcknowledged,
                identity.incarnation(),
                inbound.peerIncarnation(),
                identity.generation(),
                outbound.epoch(),
                0);
        LinkPrefix.seal(acknowledgement, 0, LinkPrefix.BYTES, crc);
        acknowledgementFrom = 0;
        acknowledgementTo = LinkPrefix.BYTES;
    }

    /** So many bytes of {@link #outgoing} are on the link. */
    void wrote(int bytes) {
        if (acknowledgementFrom < acknowledgementTo) {
            acknowledgementFrom += bytes;
        } else {
            outbound.wrote(bytes);
        }
    }

    /**
     * Room for bytes of the link.
     *
     * @param arrays whether it may be a run of an array
     */
    ByteRun incoming(boolean arrays) {
        return inbound.incoming(in, arrays);
    }

    /** So many bytes have been put there: decodes them and tells the engine. */
    Reception received(int bytes) {
        Reception reception = inbound.received(bytes);
        if (inbound.isByeReceived()) {
            sayBye();
        }
        return reception;
    }

    /** Bytes lie in the link's memory: decodes them there, all of them, and tells the engine. */
    Reception received(WireBuffer memory, int offsetBytes, int lengthBytes) {
        Reception reception = inbound.received(memory, offsetBytes, lengthBytes);
        if (inbound.isByeReceived()) {
            sayBye();
        }
        return reception;
    }

    /** Free room for bytes that are to be looked at, where {@link #look} has found nothing. */
    ByteRun roomToLook() {
        return inbound.roomToLook(in);
    }

    /** So many bytes have been put there. */
    void arrived(int bytes) {
        inbound.arrived(bytes);
    }

    /** Whether there are bytes that {@link #received(int)} is to decode, with others or without, before any are put. */
    boolean isUndecoded() {
        return inbound.isUndecoded();
    }

    /** As {@link ShortMessages#look}, of what was put. */
    int look() {
        return inbound.look();
    }

    /** Where what was put lies. */
    MemorySegment arrivedMemory() {
        return inbound.memory();
    }

    /** Where the payload that was found begins in it. */
    long foundPayloadOffset() {
        return inbound.payloadOffset();
    }

    /** The engine has the message that {@link #look} has found; whether the peer waits for an acknowledgement. */
    boolean tookMessage() {
        inbound.tookMessage();
        return inbound.isAcknowledgementUrgent();
    }

    /** A {@link ShortFrame} lies in the link's memory: decodes it and tells the engine. */
    Reception receivedShortFrame(WireBuffer memory, int offsetBytes, int lengthBytes) {
        return inbound.receivedShortFrame(memory, offsetBytes, lengthBytes, outbound.sending());
    }

    /** Whether the {@link ShortFrame} that lies there is next, and nobody has heard of it; it is not taken yet. */
    boolean isNextShortFrame(WireBuffer memory, int offsetBytes, int lengthBytes) {
        return inbound.isNextShortFrame(memory, offsetBytes, lengthBytes, outbound.sending());
    }

    /** Of the frame that was looked at last. */
    FrameHeader foundHeader() {
        return inbound.header();
    }

    /** The engine has that frame; whether the peer waits for an acknowledgement. */
    boolean tookShortFrame() {
        inbound.tookShortFrame();
        return inbound.isAcknowledgementUrgent();
    }

    /** A few milliseconds have passed. */
    void tick() {
        if (up && lastAcknowledged < inbound.nextExpected() && rules.hold(ChannelRule.ACKNOWLEDGE_WHEN_IDLE)) {
            inbound.acknowledgementUrgent(true);
        }
        if (inbound.isByeReceived()) {
            sayBye();
        }
    }

    /** The peer is to hear of this end: a link that is broken without a word cannot be told from a quiet one. */
    void speak() {
        if (up && rules.hold(ChannelRule.SPEAK_WHEN_QUIET)) {
            inbound.acknowledgementUrgent(true);
        }
    }

    /** The handshake of this end as things are now. */
    Hello hello(Admission verdict) {
        return new Hello(
                verdict,
                jobSize,
                identity.worldRank(),
                identity.generation(),
                identity.incarnation(),
                inbound.peerIncarnation(),
                inbound.nextExpected() + (rules.hold(ChannelRule.TELL_TRUE_EXPECTATION) ? 0 : 1),
                outbound.next(),
                committedWatermark,
                outbound.epoch());
    }

    /** Whether a peer's handshake is acceptable. */
    Admission admit(Hello peer) {
        if (closed) {
            return Admission.ENDED;
        }
        if (peer.size() != jobSize || peer.worldRank() != identity.peerRank()) {
            return Admission.OTHER_JOB;
        }
        if (peer.generation() != identity.generation() && rules.hold(ChannelRule.FENCE_GENERATIONS)) {
            return Admission.OTHER_GENERATION;
        }
        if (rules.hold(ChannelRule.FENCE_HANDSHAKES)) {
            if (peer.incarnation() != inbound.peerIncarnation()) {
                return peer.incarnation() < inbound.peerIncarnation() ? Admission.FENCED : Admission.NOT_YET_KNOWN;
            }
            if (peer.peerIncarnation() != identity.incarnation()) {
                return peer.peerIncarnation() < identity.incarnation() ? Admission.OLD_TABLE : Admission.NOT_YET_KNOWN;
            }
        }
        if (!outbound.canResendFrom(peer.nextExpected()) || peer.nextNumber() < inbound.nextExpected()) {
            return Admission.NUMBERS_LOST;
        }
        return Admission.ACCEPTED;
    }

    /** Retains short frames in the memory of the link that has taken them. */
    ShortFrame.Keeper keeper() {
        return outbound;
    }

    /** A new link has shaken hands; any older one is forgotten. The peer's hello must be admitted. */
    void linkUp(Hello peer) {
        linkUp(peer, false);
    }

    /** As {@link #linkUp(Hello)}; the link may take payloads as they are. */
    void linkUp(Hello peer, boolean linkTakesPayloads) {
        linkDown();
        up = true;
        peerCommittedWatermark = peer.committedWatermark();
        // This end's hello has told the peer.
        lastAcknowledged = inbound.nextExpected();
        outbound.resume(peer.nextExpected(), inbound.peerIncarnation(), linkTakesPayloads);
        inbound.linkUp();
        inbound.noticeEpochOfHello(peer.epoch(), peer.nextNumber());
    }

    /** The link is broken. Everything that is not acknowledged stays retained. */
    void linkDown() {
        up = false;
        outbound.linkDown();
        acknowledgementFrom = 0;
        acknowledgementTo = 0;
        inbound.acknowledgementUrgent(false);
        inbound.forgetPartialFrame();
    }

    /** The peer goes on as another process; what the old one still sends is refused. */
    void peerMoved(int incarnation) {
        inbound.peerIncarnation(incarnation);
    }

    /** Nothing goes either way any more: gives all buffers back. */
    void close() {
        linkDown();
        closed = true;
        outbound.discard();
    }

    /** Whether there has ever been a frame, either way. */
    boolean isUsed() {
        return outbound.next() > 0 || inbound.nextExpected() > 0;
    }

    boolean isUp() {
        return up;
    }

    /** Whether the peer has said that it will send nothing more. */
    boolean isByeReceived() {
        return inbound.isByeReceived();
    }

    /** Whether both ends have said goodbye, and all that this one offered has arrived. */
    boolean isFinished() {
        return closed || (byeOffered && inbound.isByeReceived() && outbound.isAllAcknowledged());
    }

    /** Frames that are retained. */
    long retainedFrames() {
        return outbound.next() - outbound.first();
    }

    ChannelIdentity identity() {
        return identity;
    }

    int peerIncarnation() {
        return inbound.peerIncarnation();
    }

    /** Below this number the peer's committed snapshot covers what it received: a message log may be cut there. */
    long peerCommittedWatermark() {
        return peerCommittedWatermark;
    }

    /** A snapshot of this rank is committed that covers what was received below a number. */
    void committed(long watermark) {
        committedWatermark = watermark;
    }

    /** What a snapshot or a move takes along. */
    FrozenChannel freeze() {
        return FrozenChannel.of(identity, inbound, outbound);
    }

    /**
     * Goes on where a frozen channel stood: with its current numbers and retained frames if it is of this generation (its
     * rank has moved); with its numbers at the cut if the job was rolled back, since then all ranks go back to their cuts,
     * at which nothing was under way.
     */
    void thaw(FrozenChannel frozen) {
        if (frozen.generation() != identity.generation()) {
            inbound.thaw(frozen.cutExpected(), frozen.cutEpoch());
            outbound.thaw(frozen.cutNext(), frozen.cutEpoch());
            return;
        }
        inbound.thaw(frozen.nextExpected(), frozen.peerEpoch());
        outbound.thaw(frozen.nextNumber() - frozen.retained().size(), frozen.epochOfFirstRetained());
        for (FrozenChannel.Frame frame : frozen.retained()) {
            if (!outbound.stage(frame.header(), frame, frozen.nextExpected(), null)) {
                throw new IllegalArgumentException("the frames retained for rank " + identity.peerRank()
                        + " do not fit into the staging ring, which is smaller than where they come from");
            }
        }
    }

    @Override
    public String toString() {
        return "expects frame " + inbound.nextExpected() + ", retains " + outbound.first() + " to " + outbound.next()
                + " and writes " + outbound.sending() + " next";
    }
}
