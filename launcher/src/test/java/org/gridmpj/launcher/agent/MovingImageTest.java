package org.gridmpj.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class MovingImageTest {
    private static final String NAME = "moving-3-4711-0.image";

    private final JobSecret cluster = JobSecret.random();

    @TempDir
    Path root;

    private Path source;
    private Path target;

    @BeforeEach
    void makeFolders() throws IOException {
        source = Files.createDirectory(root.resolve("source"));
        target = Files.createDirectory(root.resolve("target"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../secret", "secret", "moving-3-4711-0.image/../secret", "/etc/passwd", "moving-.image", ""})
    void shouldTakeNoNameThatIsNotAMovingRanks(String name) {
        assertThatThrownBy(() -> MovingImage.discard(source, name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MovingImage.ship(source, "job", new AgentMessage.Ship(1, name, "h", 1), cluster))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** An agent that takes one image, or hangs up after its first part. */
    private CompletableFuture<Void> agent(ServerSocket server, boolean hangsUp) {
        return CompletableFuture.runAsync(() -> {
            try (AgentLink link = AgentLink.accepted(server.accept(), cluster)) {
                AgentMessage first = link.receive();
                if (first instanceof AgentMessage.Deliver delivery && !hangsUp) {
                    MovingImage.take(target, delivery, link);
                    link.send(new AgentMessage.Done(0, ""));
                }
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, AgentMessage.CHUNK_BYTES, 3 * AgentMessage.CHUNK_BYTES + 17})
    void shouldBringTheWholeImage(int bytes) throws Exception {
        byte[] content = new byte[bytes];
        new SplittableRandom(bytes).nextBytes(content);
        Files.write(source.resolve(NAME), content);
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> taking = agent(server, false);
            MovingImage.ship(
                    source, "job", new AgentMessage.Ship(1, NAME, "127.0.0.1", server.getLocalPort()), cluster);
            taking.get();
        }
        assertThat(target.resolve(NAME)).hasBinaryContent(content);
        assertThat(target.toFile().list()).containsExactly(NAME);
    }

    @Test
    void shouldFailWhenTheOtherAgentDies() throws Exception {
        Files.write(source.resolve(NAME), new byte[1000]);
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> dying = agent(server, true);
            assertThatThrownBy(() -> MovingImage.ship(
                            source, "job", new AgentMessage.Ship(1, NAME, "127.0.0.1", server.getLocalPort()), cluster))
                    .isInstanceOf(IOException.class);
            dying.get();
        }
    }

    @Test
    void shouldLeaveNothingOfAnImageThatHasComeInPart() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> taking = agent(server, false);
            try (AgentLink dying = AgentLink.dial("127.0.0.1", server.getLocalPort(), 1000, cluster)) {
                dying.send(new AgentMessage.Deliver("job", NAME));
                dying.send(new AgentMessage.Part("", false, ByteBuffer.wrap(new byte[AgentMessage.CHUNK_BYTES])));
            }
            assertThatThrownBy(taking::get).hasRootCauseInstanceOf(IOException.class);
        }
        assertThat(target.toFile().list()).isEmpty();
    }

    @Test
    void shouldRemoveWhatAnEarlierLauncherLeft() throws IOException {
        Files.write(source.resolve(NAME), new byte[10]);
        Files.write(source.resolve("moving-77.coming"), new byte[10]);
        Files.write(source.resolve("secret"), new byte[10]);
        MovingImage.discardAll(source);
        assertThat(source.toFile().list()).containsExactly("secret");
    }
}
