package org.gridmpj.launcher.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AgentCodecTest {
    private static final RankProcess OF = new RankProcess(1, 2, 3);

    static List<AgentMessage> messages() {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {1, 2, 3});
        return List.of(
                new AgentMessage.Open("amber-fox.h0", "secret", "{}", true, List.of("a.jar", "b.jar"), 4000),
                new AgentMessage.Wanted(List.of("b.jar")),
                new AgentMessage.Part("b.jar", true, bytes),
                new AgentMessage.Start(OF),
                new AgentMessage.Started(OF, 4711),
                new AgentMessage.Control(OF, bytes),
                new AgentMessage.Output(OF, AgentMessage.STDERR, bytes),
                new AgentMessage.Input(OF, bytes),
                new AgentMessage.Consumed(OF, AgentMessage.STDOUT, 65536),
                new AgentMessage.Kill(OF),
                new AgentMessage.Exited(OF, 137, "no java"),
                new AgentMessage.Beat(),
                new AgentMessage.Copy(7, "g0-e1/rank-2.image", 1L << 33, 0xCAFEBABE, "10.0.0.1", 4711),
                new AgentMessage.Check(8, "g0-e1/rank-2.image", 100, 5),
                new AgentMessage.Put(9, "g0-e1/manifest", bytes),
                new AgentMessage.Remove("g0-e1"),
                new AgentMessage.Forget(),
                new AgentMessage.Drop("amber-fox.h1"),
                new AgentMessage.Store("amber-fox.h0", "g0-e1/rank-2.image", 100, 5),
                new AgentMessage.Done(9, "disk full"),
                new AgentMessage.Ship(10, "moving-2-4711-0.image", "10.0.0.1", 4712),
                new AgentMessage.Discard("moving-2-4711-0.image"),
                new AgentMessage.Deliver("amber-fox.h0", "moving-2-4711-0.image"),
                new AgentMessage.Keep(3, List.of("g0-e1", "g2-e7")),
                new AgentMessage.Drill(11, 2, "g0-e1/manifest", bytes));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldReadBackWhatWasWritten(AgentMessage message) throws IOException {
        assertThat(AgentCodec.decode(AgentCodec.encode(message))).isEqualTo(message);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldRefuseWhatIsTooShortOrTooLong(AgentMessage message) {
        byte[] bytes = AgentCodec.encode(message);
        assertThatThrownBy(() -> AgentCodec.decode(Arrays.copyOf(bytes, bytes.length - 1)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> AgentCodec.decode(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void shouldKeepTheBytesOfVersionFour() throws IOException {
        try (InputStream golden =
                Objects.requireNonNull(getClass().getResourceAsStream("agent-messages-v4.hex"), "no golden file")) {
            assertThat(messages().stream()
                            .map(message -> HexFormat.of().formatHex(AgentCodec.encode(message)))
                            .toList())
                    .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.US_ASCII)
                            .lines()
                            .toList());
        }
    }

    @Test
    void shouldRefuseAnUnknownType() {
        assertThatThrownBy(() -> AgentCodec.decode(new byte[] {99})).isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldNotShowTheSecret() {
        assertThat(messages().getFirst().toString()).doesNotContain("secret");
    }
}
