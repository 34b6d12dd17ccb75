package org.gridmpj.job.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.OutOfReach;
import org.gridmpj.job.RankTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ControlCodecTest {
    private static final String GOLDEN = "control-frames-v8.hex";

    static List<ControlMessage> messages() {
        return List.of(
                new ControlMessage.Hello(3, 1, 4711L),
                new ControlMessage.Welcome(new JobSpec("amber-fox", 2, List.of("h1", "h1", "müller", "")), -1),
                new ControlMessage.Bound("127.0.0.1", 40123, "boot/net/pid"),
                new ControlMessage.Table(new RankTable(
                        1,
                        List.of(
                                new RankTable.Entry(0, "a", 1, 0, "h"),
                                new RankTable.Entry(1, "müller", 65535, 7, "")))),
                new ControlMessage.Heartbeat(1L << 40, "waiting", "Recv at Ring.java:12", 42, List.of()),
                new ControlMessage.Heartbeat(
                        7,
                        "waiting",
                        "",
                        0,
                        List.of(
                                new OutOfReach(5, "10.0.0.7:4711", 30, "connection timed out"),
                                new OutOfReach(6, "müller:1", 1 << 20, ""))),
                new ControlMessage.CheckpointNow("interval"),
                new ControlMessage.SnapshotWritten(7, "rank-3.img", 1 << 20, 0xCAFEBABE, 5, 1_000_000, 10, 11, 12),
                new ControlMessage.SnapshotFailed(7, "pending Irecv"),
                new ControlMessage.EpochCommitted(7),
                new ControlMessage.RestoreFailed(7, false, "checksum"),
                new ControlMessage.RestoreFailed(8, true, "another class"),
                new ControlMessage.Ending(ControlMessage.EndKind.ABORT, 42, "because"),
                new ControlMessage.Finalized(),
                new ControlMessage.Shutdown(137, "rank 2 was killed"),
                new ControlMessage.Restored(7, 100, 0, 5),
                new ControlMessage.Unasked(7, 100, 0, 5),
                new ControlMessage.Move(5, "h1"),
                new ControlMessage.Moved("", "no other host"),
                new ControlMessage.Welcome(new JobSpec("amber-fox", 4, 0), ControlMessage.Welcome.ARRIVING),
                new ControlMessage.Prepared(),
                new ControlMessage.Depart("/jobs/amber-fox/moving-2-1.image"),
                new ControlMessage.Departed("moving-2-1-4.image", 1L << 33, 17, 18, 19, 20),
                new ControlMessage.NotMoved("moving-2-1-4.image", "a snapshot under way does not end"),
                new ControlMessage.Stay("the new process has ended"),
                new ControlMessage.Arrive("/jobs/amber-fox/moving-2-1.image"),
                new ControlMessage.Arrived(),
                new ControlMessage.Go(),
                new ControlMessage.CopyAhead("moving-2-1-4.image"),
                new ControlMessage.CopiedAhead("moving-2-1-3.image", 1L << 33, 17),
                new ControlMessage.Rehearse("moving-2-1-4.image"),
                new ControlMessage.GoBack(7),
                new ControlMessage.PeerGoesBack(2, 3, 7),
                new ControlMessage.CaughtUp(2, 9),
                new ControlMessage.NotAlone(7, true, "the log's file is full"),
                new ControlMessage.Heard(),
                new ControlMessage.Farewell(),
                new ControlMessage.Diverged("message 5 of rank 2 is another one"),
                new ControlMessage.Lived(3_600_000_000_000L, 2),
                new ControlMessage.Pace(29_400_000_000L, 0.0014),
                new ControlMessage.Knock(3, 41),
                new ControlMessage.Goodbye(3, List.of(0, 41)));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldReadBackWhatWasWritten(ControlMessage message) throws IOException {
        assertThat(ControlCodec.read(new ByteArrayInputStream(ControlCodec.encode(message))))
                .isEqualTo(message);
    }

    @Test
    void shouldKeepTheBytesOfVersionEight() throws IOException {
        try (InputStream golden =
                Objects.requireNonNull(getClass().getResourceAsStream(GOLDEN), "no golden file " + GOLDEN)) {
            List<String> lines = new String(golden.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
            assertThat(messages().stream()
                            .map(message -> HexFormat.of().formatHex(ControlCodec.encode(message)))
                            .toList())
                    .isEqualTo(lines);
        }
    }

    @Test
    void shouldReadMessagesOneAfterTheOtherUntilTheEnd() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ControlMessage message : messages()) {
            all.write(ControlCodec.encode(message));
        }
        InputStream in = new ByteArrayInputStream(all.toByteArray());
        for (ControlMessage message : messages()) {
            assertThat(ControlCodec.read(in)).isEqualTo(message);
        }
        assertThat(ControlCodec.read(in)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 11, 12, 15, 20})
    void shouldRefuseAFrameThatEndsEarly(int length) {
        byte[] frame = ControlCodec.encode(new ControlMessage.Hello(0, 0, 1));
        assertThatThrownBy(() -> ControlCodec.read(new ByteArrayInputStream(Arrays.copyOf(frame, length))))
                .isInstanceOf(EOFException.class);
    }

    @Test
    void shouldRefuseEveryChangedByte() {
        byte[] frame = ControlCodec.encode(new ControlMessage.Shutdown(1, "x"));
        for (int at = 0; at < frame.length; at++) {
            byte[] changed = frame.clone();
            changed[at] ^= 0x10;
            assertThatThrownBy(() -> ControlCodec.read(new ByteArrayInputStream(changed)))
                    .as("byte %d", at)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldRefuseALengthBeyondTheLimitWithoutReadingOn() {
        byte[] frame = ControlCodec.encode(new ControlMessage.EpochCommitted(1));
        frame[ControlCodec.BODY_BYTES_OFFSET] = 0x7f;
        assertThatThrownBy(() -> ControlCodec.read(new ByteArrayInputStream(frame)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("bytes");
    }
}
