package org.gridmpj.pt2pt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.junit.jupiter.api.Test;

class InFlightLogTest {
    private static final String ORDER = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "01" : "00";

    private static FrameHeader header(int payloadBytes) {
        FrameHeader header = new FrameHeader();
        header.sourceRank = 2;
        header.tag = 9;
        header.payloadBytes = payloadBytes;
        header.messageBytes = payloadBytes;
        return header;
    }

    private static void pour(LoggedFrame frame, long position, int... bytes) {
        byte[] data = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            data[i] = (byte) bytes[i];
        }
        frame.write(position, MemorySegment.ofArray(data), 0, data.length);
    }

    private static byte[] section(InFlightLog log) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        log.writeTo(bytes);
        assertThat((long) bytes.size()).isEqualTo(log.lengthBytes());
        return bytes.toByteArray();
    }

    private static InFlightLog log() {
        InFlightLog log = new InFlightLog();
        LoggedFrame rest = new LoggedFrame(1, header(6), ReceiveSide.DISCARD, true);
        log.add(rest);
        pour(rest, 4, 14, 15);
        LoggedFrame whole = new LoggedFrame(2, header(3), ReceiveSide.DISCARD, false);
        log.add(whole);
        pour(whole, 0, 10, 11, 12);
        return log;
    }

    @Test
    void shouldWriteTheFormatOfVersionOne() throws IOException {
        String hex = HexFormat.of().formatHex(section(log()));
        String headerHex = "[0-9a-f]{" + 2 * FrameHeader.BYTES + "}";
        assertThat(hex)
                .matches(
                        "474d504a464c4f57" // GMPJFLOW
                                + "00000001" // version
                                + ORDER
                                + "00000002" // frames
                                + "00000001" // peer
                                + "01" // the rest of a frame
                                + headerHex
                                + "0000000000000004" // first position
                                + "00000002" // length
                                + "0e0f"
                                + "00000002" // peer
                                + "00" // a whole frame
                                + headerHex
                                + "0000000000000000"
                                + "00000003"
                                + "0a0b0c"
                                + "[0-9a-f]{8}");
    }

    @Test
    void shouldReadBackWhatItWrote() throws IOException {
        List<InFlightLog.Saved> saved = InFlightLog.read(section(log()));
        assertThat(saved).hasSize(2);
        assertThat(saved.getFirst().continuation()).isTrue();
        assertThat(saved.getFirst().fromBytes()).isEqualTo(4);
        assertThat(saved.getFirst().payload()).containsExactly(14, 15);
        assertThat(saved.getLast().header().tag).isEqualTo(9);
        assertThat(saved.getLast().payload()).containsExactly(10, 11, 12);
    }

    @Test
    void shouldKeepOnlyTheRestWhenATransportBeginsTheFrameAgain() throws IOException {
        InFlightLog log = new InFlightLog();
        LoggedFrame rest = new LoggedFrame(1, header(6), ReceiveSide.DISCARD, true);
        log.add(rest);
        pour(rest, 3, 13);
        pour(rest, 0, 10, 11, 12, 13);
        pour(rest, 4, 14, 15);
        assertThat(InFlightLog.read(section(log)).getFirst().payload()).containsExactly(13, 14, 15);
        assertThat(InFlightLog.read(section(log)).getFirst().fromBytes()).isEqualTo(3);
    }

    @Test
    void shouldRefuseWhenAnyByteIsAnotherOne() throws IOException {
        byte[] section = section(log());
        for (int i = 0; i < section.length; i++) {
            byte[] damaged = section.clone();
            damaged[i] ^= 4;
            assertThatThrownBy(() -> InFlightLog.read(damaged)).isInstanceOf(MpiFailure.class);
        }
        assertThatThrownBy(() -> InFlightLog.read(new byte[3])).isInstanceOf(MpiFailure.class);
    }
}
