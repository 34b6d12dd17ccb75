package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.gridmpj.testkit.transport.FrameRecorder;
import org.gridmpj.testkit.transport.PatternPayload;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.ShortMessages;
import org.junit.jupiter.api.Test;

/** What the simulation does not vary: epochs, goodbyes, cuts, refusals. */
class ChannelTest {
    private static final ChannelSizes SIZES = ChannelSizes.forJob(2);

    private final FrameRecorder lowRecorder = new FrameRecorder();
    private final FrameRecorder highRecorder = new FrameRecorder();
    private final Channel low = channel(0, 0, lowRecorder);
    private final Channel high = channel(1, 0, highRecorder);

    private static Channel channel(int rank, int generation, FrameRecorder recorder) {
        return new Channel(new ChannelIdentity(rank, 1 - rank, generation, 0), 2, 0, SIZES, ChannelRules.ALL, recorder);
    }

    private static void connect(Channel low, Channel high) {
        Hello hello = high.hello(Admission.ACCEPTED);
        assertThat(low.admit(hello)).isEqualTo(Admission.ACCEPTED);
        Hello answer = low.hello(Admission.ACCEPTED);
        low.linkUp(hello);
        assertThat(high.admit(answer)).isEqualTo(Admission.ACCEPTED);
        high.linkUp(answer);
    }

    /** Moves all that is written from one channel to the other. */
    private static void move(Channel from, Channel to) {
        for (ByteRun run = from.outgoing(); run.lengthBytes > 0; run = from.outgoing()) {
            ByteRun room = to.incoming(false);
            int length = Math.min(run.lengthBytes, room.lengthBytes);
            copy(run, room, length);
            from.wrote(length);
            assertThat(to.received(length)).isEqualTo(Reception.OK);
        }
    }

    private static void copy(ByteRun run, ByteRun room, int length) {
        byte[] bytes = new byte[length];
        run.memory().view(run.offsetBytes, length).get(bytes);
        room.memory().view(room.offsetBytes, length).put(bytes);
    }

    private static Endpoint.Offer offer(Channel channel, FrameKind kind, long messageId) {
        FrameHeader header = new FrameHeader();
        header.kind = kind;
        header.messageId = messageId;
        header.payloadBytes = kind == FrameKind.MARKER ? 0 : 100;
        return channel.offer(header, new PatternPayload(messageId, (int) header.payloadBytes));
    }

    /** A short frame goes into memory that the peer never reads, and a marker behind it; then a connection takes over. */
    @Test
    void shouldKeepTheEpochOfAFrameThatWasRetainedInSharedMemory() {
        SimulatedRecords memory = new SimulatedRecords().keptBy(low.keeper());
        Hello hello = high.hello(Admission.ACCEPTED);
        low.linkUp(hello, true);
        high.linkUp(low.hello(Admission.ACCEPTED), true);
        FrameHeader header = new FrameHeader();
        header.messageId = 1;
        header.count = 3;
        header.payloadBytes = 3;
        header.messageBytes = 3;
        assertThat(low.offer(header, new PatternPayload(1, 3), memory)).isEqualTo(Endpoint.Offer.ACCEPTED);
        assertThat(low.outgoing().lengthBytes).as("it is in the memory").isZero();
        assertThat(offer(low, FrameKind.MARKER, 5)).isEqualTo(Endpoint.Offer.ACCEPTED);
        low.linkDown();
        high.linkDown();
        connect(low, high);
        move(low, high);
        assertThat(highRecorder.arrivals())
                .extracting(frame -> frame.header().kind)
                .containsExactly(FrameKind.EAGER, FrameKind.MARKER);
        assertThat(highRecorder.arrivals().getFirst().payload()).isEqualTo(PatternPayload.pattern(1, 3));
        assertThat(highRecorder.arrivals().getLast().header().messageId).isEqualTo(5);
    }

    private static FrozenChannel frozenInEpoch(Channel channel, int epoch) {
        FrozenChannel now = channel.freeze();
        return new FrozenChannel(
                now.peerRank(),
                now.generation(),
                now.incarnation(),
                epoch,
                now.peerEpoch(),
                now.cutEpoch(),
                now.nextExpected(),
                now.nextNumber(),
                now.cutExpected(),
                now.cutNext(),
                now.retained(),
                now.undecoded());
    }

