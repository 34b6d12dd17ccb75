package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class FileSnapshotStoreTest {
    @Nested
    class InARealFolder extends SnapshotStoreContract {
        @TempDir
        Path root;

        @Override
        Path emptyFolder() {
            return root.resolve("with space").resolve(Images.JOB);
        }
    }

    @Nested
    class InMemory extends SnapshotStoreContract {
        private final FileSystem memory = Jimfs.newFileSystem(Configuration.unix());

        @Override
        Path emptyFolder() {
            return memory.getPath("/snapshots/job");
        }

        @AfterEach
        void close() throws IOException {
            memory.close();
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldLetOnlyTheOwnerRead(@TempDir Path root) throws IOException {
        FileSnapshotStore store = FileSnapshotStore.of(root.resolve("cache"), Images.JOB);
        Images.commit(store, 2, new EpochId(0, 0));
        store.quarantine(new EpochId(0, 0), "for the test");
        try (Stream<Path> all = Files.walk(root.resolve("cache"))) {
            assertThat(all.toList())
                    .hasSize(8)
                    .allSatisfy(path -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
        }
    }

    @Test
    void shouldRefuseAJobNameThatLeadsElsewhere(@TempDir Path root) {
        for (String name : new String[] {"..", "a/b", "", ".hidden", "a b"}) {
            assertThatThrownBy(() -> FileSnapshotStore.of(root, name)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** A launcher that dies between the manifest's name and its force leaves an epoch that a power cut takes away. */
    @Test
    void shouldForceTheNameOfWhatItGoesBackToWhenTheLauncherDidNot(@TempDir Path root) throws IOException {
        EpochId epoch = new EpochId(0, 0);
        Path manifests = root.resolve("g0-e0");
        FileSnapshotStore dying = FileSnapshotStore.at(root, (FolderForce) folder -> {
            if (Files.exists(manifests.resolve("manifest"))) {
                throw new LauncherDeath(folder);
            }
            FolderForce.DISK.force(folder);
        });
        assertThatThrownBy(() -> Images.commit(dying, 2, epoch)).isInstanceOf(LauncherDeath.class);
        List<Path> forced = new ArrayList<>();
        SnapshotStore.Selection selection =
                FileSnapshotStore.at(root, (FolderForce) forced::add).latestCommitted();
        assertThat(selection.manifest()).extracting(EpochManifest::id).isEqualTo(epoch);
        assertThat(forced).containsExactly(manifests);
    }

    /** The process ends here: no handler of failures runs. */
    private static final class LauncherDeath extends Error {
        private static final long serialVersionUID = 1;

        LauncherDeath(Path folder) {
            super("before " + folder + " was forced");
        }
    }

    @Test
    void shouldLoseNothingWhenTheDiskIsFull() throws IOException {
        Configuration small = Configuration.unix().toBuilder()
                .setMaxSize(64 << 10)
                .setBlockSize(1 << 10)
                .build();
        try (FileSystem disk = Jimfs.newFileSystem(small)) {
            FileSnapshotStore store = FileSnapshotStore.at(disk.getPath("/job"));
            EpochId safe = new EpochId(0, 0);
            Images.commit(store, 2, safe);
            try (SnapshotStore.PendingImage pending = store.create(new EpochId(0, 1), 0)) {
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 100; i++) {
                                pending.channel().write(ByteBuffer.allocate(1 << 10));
                            }
                        })
                        .isInstanceOf(IOException.class);
            }
            store.abandon(new EpochId(0, 1));
            SnapshotStore.Selection selection = store.latestCommitted();
            assertThat(selection.manifest()).isNotNull();
            assertThat(selection.skipped()).isEmpty();
            // What the torn image took is free again.
            Images.commit(store, 2, new EpochId(0, 1));
        }
    }
}
