package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotRootTest {
    private static final Path HOME = Path.of("/home/ada");

    @Test
    void shouldBeInTheCacheFolderOfTheSystem() {
        assertThat(SnapshotRoot.of(Map.of(), "Linux", HOME)).isEqualTo(HOME.resolve(".cache/gridmpj/snapshots"));
        assertThat(SnapshotRoot.of(Map.of(), "Mac OS X", HOME))
                .isEqualTo(HOME.resolve("Library/Caches/gridmpj/snapshots"));
        assertThat(SnapshotRoot.of(Map.of("XDG_CACHE_HOME", "/scratch/ada"), "Linux", HOME))
                .isEqualTo(Path.of("/scratch/ada/gridmpj/snapshots"));
    }

    @Test
    void shouldIgnoreARelativeFolder() {
        // The XDG specification says so.
        assertThat(SnapshotRoot.of(Map.of("XDG_CACHE_HOME", "cache"), "Linux", HOME))
                .isEqualTo(HOME.resolve(".cache/gridmpj/snapshots"));
    }
}