    @Test
    void shouldSpeakThoughNothingIsOwed() {
        connect(low, high);
        assertThat(low.outgoing().lengthBytes).isZero();

        low.speak();
        assertThat(low.outgoing().lengthBytes).isEqualTo(LinkPrefix.BYTES);
        move(low, high);

        assertThat(low.outgoing().lengthBytes).isZero();
        assertThat(high.outgoing().lengthBytes).isZero();
    }

    @Test
    void shouldTakeAFrameOfAHigherEpochAsMarker() {
        connect(low, high);
        high.thaw(frozenInEpoch(high, 5));
        offer(high, FrameKind.EAGER, 1);
        move(high, low);
        assertThat(lowRecorder.arrivals())
                .extracting(arrival -> arrival.header().kind)
                .containsExactly(FrameKind.MARKER, FrameKind.EAGER);
        assertThat(lowRecorder.arrivals().get(0).header().messageId).isEqualTo(5);
    }

    @Test
    void shouldTakeAHandshakeOfAHigherEpochAsMarkerWhenNothingIsUnderWay() {
        high.thaw(frozenInEpoch(high, 5));
        connect(low, high);
        assertThat(lowRecorder.arrivals()).as("before any frame has come").hasSize(1);
        offer(high, FrameKind.EAGER, 1);
        move(high, low);
        assertThat(lowRecorder.arrivals())
                .extracting(arrival -> arrival.header().kind)
                .containsExactly(FrameKind.MARKER, FrameKind.EAGER);
    }

    @Test
    void shouldKeepTheMarkerInItsPlaceWhenFramesAreUnderWayAtTheHandshake() {
        offer(high, FrameKind.EAGER, 1);
        offer(high, FrameKind.MARKER, 5);
        offer(high, FrameKind.EAGER, 2);
        connect(low, high);
        move(high, low);
        assertThat(lowRecorder.arrivals())
                .extracting(arrival -> arrival.header().kind)
                .containsExactly(FrameKind.EAGER, FrameKind.MARKER, FrameKind.EAGER);
    }

    @Test
    void shouldGoBackToTheCutWhenTheJobIsRolledBack() {
        connect(low, high);
        offer(low, FrameKind.EAGER, 1);
        offer(high, FrameKind.EAGER, 1);
        offer(low, FrameKind.MARKER, 1);
        offer(high, FrameKind.MARKER, 1);
        offer(high, FrameKind.EAGER, 2);
        move(low, high);
        move(high, low);
        FrozenChannel lowFrozen = FrozenChannel.decode(low.freeze().encode());
        FrozenChannel highFrozen = FrozenChannel.decode(high.freeze().encode());
        // The frame behind the marker has arrived but belongs to a future that will not be.
        assertThat(lowFrozen.nextExpected()).isEqualTo(3);
        assertThat(lowFrozen.cutExpected()).isEqualTo(2);

        FrameRecorder again = new FrameRecorder();
        Channel newLow = channel(0, 1, again);
        Channel newHigh = channel(1, 1, new FrameRecorder());
        newLow.thaw(lowFrozen);
        newHigh.thaw(highFrozen);
        connect(newLow, newHigh);
        offer(newHigh, FrameKind.EAGER, 2);
        move(newHigh, newLow);
        assertThat(again.arrivals()).hasSize(1);
        assertThat(low.admit(newHigh.hello(Admission.ACCEPTED))).isEqualTo(Admission.OTHER_GENERATION);
        assertThat(newLow.admit(high.hello(Admission.ACCEPTED))).isEqualTo(Admission.OTHER_GENERATION);
    }

