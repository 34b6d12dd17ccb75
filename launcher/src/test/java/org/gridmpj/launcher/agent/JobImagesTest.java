package org.gridmpj.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class JobImagesTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"../secret", "g0-e1/../../x", "/etc/passwd", "g0-e1/rank-1.image.tmp", "", "g0-e1"})
    void shouldTakeNoNameThatIsNotAnImages(String name) {
        assertThatThrownBy(() -> JobImages.check(folder, new AgentMessage.Check(1, name, 1, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JobImages.put(folder, name, ByteBuffer.allocate(0)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldWriteAndRemoveManifests() throws IOException {
        JobImages.put(folder, "g1-e2/manifest", ByteBuffer.wrap(new byte[] {1, 2}));
        assertThat(folder.resolve("g1-e2/manifest")).hasBinaryContent(new byte[] {1, 2});
        JobImages.remove(folder, "g1-e2");
        assertThat(folder.resolve("g1-e2")).doesNotExist();
        JobImages.remove(folder, "g1-e3");
    }

    @Test
    void shouldKeepOfEarlierGenerationsWhatIsNeeded() throws IOException {
        for (String epoch : List.of("g0-e1", "g0-e2", "g1-e2", "g2-e3", "g10-e0", "other")) {
            Files.createDirectory(folder.resolve(epoch));
            Files.createFile(folder.resolve(epoch).resolve("rank-1.image"));
        }

        JobImages.keepOnly(folder, 2, List.of("g0-e2", "g0-e7"));

        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("g0-e2", "g2-e3", "g10-e0", "other");
        }
        JobImages.keepOnly(folder.resolve("none"), 2, List.of());
    }

    private static CompletableFuture<AgentLink> accept(ServerSocket server, JobSecret secret) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return AgentLink.accepted(server.accept(), secret);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
    }

    @Test
    void shouldWaitForAPartnerThatGivesSignsOfLife() throws Exception {
        Files.write(Files.createDirectory(folder.resolve("g0-e0")).resolve("rank-1.image"), new byte[15]);
        JobSecret secret = JobSecret.random();
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> keeping = CompletableFuture.runAsync(() -> {
                try (AgentLink keeper = AgentLink.accepted(server.accept(), secret)) {
                    assertThat(keeper.receive()).isInstanceOf(AgentMessage.Store.class);
                    assertThat(keeper.receive()).isInstanceOf(AgentMessage.Part.class);
                    keeper.send(new AgentMessage.Beat());
                    keeper.send(new AgentMessage.Beat());
                    keeper.send(new AgentMessage.Done(0, ""));
                } catch (IOException e) {
                    throw new CompletionException(e);
                }
            });
            JobImages.copy(
                    folder,
                    "job",
                    new AgentMessage.Copy(1, "g0-e0/rank-1.image", 15, 7, "127.0.0.1", server.getLocalPort()),
                    secret);
            keeping.get();
        }
    }

    @Test
    void shouldGiveUpWhoIsSilent() throws Exception {
        JobSecret secret = JobSecret.random();
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<AgentLink> accepting = accept(server, secret);
            try (AgentLink sender = AgentLink.dial("127.0.0.1", server.getLocalPort(), 1000, secret);
                    AgentLink frozen = accepting.get()) {
                frozen.send(new AgentMessage.Beat());
                assertThatThrownBy(() -> Beats.awaitDone(sender, 50)).isInstanceOf(SocketTimeoutException.class);
            }
        }
    }

    @Test
    void shouldKeepNothingOfACopyThatIsDamagedOnTheWay() throws Exception {
        JobSecret secret = JobSecret.random();
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<AgentLink> accepting = accept(server, secret);
            try (AgentLink sender = AgentLink.dial("127.0.0.1", server.getLocalPort(), 1000, secret);
                    AgentLink keeper = accepting.get()) {
                sender.send(new AgentMessage.Part("", true, ByteBuffer.wrap(new byte[15])));
                AgentMessage.Store store = new AgentMessage.Store("job", "g0-e0/rank-1.image", 15, 7);
                assertThatThrownBy(() -> JobImages.keep(folder.resolve("job"), store, keeper, new DiskWatch()))
                        .isInstanceOf(IOException.class);
                assertThat(sender.receive())
                        .as("that it is being read, before the answer")
                        .isEqualTo(new AgentMessage.Beat());
            }
        }
        try (var left = Files.list(folder.resolve("job/snapshots/g0-e0"))) {
            assertThat(left).isEmpty();
        }
    }

    private static final AgentMessage.Store IMAGE = new AgentMessage.Store("job", "g0-e0/rank-1.image", 15, 7);

    /** What the other end is answered, by a host with such a disk that has so long for it. */
    private String answer(DiskWatch watch, JobImages.Disk disk, long limitMillis, CompletableFuture<Void> ended)
            throws Exception {
        JobSecret secret = JobSecret.random();
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<AgentLink> accepting = accept(server, secret);
            try (AgentLink sender = AgentLink.dial("127.0.0.1", server.getLocalPort(), 1000, secret)) {
                AgentLink keeper = accepting.get();
                Thread.ofPlatform().daemon().start(() -> {
                    String error = "";
                    try (keeper) {
                        try {
                            JobImages.keep(folder.resolve("job"), IMAGE, keeper, watch, disk, limitMillis);
                        } catch (IOException e) {
                            error = String.valueOf(e.getMessage());
                        }
                        keeper.send(new AgentMessage.Done(0, error));
                    } catch (IOException e) {
                        // the other end waits no more
                    } finally {
                        ended.complete(null);
                    }
                });
                sender.send(new AgentMessage.Part("", true, ByteBuffer.wrap(new byte[15])));
                return Beats.awaitDone(sender, 20_000).error();
            }
        }
    }

    /** It ends no call and notices nothing; its agent goes on to beat. */
    @Test
    void shouldSayThatTheDiskHangsAndTakeNothingElseUntilItDoesNot() throws Exception {
        DiskWatch watch = new DiskWatch();
        CompletableFuture<Void> healed = new CompletableFuture<>();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Path image = folder.resolve("job/snapshots/g0-e0/rank-1.image");

        assertThat(answer(watch, (file, coming, store) -> healed.join(), 50, ended))
                .contains("has not taken it within", "no snapshot becomes real", "mend the disk");
        assertThat(answer(watch, (file, coming, store) -> {}, 3_600_000, new CompletableFuture<>()))
                .as("at once, and no second thread is left behind")
                .contains("still hangs, with g0-e0/rank-1.image", "mend the disk");
        assertThat(ended).isNotDone();

        healed.complete(null);
        ended.join();
        assertThat(image).as("nobody counts on what has come too late").doesNotExist();
        try (var left = Files.list(image.resolveSibling(""))) {
            assertThat(left).isEmpty();
        }
        assertThat(answer(watch, (file, coming, store) -> {}, 3_600_000, new CompletableFuture<>()))
                .isEmpty();
        assertThat(image).exists();
    }
}
