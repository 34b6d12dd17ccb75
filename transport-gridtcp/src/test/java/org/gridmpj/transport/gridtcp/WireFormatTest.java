package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.gridmpj.testkit.transport.FrameRecorder;
import org.gridmpj.testkit.transport.PatternPayload;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bytes on the wire and in snapshots are what the golden files say; a change of them needs a new version. */
class WireFormatTest {
    private static final Hello HELLO = new Hello(Admission.FENCED, 4, 3, 2, 1, 5, 0x1122334455667788L, 77, 66, 9)
            .with(new Sharing(0x7766554433221101L, 4711, 12, 0x0807060504030201L, 1 << 20));

    @BeforeEach
    void littleEndianOnly() {
        assumeThat(ByteOrder.nativeOrder())
                .as("the golden files are of a little-endian host")
                .isEqualTo(ByteOrder.LITTLE_ENDIAN);
    }

    private static void assertGolden(String name, byte[] actual) throws IOException {
        try (InputStream in = WireFormatTest.class.getResourceAsStream("/golden/" + name + ".hex")) {
            String expected = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            String text = HexFormat.of()
                    .formatHex(actual)
                    .replaceAll("(.{64})", "$1\n")
                    .strip();
            assertThat(text).as(name).isEqualTo(expected.strip());
        }
    }

    private static Channel channel() {
        return new Channel(
                new ChannelIdentity(1, 0, 3, 2), 2, 7, ChannelSizes.forJob(2), ChannelRules.ALL, new FrameRecorder());
    }

    private static FrameHeader header(int payloadBytes) {
        FrameHeader header = new FrameHeader();
        header.kind = FrameKind.EAGER_SYNC;
        header.typeCode = 4;
        header.flags = FrameHeader.FLAG_OBJECTS;
        header.sourceRank = 1;
        header.contextId = 0x0102030405060708L;
        header.payloadBytes = payloadBytes;
        header.tag = 99;
        header.count = payloadBytes;
        header.messageId = 12;
        header.senderToken = 13;
        header.receiverToken = 14;
        header.messageBytes = payloadBytes;
        return header;
    }

    @Test
    void shouldWriteAFrameAsTheGoldenFileSays() throws IOException {
        Channel channel = channel();
        channel.offer(header(5), new PatternPayload(1, 5));
        channel.linkUp(new Hello(Admission.ACCEPTED, 2, 0, 3, 7, 2, 0, 0, 0, 0));
        ByteRun run = channel.outgoing();
        byte[] bytes = new byte[run.lengthBytes];
        run.memory().view(run.offsetBytes, run.lengthBytes).get(bytes);
        assertThat(bytes).hasSize(LinkPrefix.HEAD_BYTES + 8);
        assertGolden("frame", bytes);
    }

    @Test
    void shouldWriteAShortFrameAsTheGoldenFileSays() throws IOException {
        FrameHeader header = header(5);
        header.kind = FrameKind.EAGER;
        header.senderToken = 0;
        header.receiverToken = 0;
        Channel channel = channel();
        channel.offer(header, new PatternPayload(1, 5));
        Hello hello = new Hello(Admission.ACCEPTED, 2, 0, 3, 7, 2, 0, 0, 0, 0);
        channel.linkUp(hello, true);
        Channel linked = channel();
        linked.linkUp(hello, true);
        ByteRun run = channel.outgoing();
        assertThat(run.isShortFrame).isTrue();
        byte[] line = new byte[56];
        ShortFrame.write(run.memory().segment, run.offsetBytes, MemorySegment.ofArray(line), 0, 5);
        byte[] bytes = Arrays.copyOf(line, ShortFrame.HEAD_BYTES + 5);
        assertGolden("short-frame", bytes);
        SimulatedRecords memory = new SimulatedRecords();
        assertThat(linked.offer(header, new PatternPayload(1, 5), memory)).isEqualTo(Endpoint.Offer.ACCEPTED);
        assertThat(memory.keptIn(0).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes);
        assertThat(linked.outgoing().lengthBytes).as("it is on the link").isZero();
        FrameHeader read = new FrameHeader();
        read.sourceRank = 1;
        ShortFrame.read(MemorySegment.ofArray(bytes), 0, 5, read);
        assertThat(read).hasToString(header.toString());
        assertThat(ShortFrame.number(MemorySegment.ofArray(bytes), 0, (1L << 40) - 3))
                .isEqualTo(1L << 40);
    }

    @Test
    void shouldSendNothingElseAsAShortFrame() {
        assertThat(ShortFrame.fits(header(5), 1)).as("synchronous").isFalse();
        FrameHeader eager = header(5);
        eager.kind = FrameKind.EAGER;
        assertThat(ShortFrame.fits(eager, 1)).as("tokens").isFalse();
        eager.senderToken = 0;
        eager.receiverToken = 0;
        assertThat(ShortFrame.fits(eager, 1)).isTrue();
        assertThat(ShortFrame.fits(eager, 0)).as("of another rank").isFalse();
        eager.payloadBytes = ShortFrame.MOST_PAYLOAD_BYTES + 1;
        eager.messageBytes = eager.payloadBytes;
        assertThat(ShortFrame.fits(eager, 1)).as("long").isFalse();
    }

    @Test
    void shouldWriteAHelloAsTheGoldenFileSays() throws IOException {
        assertGolden("hello", HELLO.encode());
        assertThat(Hello.decode(HELLO.encode())).isEqualTo(HELLO);
    }

    @Test
    void shouldWriteAPreambleAsTheGoldenFileSays() throws IOException {
        assertGolden("preamble", Handshake.preamble());
        assertThat(Handshake.objection(Handshake.preamble())).isNull();
    }

    @Test
    void shouldFreezeAChannelAsTheGoldenFileSays() throws IOException {
        Channel channel = channel();
        channel.offer(header(5), new PatternPayload(1, 5));
        channel.offer(header(0), new PatternPayload(1, 0));
        byte[] frozen = channel.freeze().encode();
        assertGolden("frozen-channel", frozen);
        FrozenChannel decoded = FrozenChannel.decode(frozen);
        assertThat(decoded.encode()).isEqualTo(frozen);
        assertThat(decoded.retained()).hasSize(2);
        frozen[70] ^= 1;
        assertThatThrownBy(() -> FrozenChannel.decode(frozen)).hasMessageContaining("checksum");
    }

    @Test
    void shouldSaySoWhenThePeerHasTheOtherByteOrder() {
        byte[] hello = HELLO.encode();
        reverse(hello, 0);
        assertThatThrownBy(() -> Hello.decode(hello)).hasMessageContaining("byte order");
        byte[] preamble = Handshake.preamble();
        reverse(preamble, 8);
        assertThat(Handshake.objection(preamble)).contains("byte order");
    }

    private static void reverse(byte[] bytes, int at) {
        for (int i = 0; i < 2; i++) {
            byte low = bytes[at + i];
            bytes[at + i] = bytes[at + 3 - i];
            bytes[at + 3 - i] = low;
        }
    }

    @Test
    void shouldRefuseAHelloWhenABitHasTurned() {
        for (int at = 0; at < Hello.BYTES; at++) {
            byte[] hello = HELLO.encode();
            hello[at] ^= 2;
            assertThatThrownBy(() -> Hello.decode(hello)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