    @Test
    void shouldBringWhatWasUnderWayWhenTheRankGoesOnInAnotherProcess() {
        connect(low, high);
        offer(high, FrameKind.EAGER, 1);
        offer(high, FrameKind.EAGER, 2);
        Channel moved =
                new Channel(new ChannelIdentity(1, 0, 0, 1), 2, 0, SIZES, ChannelRules.ALL, new FrameRecorder());
        moved.thaw(FrozenChannel.decode(high.freeze().encode()));
        low.peerMoved(1);
        connect(low, moved);
        offer(moved, FrameKind.EAGER, 3);
        move(moved, low);
        assertThat(lowRecorder.arrivals())
                .extracting(arrival -> arrival.header().messageId)
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldRefuseThePeerThatHasLostItsState() {
        connect(low, high);
        for (int number = 0; number < 3; number++) {
            offer(low, FrameKind.EAGER, number);
            offer(high, FrameKind.EAGER, number);
        }
        move(low, high);
        move(high, low);
        low.linkDown();
        Channel fresh = channel(1, 0, new FrameRecorder());
        assertThat(low.admit(fresh.hello(Admission.ACCEPTED))).isEqualTo(Admission.NUMBERS_LOST);
    }

    @Test
    void shouldFenceLowerIncarnationsAndPutHigherOnesOff() {
        low.peerMoved(1);
        assertThat(low.admit(high.hello(Admission.ACCEPTED))).isEqualTo(Admission.FENCED);
        Channel later =
                new Channel(new ChannelIdentity(1, 0, 0, 2), 2, 0, SIZES, ChannelRules.ALL, new FrameRecorder());
        assertThat(low.admit(later.hello(Admission.ACCEPTED))).isEqualTo(Admission.NOT_YET_KNOWN);
    }

    @Test
    void shouldEndBothWaysWhenOneSaysBye() {
        connect(low, high);
        offer(low, FrameKind.EAGER, 1);
        offer(high, FrameKind.EAGER, 1);
        assertThat(low.sayBye()).isTrue();
        assertThat(offer(low, FrameKind.EAGER, 2)).isEqualTo(Endpoint.Offer.CLOSED);
        move(low, high);
        assertThat(offer(high, FrameKind.EAGER, 2)).isEqualTo(Endpoint.Offer.CLOSED);
        move(high, low);
        move(low, high);
        assertThat(low.isFinished()).isTrue();
        assertThat(high.isFinished()).isTrue();
        assertThat(lowRecorder.arrivals()).hasSize(1);
        assertThat(highRecorder.arrivals()).hasSize(1);
    }

    @Test
    void shouldBreakTheLinkWhenAHeadIsDamaged() {
        connect(low, high);
        offer(high, FrameKind.EAGER, 1);
        ByteRun run = high.outgoing();
        for (int damaged = 0; damaged < LinkPrefix.HEAD_BYTES; damaged++) {
            Channel receiver = channel(0, 0, new FrameRecorder());
            connect(receiver, channel(1, 0, new FrameRecorder()));
            byte[] bytes = new byte[run.lengthBytes];
            run.memory().view(run.offsetBytes, run.lengthBytes).get(bytes);
            bytes[damaged] ^= 0x10;
            ByteRun room = receiver.incoming(false);
            room.memory().view(room.offsetBytes, bytes.length).put(bytes);
            assertThat(receiver.received(bytes.length)).as("byte %d", damaged).isEqualTo(Reception.CORRUPT);
        }
    }

    /** Puts what is written where it can be looked at, at most so many bytes. */
    private static void show(Channel from, Channel to, int mostBytes) {
        ByteRun run = from.outgoing();
        ByteRun room = to.roomToLook();
        int length = Math.min(mostBytes, Math.min(run.lengthBytes, room.lengthBytes));
        copy(run, room, length);
        from.wrote(length);
        to.arrived(length);
    }

    private static byte[] payload(Channel channel, int bytes) {
        byte[] payload = new byte[bytes];
        MemorySegment.copy(
                channel.arrivedMemory(), ValueLayout.JAVA_BYTE, channel.foundPayloadOffset(), payload, 0, bytes);
        return payload;
    }

    @Test
    void shouldShowAMessageWhenAllOfItHasArrivedAndTheNextOneWhenItIsTaken() {
        connect(low, high);
        offer(high, FrameKind.EAGER, 1);
        offer(high, FrameKind.EAGER, 2);
        assertThat(low.look()).isEqualTo(ShortMessages.NOTHING);
        for (int part : new int[] {LinkPrefix.BYTES - 1, 1, FrameHeader.BYTES, 99}) {
            show(high, low, part);
            assertThat(low.look()).as("behind %d bytes more", part).isEqualTo(ShortMessages.NOTHING);
        }
        show(high, low, Integer.MAX_VALUE);

        assertThat(low.look()).isEqualTo(100);
        assertThat(low.look()).as("looked at again").isEqualTo(100);
        assertThat(low.foundHeader().messageId).isEqualTo(1);
        assertThat(payload(low, 100)).isEqualTo(PatternPayload.pattern(1, 100));
        assertThat(low.tookMessage()).isFalse();
        assertThat(low.look()).isEqualTo(100);
        assertThat(payload(low, 100)).isEqualTo(PatternPayload.pattern(2, 100));
        assertThat(low.tookMessage()).isFalse();
        assertThat(low.look()).isEqualTo(ShortMessages.NOTHING);
        assertThat(low.isUndecoded()).isFalse();
        assertThat(lowRecorder.arrivals())
                .as("what was taken is not delivered, too")
                .isEmpty();
    }

    @Test
    void shouldDeliverWhatWasLookedAtAndNotTaken() {
        connect(low, high);
        offer(high, FrameKind.EAGER, 1);
        offer(high, FrameKind.EAGER, 2);
        show(high, low, Integer.MAX_VALUE);
        assertThat(low.look()).isEqualTo(100);
        assertThat(low.tookMessage()).isFalse();
        assertThat(low.look()).isEqualTo(100);
        assertThat(low.isUndecoded()).isTrue();

        assertThat(low.received(0)).isEqualTo(Reception.OK);
        assertThat(low.isUndecoded()).isFalse();
        assertThat(lowRecorder.arrivals())
                .extracting(arrival -> arrival.header().messageId)
                .containsExactly(2L);
    }

    @Test
    void shouldLeaveWhatIsNoMessageToTheEngine() {
        connect(low, high);
        offer(high, FrameKind.MARKER, 5);
        show(high, low, Integer.MAX_VALUE);
        assertThat(low.look()).isEqualTo(ShortMessages.OTHER);
        assertThat(low.received(0)).isEqualTo(Reception.OK);
        assertThat(lowRecorder.arrivals())
                .extracting(arrival -> arrival.header().kind)
                .containsExactly(FrameKind.MARKER);
    }

    @Test
    void shouldLeaveAMessageOfALaterEpochToTheEngine() {
        connect(low, high);
        high.thaw(frozenInEpoch(high, 5));
        offer(high, FrameKind.EAGER, 1);
        show(high, low, Integer.MAX_VALUE);

        assertThat(low.look()).isEqualTo(ShortMessages.OTHER);
        assertThat(low.received(0)).isEqualTo(Reception.OK);
        assertThat(lowRecorder.arrivals())
                .extracting(arrival -> arrival.header().kind)
                .containsExactly(FrameKind.MARKER, FrameKind.EAGER);
    }

    @Test
    void shouldBreakTheLinkWhenWhatWasLookedAtIsDamaged() {
        connect(low, high);
        offer(high, FrameKind.EAGER, 1);
        show(high, low, Integer.MAX_VALUE);
        low.arrivedMemory().set(ValueLayout.JAVA_BYTE, LinkPrefix.NUMBER_OFFSET, (byte) 9);

        assertThat(low.look()).isEqualTo(ShortMessages.OTHER);
        assertThat(low.received(0)).isEqualTo(Reception.CORRUPT);
    }

    @Test
    void shouldGetAgainWhatWasLookedAtWhenTheLinkBreaks() {
        connect(low, high);
        offer(high, FrameKind.EAGER, 1);
        show(high, low, Integer.MAX_VALUE);
        assertThat(low.look()).isEqualTo(100);
        low.linkDown();
        high.linkDown();

        assertThat(low.look()).isEqualTo(ShortMessages.NOTHING);
        connect(low, high);
        assertThat(low.isUndecoded()).isFalse();
        move(high, low);
        assertThat(lowRecorder.arrivals()).hasSize(1);
    }
}
