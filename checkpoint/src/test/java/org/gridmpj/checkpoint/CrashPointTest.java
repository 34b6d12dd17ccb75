package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ends real processes at each named step of a snapshot, a commit and a restore. */
@Timeout(180)
class CrashPointTest {
    @TempDir
    Path folder;

    /** Runs the job; its exit code. */
    private int run(int generation, @Nullable String crashPoint, Path output) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
        if (crashPoint != null) {
            command.add("-Dgridmpj.crashpoint=" + crashPoint);
        }
        command.addAll(List.of(
                CrashingRank.class.getName(), folder.resolve("snapshots").toString(), Integer.toString(generation)));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(new File(output.toString()))
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("ended in time")
                    .isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * @param crashPoint where the first process ends: at its third snapshot unless said otherwise
     * @param survivor number of the snapshot that must then be the newest; numbers begin with 0
     */
    @ParameterizedTest
    @CsvSource({
        "take.agreed:3, 1",
        "take.markers:3, 1",
        "take.copied:3, 1",
        "image.begun:3, 1",
        "image.written:3, 1",
        "image.forced:3, 1",
        "image.verified:3, 1",
        "image.renamed:3, 1",
        "image.durable:3, 1",
        "manifest.written:3, 1",
        "manifest.forced:3, 1",
        "manifest.renamed:3, 2",
        "manifest.durable:3, 2",
        "image.reported:3, 2",
        "remove.manifest:1, 2",
        "remove.manifest:2, 3",
        "image.written:1, -1",
        "manifest.renamed:1, 0",
    })
    void shouldGoOnFromTheNewestCommittedEpochWhenKilled(String crashPoint, int survivor) throws Exception {
        Path output = folder.resolve("output.txt");
        assertThat(run(0, crashPoint, output)).as(() -> text(output)).isEqualTo(CrashPoint.EXIT_CODE);

        FileSnapshotStore store = FileSnapshotStore.at(folder.resolve("snapshots"));
        SnapshotStore.Selection selection = store.latestCommitted();
        // At take.agreed the image before may still be on its way to disk.
        int atLeast = crashPoint.startsWith("take.agreed") ? survivor - 1 : survivor;
        int found =
                selection.manifest() == null ? -1 : selection.manifest().id().epoch();
        assertThat(found).as(crashPoint).isBetween(atLeast, survivor);
        assertThat(selection.skipped()).as("nothing half-made is ever visible").isEmpty();

        assertThat(run(1, null, output)).as(() -> text(output)).isZero();
        assertThat(text(output)).contains("result " + CrashingRank.LAST + " " + CrashingRank.LAST);
        assertThat(temporaries()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"restore.verified", "restore.thawed"})
    void shouldStillHaveTheEpochWhenKilledWhileGoingBack(String crashPoint) throws Exception {
        Path output = folder.resolve("output.txt");
        assertThat(run(0, "image.begun:4", output)).isEqualTo(CrashPoint.EXIT_CODE);
        assertThat(run(1, crashPoint, output)).as(() -> text(output)).isEqualTo(CrashPoint.EXIT_CODE);
        assertThat(run(2, crashPoint, output)).as(() -> text(output)).isEqualTo(CrashPoint.EXIT_CODE);
        assertThat(run(3, null, output)).as(() -> text(output)).isZero();
        assertThat(text(output)).contains("result " + CrashingRank.LAST + " " + CrashingRank.LAST);
    }

    private List<Path> temporaries() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("snapshots"))) {
            return all.filter(path -> path.toString().endsWith(".tmp")).toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
