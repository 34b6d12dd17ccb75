package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.gridmpj.launcher.Json;
import org.gridmpj.launcher.OwnHost;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.program.Program;
import org.gridmpj.runtime.ArgsLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class JobFolderTest {
    private static final int MANY = 21;

    @TempDir
    Path root;

    private final Random random = new Random(2);
    private long age;

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
    void shouldKeepItsNameInTheClusterWhateverTheHostIsCalled() throws IOException {
        String name;
        try (JobFolder folder = JobFolder.create(user(), null, new Random(1))) {
            name = folder.name();
            assertThat(folder.clusterName("h1")).isEqualTo(name + ".h1");
        }
        try (JobFolder folder = JobFolder.takeOver(user(), name)) {
            assertThat(folder.clusterName("h2")).isEqualTo(name + ".h1");
        }
    }

    @Test
    void shouldHaveTheNameOfItsHostIfItHasBegunWithoutOne() throws IOException {
        try (JobFolder folder = JobFolder.create(user(), null, new Random(1))) {
            folder.writeJson(JobFolder.JOB, Map.of(), false);
            assertThat(folder.clusterName("h2")).isEqualTo(folder.name() + ".h2");
            assertThat(folder.clusterName("h1")).isEqualTo(folder.name() + ".h1");
        }
    }

    @Test
    void shouldSayWhereALauncherIsThatCannotBeSignalledHere() {
        String own = OwnHost.name();
        String pids = OwnHost.pids();
        assertThat(JobFolder.launcherElsewhere(Map.of("launcherHost", own, "launcherPids", pids)))
                .isNull();
        assertThat(JobFolder.launcherElsewhere(Map.of("launcherHost", "x" + own, "launcherPids", "")))
                .isEqualTo("x" + own);
        assertThat(JobFolder.launcherElsewhere(Map.of("launcherPid", 1L))).isNull();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellContainersOfOneNameApart() {
        String own = OwnHost.name();
        String pids = OwnHost.pids();
        assertThat(pids).isNotEmpty();
        assertThat(JobFolder.launcherElsewhere(Map.of("launcherHost", own, "launcherPids", pids + "1")))
                .isEqualTo(own);
        assertThat(JobFolder.launcherElsewhere(Map.of("launcherHost", "x" + own, "launcherPids", pids)))
                .isNull();
    }

    /** A job whose launcher is gone; null for a code if it was killed. */
    private Path old(@Nullable Integer exitCode, String checkpoint, int days) throws IOException {
        try (JobFolder folder = JobFolder.create(user(), null, random)) {
            Map<String, @Nullable Object> document = new HashMap<>();
            document.put("version", JobFolder.VERSION);
            document.put("exitCode", exitCode);
            document.put("request", Map.of("checkpoint", checkpoint));
            folder.writeJson("job.json", document, false);
            // of one age they go in any order
            Instant time = Instant.now().minus(Duration.ofDays(days)).plusSeconds(age++);
            return Files.setLastModifiedTime(folder.path(), FileTime.from(time));
        }
    }

    private void manyJobs(@Nullable Integer exitCode, String checkpoint, int days) throws IOException {
        for (int job = 0; job < MANY; job++) {
            old(exitCode, checkpoint, days);
        }
    }

    @Test
    void shouldKeepWhatCanBeResumedForAMonth() throws IOException {
        Path terminated = old(143, "1s", 29);
        Path killed = old(null, "1s", 29);
        Path withoutSnapshots = old(143, "", 29);
        Path done = old(0, "1s", 29);
        manyJobs(0, "", 1);
        manyJobs(1, "auto", 1);
        assertThat(terminated).exists();
        assertThat(killed).exists();
        assertThat(withoutSnapshots).doesNotExist();
        assertThat(done).doesNotExist();
    }

    @Test
    void shouldNotKeepWhatCanBeResumedForEver() throws IOException {
        Path oldest = old(143, "1s", 32);
        Path old = old(143, "1s", 31);
        manyJobs(0, "", 1);
        assertThat(oldest).exists();
        manyJobs(1, "1s", 1);
        assertThat(oldest).doesNotExist();
        assertThat(old).doesNotExist();
    }

    @Test
    void shouldKeepAJobWithALauncher() throws IOException {
        Path resumed = old(143, "1s", 32);
        Path running = old(143, "", 32);
        try (JobFolder one = JobFolder.takeOver(user(), resumed.getFileName().toString());
                JobFolder other =
                        JobFolder.takeOver(user(), running.getFileName().toString())) {
            manyJobs(0, "", 1);
            manyJobs(1, "1s", 1);
            assertThat(one.path()).exists();
            assertThat(other.path()).exists();
            assertThatThrownBy(() -> JobFolder.remove(user(), one.name())).hasMessageContaining("still has a launcher");
        }
        JobFolder.remove(user(), resumed.getFileName().toString());
        assertThat(resumed).doesNotExist();
    }

    @Test
    void shouldKeepWhatAnotherVersionWroteAndNotWhatNeverBegan() throws IOException {
        Path later = old(0, "", 32);
        Files.writeString(later.resolve("job.json"), "{\"version\": 2, \"exitCode\": 0}");
        Path damaged = old(0, "", 32);
        Files.writeString(damaged.resolve("job.json"), "{\"vers");
        Path never = old(0, "", 32);
        Files.delete(never.resolve("job.json"));
        Files.setLastModifiedTime(never, FileTime.from(Instant.EPOCH));
        manyJobs(0, "", 1);
        assertThat(later).exists();
        assertThat(damaged).exists();
        assertThat(never).doesNotExist();
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
