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
import org.gridmpj.launcher.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's part; the drill is a process that does nothing but wait for the end of its standard input. */
@Timeout(30)
@DisabledOnOs(OS.WINDOWS)
class RestoreDrillTest {
    private static final EpochManifest MANIFEST = new EpochManifest(
            "job", new EpochId(0, 1), List.of(new RankImage(0, "g0-e1/rank-0.image", 1, 0, 1, 0, 0, 0, 0)));

    @TempDir
    Path root;

    private final LinkedBlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();

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
        return new RestoreDrill(request, new Installation(waits, List.of(), null, null), root, events::add);
    }

    @Test
    void shouldHoldTheOtherEndOfItsInputAndEndWithTheJobForGood() throws Exception {
        RestoreDrill drill = drill("exec cat");
        drill.begin(MANIFEST);
        Awaitility.await().until(() -> begun().size() == 1);
        long pid = Long.parseLong(begun().getFirst().getFileName().toString().substring("begun-".length()));
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        drill.begin(MANIFEST);
        assertThat(process.isAlive()).isTrue();
        drill.end();
        process.onExit().get();

        List<ProcessHandle> children = ProcessHandle.current().children().toList();
        drill.begin(MANIFEST);
        assertThat(ProcessHandle.current().children()).as("no other one").isSubsetOf(children);
        assertThat(begun()).hasSize(1);
        assertThat(events).isEmpty();
    }

    @Test
    void shouldSayHowItWent() throws Exception {
        drill("echo 0 1 it is damaged\nexit 3").begin(MANIFEST);
        assertThat(events.take()).isEqualTo(new JobEvent.Drilled(new EpochId(0, 1), 0, true, "it is damaged"));
        drill("echo 0 1 another class\nexit 4").begin(MANIFEST);
        assertThat(events.take()).isEqualTo(new JobEvent.Drilled(new EpochId(0, 1), 0, false, "another class"));
        drill("echo 0 1").begin(MANIFEST);
        assertThat(events.take()).isEqualTo(new JobEvent.Drilled(new EpochId(0, 1), 0, false, ""));
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
        drill("echo 0 1 \"$@\"", request).begin(MANIFEST);
        String command = ((JobEvent.Drilled) events.take()).problem();
        assertThat(command)
                .contains("--enable-preview --add-modules jdk.net -p mods ")
                .contains(" -cp classes" + File.pathSeparator + "library.jar ")
                .endsWith("SnapshotDrill " + root + " 0 true")
                .as("what is the ranks' own")
                .doesNotContain("-Xmx8g", "StartFlightRecording");
    }

    @Test
    void shouldCompareOnlyBytesWhereAnAgentMayChangeClasses() throws Exception {
        JobRequest request = JobRequests.captured(List.of(), List.of("-javaagent:coverage.jar"), root);
        drill("echo 0 1 \"$@\"", request).begin(MANIFEST);
        assertThat(((JobEvent.Drilled) events.take()).problem()).endsWith("SnapshotDrill " + root + " 0 false");
    }
}
