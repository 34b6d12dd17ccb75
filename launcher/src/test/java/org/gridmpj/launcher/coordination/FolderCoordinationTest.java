package org.gridmpj.launcher.coordination;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderCoordinationTest extends CoordinationContract {
    @TempDir
    Path folder;

    @Override
    Coordination open() {
        return new FolderCoordination(folder);
    }

    @Test
    void shouldNameTheFileThatIsDamaged() throws IOException {
        Files.writeString(folder.resolve(FolderCoordination.FILE), "{\"version\": 1, \"gener");
        assertThatThrownBy(this::open)
                .isInstanceOf(CoordinationFailure.class)
                .hasMessageContaining(FolderCoordination.FILE);
    }
}
