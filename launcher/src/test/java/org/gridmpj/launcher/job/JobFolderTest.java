package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.gridmpj.launcher.Json;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.program.Program;
import org.gridmpj.runtime.ArgsLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class JobFolderTest {
    @TempDir
    Path root;

    private UserFolders user() {
        return new UserFolders(root);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldBelongToItsOwnerOnly() throws IOException {
        try (JobFolder folder = JobFolder.create(user(), null, new Random(1))) {
            assertThat(folder.renewSecret().text()).hasSize(64);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
                    .isEqualTo("rwx------");
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(folder.path().resolve("secret"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void shouldGiveEachJobANameOfItsOwn() {
        try (JobFolder first = JobFolder.create(user(), null, new Random(1));
                JobFolder second = JobFolder.create(user(), null, new Random(1))) {
            assertThat(first.name()).matches("[a-z]+-[a-z]+").isNotEqualTo(second.name());
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldTakeNoSnapshotsThatItFinds() throws IOException {
        Path shared = root.resolve("shared/snapshots");
        JobFolder old = JobFolder.create(user(), shared, new Random(1));
        Path epoch = Files.createDirectory(shared.resolve(old.name()).resolve("g0-e57"));
        old.removeUnlessBegun(null);
        old.close();

        try (JobFolder folder = JobFolder.create(user(), shared, new Random(1))) {
            assertThat(folder.name()).isNotEqualTo(old.name());
            assertThat(shared.resolve(folder.name())).isEmptyDirectory();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shared.resolve(folder.name()))))
                    .isEqualTo("rwx------");
            assertThat(old.path()).doesNotExist();
            assertThat(epoch).exists();
        }
    }

    @Test
    void shouldSayWhereSnapshotsCannotBe() throws IOException {
        Path file = Files.createFile(root.resolve("file"));
        assertThatThrownBy(() -> JobFolder.create(user(), file, new Random(1)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("there is no folder " + file)
                .hasMessageContaining("--checkpoint-dir");
        assertThat(user().jobs()).isEmptyDirectory();
    }

    @Test
    void shouldLeaveNothingOfAJobThatDoesNotBegin() throws IOException {
        Path shared = root.resolve("shared");
        try (JobFolder folder = JobFolder.create(user(), shared, new Random(1))) {
            folder.renewSecret();
            folder.removeUnlessBegun(shared);
        }
        assertThat(user().jobs()).isEmptyDirectory();
        assertThat(shared).isEmptyDirectory();
        try (JobFolder folder = JobFolder.create(user(), shared, new Random(1))) {
            folder.writeJson("job.json", Map.of(), false);
            folder.removeUnlessBegun(shared);
            assertThat(shared.resolve(folder.name())).exists();
            assertThat(folder.path()).exists();
        }
    }

    @Test
    void shouldRefuseToTakeOverAJobWhoseLauncherLives() {
        try (JobFolder folder = JobFolder.create(user(), null, new Random(1))) {
            assertThat(JobFolder.hasLauncher(folder.path())).isTrue();
            assertThatThrownBy(() -> JobFolder.takeOver(user(), folder.name()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("still has a launcher");
        }
    }

    @Test
    void shouldNotFindAJobOutsideOfItsFolder() {
        assertThatThrownBy(() -> JobFolder.find(user(), "../jobs")).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> JobFolder.find(user(), "no-job")).hasMessageContaining("no-job");
    }

    @Test
    void shouldReadBackWhatWasAskedFor() {
        JobRequest request = new JobRequest(
                new Program("a.Prog", List.of(Path.of("/x y/classes")), "Prog.java"),
                List.of("one word", "\"two\""),
                4,
                "gridtcp",
                "tcp",
                "1s",
                Path.of("/snap"),
                true,
                true,
                ArgsLayout.MPIJAVA,
                List.of("-Xmx1g"),
                Map.of("A", "b\nc"),
                Path.of("/work"),
                true,
                Duration.ofMinutes(2),
                "h:2181",
                "a:4,b:4",
                false);
        assertThat(JobRequest.fromJson(Json.parseObject(Json.write(request.toJson()))))
                .isEqualTo(request);
    }
}
