package org.gridmpj.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {
    private static final Instant NOW = Instant.parse("2026-01-31T00:00:00Z");

    @TempDir
    private Path agent;

    private Path job(String name, Duration folderAge, Duration snapshotsAge) throws IOException {
        Path job = agent.resolve(name);
        Path snapshots = Files.createDirectories(job.resolve("snapshots"));
        Files.writeString(Files.createDirectory(snapshots.resolve("g0-e1")).resolve("rank-0.image"), "image");
        Files.writeString(job.resolve("secret"), "secret");
        age(snapshots, snapshotsAge);
        age(job, folderAge);
        return job;
    }

    private Path part(String name, Duration age) throws IOException {
        Path part = Files.createDirectories(agent.resolve("parts")).resolve(name);
        Files.writeString(part, "jar");
        age(part, age);
        return part;
    }

    private static void age(Path file, Duration age) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(NOW.minus(age)));
    }

    @Test
    void shouldRemoveWhatNobodyHasTouchedForLongAndNothingElse() throws IOException {
        Duration old = Leftovers.KEPT.plusHours(1);
        Duration fresh = Leftovers.KEPT.minusHours(1);
        Path forgotten = job("forgotten", old, old);
        Path inUse = job("in-use", old, old);
        Path withNewImages = job("with-new-images", old, fresh);
        Path begunAnew = job("begun-anew", fresh, old);
        Path oldPart = part("old.jar", old);
        Path usedPart = part("used.jar", old);
        Path newPart = part("new.jar", fresh);
        age(agent.resolve("parts"), old);

        Leftovers.remove(agent, Set.of("in-use"), Set.of("used.jar"), NOW);

        assertThat(forgotten).doesNotExist();
        assertThat(inUse.resolve("secret")).exists();
        assertThat(withNewImages.resolve("snapshots/g0-e1/rank-0.image")).exists();
        assertThat(begunAnew).exists();
        assertThat(oldPart).doesNotExist();
        assertThat(usedPart).exists();
        assertThat(newPart).exists();
    }

    @Test
    void shouldKeepAJarThatIsWantedAgain() throws IOException {
        Path part = part("wanted.jar", Duration.ZERO);
        age(part, Leftovers.KEPT.plusDays(300));
        Leftovers.touch(part);
        Leftovers.remove(agent, Set.of(), Set.of(), Instant.now());
        assertThat(part).exists();
    }

    @Test
    void shouldDoNothingWhereThereIsNoFolderYet() {
        Leftovers.remove(agent.resolve("none"), Set.of(), Set.of(), NOW);
        assertThat(agent.resolve("none")).doesNotExist();
    }
}
