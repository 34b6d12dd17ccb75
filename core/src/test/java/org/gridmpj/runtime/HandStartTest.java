package org.gridmpj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.gridmpj.job.JobSecret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HandStartTest {
    @TempDir
    private Path folder;

    /** A slave has looked for the secret before its master, on the same host, has written it. */
    @Test
    void shouldTryAgainWithTheSecretThatTheMasterHasWrittenMeanwhile() throws Exception {
        JobSecret secret = JobSecret.random();
        Path file = folder.resolve("secret");
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress()) {
            @Override
            public Socket accept() throws IOException {
                Socket socket = super.accept();
                if (!Files.exists(file)) {
                    Files.move(Files.writeString(Files.createTempFile(folder, "secret", ".new"), secret.text()), file);
                }
                return socket;
            }
        }) {
            CompletableFuture<HandMaster> master = CompletableFuture.supplyAsync(() -> {
                try {
                    return HandMaster.open(server, 2, secret, Duration.ofSeconds(30), code -> {});
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            HandArguments args = new HandArguments("127.0.0.1", server.getLocalPort(), 2, 1, "127.0.0.1", List.of());
            RankContext slave = HandStart.slave(args, Map.of("GRIDMPJ_SECRET_FILE", file.toString()), code -> {});
            assertThat(slave.secret().text()).isEqualTo(secret.text());
            assertThat(master.get().job().size()).isEqualTo(2);
        }
    }

    /** A slave reads it at the moment when it is there. */
    @Test
    void shouldMakeTheSecretsFileWhole() throws Exception {
        for (int i = 0; i < 300; i++) {
            Path file = folder.resolve("made/" + i + "/secret");
            CompletableFuture<String> reading = CompletableFuture.supplyAsync(() -> {
                while (!Files.exists(file)) {
                    Thread.onSpinWait();
                }
                try {
                    return Files.readString(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThat(HandStart.create(file)).isNull();
            String text = Files.readString(file);
            assertThat(reading.get()).as("attempt " + i).hasSize(64).isEqualTo(text);
            assertThat(HandStart.create(file)).isNull();
            assertThat(Files.readString(file)).as("it is there already").isEqualTo(text);
            assertThat(file.resolveSibling("")).isDirectoryContaining(each -> each.equals(file));
        }
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertThat(Files.getPosixFilePermissions(folder.resolve("made/0/secret")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }
}
