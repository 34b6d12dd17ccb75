package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.awaitility.Awaitility;
import org.gridmpj.checkpoint.EpochId;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.checkpoint.SnapshotDrill;
import org.gridmpj.launcher.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The part of launcher or agent; the drill is a process that does nothing but what a test says. */
@Timeout(30)
@DisabledOnOs(OS.WINDOWS)
class RestoreDrillTest {
    @TempDir
    Path root;

    private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();

    private List<Path> begun() throws IOException {
        try (var files = Files.list(root)) {
            return files.filter(file -> file.getFileName().toString().startsWith("begun-"))
                    .toList();
        }
    }

    private RestoreDrill drill(String last) throws IOException {
        return drill(last, JobRequests.of("Program", 1, true, root));
    }

    private RestoreDrill drill(String last, JobRequest request) throws IOException {
        Path waits = Files.writeString(root.resolve("waits"), "#!/bin/sh\n> " + root + "/begun-$$\n" + last + "\n");
        Files.setPosixFilePermissions(waits, PosixFilePermissions.fromString("rwx------"));
        return new RestoreDrill(request, new Installation(waits, List.of(), null, null), root);
    }

    @Test
    void shouldHoldTheOtherEndOfItsInputAndEndWithTheJobForGood() throws Exception {
        RestoreDrill drill = drill("exec cat");
        drill.begin(0, said::add);
        Awaitility.await().until(() -> begun().size() == 1);
        long pid = Long.parseLong(begun().getFirst().getFileName().toString().substring("begun-".length()));
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        assertThat(drill.begin(0, said::add)).as("another one").isFalse();
        assertThat(process.isAlive()).isTrue();
        drill.end();
        process.onExit().get();
        assertThat(said.take()).as("says nothing of the snapshot").isEqualTo("the drill was ended");

        List<ProcessHandle> children = ProcessHandle.current().children().toList();
        assertThat(drill.begin(0, said::add)).isFalse();
        assertThat(ProcessHandle.current().children()).as("no other one").isSubsetOf(children);
        assertThat(said).isEmpty();
        assertThat(begun()).hasSize(1);
    }

    @Test
    void shouldHandOnWhatTheDrillSays() throws Exception {
        drill("echo DAMAGED 0 1 it is").begin(0, said::add);
        assertThat(SnapshotDrill.Result.parse(said.take()))
                .isEqualTo(new SnapshotDrill.Result(SnapshotDrill.Verdict.DAMAGED, new EpochId(0, 1), "it is"));
        drill("echo DAMAGED 0 1 so far\nexit 1").begin(0, said::add);
        assertThat(SnapshotDrill.Result.parse(said.take()))
                .as("it has failed itself")
                .isNull();
    }

    @Test
    void shouldTryOneRankAfterTheOther() throws Exception {
        RankImage image = new RankImage(0, "g0-e1/rank-0.image", 1, 0, 1, 0, 0, 0, 0);
        EpochManifest manifest = new EpochManifest(
                "job", new EpochId(0, 1), List.of(image, new RankImage(1, "g0-e1/rank-1.image", 1, 0, 1, 0, 0, 0, 0)));
        LinkedBlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
        Path go = root.resolve("go");
        RestoreDrill drill = drill("while [ ! -e " + go + " ]; do sleep 0.05; done; echo OTHER_PROGRAM 0 1 \"$@\"");
        Drills drills = Drills.here(drill, events::add);
        for (int rank : new int[] {0, 1, 0}) {
            Files.deleteIfExists(go);
            int before = begun().size();
            Awaitility.await().until(() -> {
                drills.begin(manifest); // refused while the one before ends
                return begun().size() > before;
            });
            drills.begin(manifest);
            Files.createFile(go);
            JobEvent.Drilled drilled = (JobEvent.Drilled) events.take();
            assertThat(drilled.worldRank())
                    .as("one that is refused costs no rank its turn")
                    .isEqualTo(rank);
            assertThat(drilled.result().problem()).endsWith("SnapshotDrill " + root + " " + rank + " false");
        }
    }

    @Test
    void shouldHaveTheProgramsClassesWhereItIsCapturedAsItIs() throws Exception {
        JobRequest request = JobRequests.captured(
                List.of(Path.of("classes"), Path.of("library.jar")),
                List.of(
                        "--enable-preview",
                        "-Xmx8g",
                        "--add-modules",
                        "jdk.net",
                        "-XX:StartFlightRecording",
                        "-p",
                        "mods"),
                root);
        drill("echo \"$@\"", request).begin(0, said::add);
        assertThat(said.take().strip())
                .contains("--enable-preview --add-modules jdk.net -p mods ")
                .contains(" -cp classes" + File.pathSeparator + "library.jar ")
                .endsWith("SnapshotDrill " + root + " 0 true")
                .as("what is the ranks' own")
                .doesNotContain("-Xmx8g", "StartFlightRecording");
    }

    @Test
    void shouldCompareOnlyBytesWhereAnAgentMayChangeClasses() throws Exception {
        JobRequest request = JobRequests.captured(List.of(), List.of("-javaagent:coverage.jar"), root);
        drill("echo \"$@\"", request).begin(0, said::add);
        assertThat(said.take().strip()).endsWith("SnapshotDrill " + root + " 0 false");
    }
}
