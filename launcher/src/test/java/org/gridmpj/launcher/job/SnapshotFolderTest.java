package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.gridmpj.launcher.UserError;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class SnapshotFolderTest {
    private static final String JOB = "amber-fox";
    private static final int OTHER_USER = 4711;

    @TempDir
    Path root;

    private Path folder;

    @BeforeEach
    void create() {
        folder = root.resolve(JOB);
        assertThat(SnapshotFolder.create(folder)).isTrue();
    }

    @Test
    void shouldBeMadeOnce() {
        assertThat(SnapshotFolder.create(folder)).isFalse();
    }

    @Test
    void shouldNotFollowALinkThatSomebodyHasPutThere() throws IOException {
        Path link = Files.createSymbolicLink(root.resolve("link"), root.resolve("elsewhere"));
        assertThat(SnapshotFolder.create(link)).isFalse();
        assertThat(root.resolve("elsewhere")).doesNotExist();
    }

    @Test
    void shouldBeResumedByItsOwner() throws IOException {
        assertThatCode(() -> SnapshotFolder.requireOwn(folder, JOB)).doesNotThrowAnyException();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatCode(() -> SnapshotFolder.requireOwn(folder, JOB)).doesNotThrowAnyException();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldNotBeResumedWhereOthersMayWrite() throws IOException {
        for (String rights : new String[] {"rwxrwx---", "rwx---rwx"}) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(rights));
            assertThatThrownBy(() -> SnapshotFolder.requireOwn(folder, JOB))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("job amber-fox is not resumed: others may write")
                    .hasMessageContaining("chmod -R go-w " + folder);
        }
    }

    private Path anothers() {
        try {
            return Files.setAttribute(folder, "unix:uid", OTHER_USER);
        } catch (IOException e) {
            return Path.of("/"); // only root can give something away
        }
    }

    @Test
    void shouldNotBeResumedFromWhatIsAnothers() throws IOException {
        assertThatThrownBy(() -> SnapshotFolder.requireOwn(anothers(), JOB))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("belong");
    }

    @Test
    void shouldNotBeResumedByALinkOfAnother() throws IOException {
        Path link = Files.createSymbolicLink(root.resolve("link"), folder);
        assertThatCode(() -> SnapshotFolder.requireOwn(link, JOB)).doesNotThrowAnyException();
        try {
            Files.setAttribute(link, "unix:uid", OTHER_USER, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return; // only root can give something away
        }
        assertThatThrownBy(() -> SnapshotFolder.requireOwn(link, JOB)).hasMessageContaining("belongs to");
    }

    @Test
    void shouldNotBeginAnewWhereTheSnapshotsAreGone() {
        Path gone = root.resolve("gone");
        assertThatThrownBy(() -> SnapshotFolder.requireOwn(gone, JOB))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("its snapshots were in " + gone)
                .hasMessageContaining("mounted");
        assertThat(gone).doesNotExist();
    }
}
