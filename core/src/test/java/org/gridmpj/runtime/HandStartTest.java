package org.gridmpj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HandStartTest {
    @TempDir
    private Path folder;

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
