package org.gridmpj.pt2pt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.junit.jupiter.api.Test;

/** The format of the engine's sections is held: an image outlives the version that wrote it. */
class EngineSectionsTest {
    private static final String ORDER = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "01" : "00";

    private static UnexpectedMessage message() {
        FrameHeader header = new FrameHeader();
        header.typeCode = 5;
        header.flags = 1;
        header.sourceRank = 2;
        header.contextId = 0x1122334455667788L;
        header.tag = 9;
        header.count = 1;
        header.messageId = 33;
        header.messageBytes = 3;
        UnexpectedMessage message = new UnexpectedMessage();
        message.prepare(header, 2, 3);
        message.write(0, MemorySegment.ofArray(new byte[] {10, 11, 12}), 0, 3);
        return message;
    }

    @Test
    void shouldWriteUnexpectedMessagesInTheFormatOfVersionOne() {
        byte[] section = EngineSections.writeUnexpected(List.of(message()));
        String body = "474d504a554e4558" // GMPJUNEX
                + "00000001" // version
                + ORDER
                + "00000001" // messages
                + "00000005" // type
                + "00000001" // flags
                + "00000002" // source
                + "1122334455667788" // context
                + "00000009" // tag
                + "00000001" // count
                + "0000000000000021" // message id
                + "00000003" // length
                + "0a0b0c";
        String hex = HexFormat.of().formatHex(section);
        assertThat(hex).startsWith(body).hasSize(body.length() + 8);
    }

    @Test
    void shouldReadBackWhatItWrote() {
        List<EngineSections.Saved> saved =
                EngineSections.readUnexpected(EngineSections.writeUnexpected(List.of(message(), message())));
        assertThat(saved).hasSize(2);
        FrameHeader header = saved.get(1).header();
        assertThat(header.contextId).isEqualTo(0x1122334455667788L);
        assertThat(header.messageBytes).isEqualTo(3);
        assertThat(saved.get(1).payload().toArray(ValueLayout.JAVA_BYTE)).containsExactly(10, 11, 12);
    }

    @Test
    void shouldKeepCountersInTheFormatOfVersionOne() {
        Peer[] peers = {new Peer(0), new Peer(1)};
        peers[1].counters.set(4, 17);
        byte[] section = EngineSections.writeCounters(peers);
        assertThat(HexFormat.of().formatHex(section))
                .startsWith("474d504a434e5452" + "00000001" + "00000001" + "00000001" + "0000000000000004"
                        + "0000000000000011");
        Peer[] fresh = {new Peer(0), new Peer(1)};
        EngineSections.readCounters(section, fresh);
        assertThat(fresh[1].counters.next(4)).isEqualTo(17);
        assertThat(fresh[0].counters.next(4)).isEqualTo(1);
    }

    @Test
    void shouldKeepTheSizeOfTheSerializationBuffersInTheFormatOfVersionOne() {
        byte[] section = EngineSections.writeSerializationBuffers(655_365);
        assertThat(HexFormat.of().formatHex(section))
                .startsWith("474d504a53455242" + "00000001" + "000a0005")
                .hasSize(40);
        assertThat(EngineSections.readSerializationBuffers(section)).isEqualTo(655_365);
        assertThatThrownBy(() -> EngineSections.readSerializationBuffers(EngineSections.writeSerializationBuffers(-1)))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("size of -1");
    }

    @Test
    void shouldRefuseASectionWithAFlippedBit() {
        byte[] section = EngineSections.writeUnexpected(List.of(message()));
        for (int i = 0; i < section.length; i++) {
            byte[] damaged = section.clone();
            damaged[i] ^= 4;
            assertThatThrownBy(() -> EngineSections.readUnexpected(damaged))
                    .isInstanceOf(MpiFailure.class)
                    .hasMessageContaining("cannot be used");
        }
        assertThatThrownBy(() -> EngineSections.readUnexpected(new byte[5])).isInstanceOf(MpiFailure.class);
    }
}
