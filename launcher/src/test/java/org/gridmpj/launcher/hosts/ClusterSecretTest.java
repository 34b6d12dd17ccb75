package org.gridmpj.launcher.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.gridmpj.launcher.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSecretTest {
    @TempDir
    Path folder;

    @Test
    void shouldMakeAFileForItsOwnerOnlyAndNeverOverwriteOne() throws IOException {
        Path file = folder.resolve("sub/secret");
        ClusterSecret.make(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        String text = Files.readString(file);
        assertThat(ClusterSecret.read(file).text()).isEqualTo(text).hasSizeGreaterThanOrEqualTo(32);
        assertThatThrownBy(() -> ClusterSecret.make(file)).isInstanceOf(UserError.class);
        assertThat(file).hasContent(text);
    }

    @Test
    void shouldRefuseAFileThatOthersMayRead() throws IOException {
        Path file = folder.resolve("secret");
        ClusterSecret.make(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> ClusterSecret.read(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("chmod 600");
    }

    @Test
    void shouldSayHowToMakeOneWhenThereIsNone() {
        Path file = ClusterSecret.file(
                Map.of("GRIDMPJ_CLUSTER_SECRET", folder.resolve("none").toString()));
        assertThatThrownBy(() -> ClusterSecret.read(file)).hasMessageContaining("--make-secret");
    }
}
