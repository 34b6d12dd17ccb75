package org.gridmpj.launcher.job;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gridmpj.checkpoint.SnapshotDrill;
import org.gridmpj.launcher.Installation;
import org.jspecify.annotations.Nullable;

/**
 * Restore drills of a job on one host, one at a time, each in a JVM of its own of the lowest priority that opens no port, has
 * this process's standard streams not, and ends with the job at the latest; should this process be killed, the end of the
 * drill's standard input ends it. Guarded by its own monitor, but for the waiting.
 */
public final class RestoreDrill {
    private static final long PATIENCE_MINUTES = 30;
    private static final Path NICE = Path.of("/usr/bin/nice");

    /** Options of the ranks without which classes of their program may not load; the group is there where a value follows. */
    private static final Pattern LOADING = Pattern.compile("--enable-preview|-Xbootclasspath/a.*"
            + "|--(?:add-[a-z]+|patch-module|module-path|upgrade-module-path)=.*"
            + "|(--(?:add-[a-z]+|patch-module|module-path|upgrade-module-path)|-p)");

    /** Options of agents, which may give classes another content than that of their files. */
    private static final Pattern AGENT = Pattern.compile("-(javaagent|agentlib|agentpath|Xrun).*");

    private final JobRequest request;
    private final Installation installation;
    private final Path snapshots;
    private @Nullable Process running;
    private boolean over;

    /** @param snapshots the folder with the job's images, and manifests of those that are to be tried */
    public RestoreDrill(JobRequest request, Installation installation, Path snapshots) {
        this.request = request;
        this.installation = installation;
        this.snapshots = snapshots;
    }

    /** Whether the user wants drills of a job. */
    public static boolean isWanted(JobRequest request) {
        return request.checkpoints() && request.variables().containsKey(JobRequest.DRILL);
    }

    /**
     * Tries a rank's image of the newest epoch that has a manifest here.
     *
     * @param whenOver if one begins: gets, later and on another thread, the text of a {@link SnapshotDrill.Result}, or
     *     something else if the drill was ended or could not run: that says nothing of the snapshot
     * @return whether it has begun; not if another one is under way
     */
    public synchronized boolean begin(int worldRank, Consumer<String> whenOver) {
        Process before = running;
        if (over || (before != null && before.isAlive())) {
            return false;
        }
        ProcessBuilder builder = new ProcessBuilder(command(worldRank));
        builder.directory(request.workingFolder().toFile());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            Process process = builder.start();
            running = process;
            // not of one that has ended: what it wrote is still to be read, and this closes the pipes
            CompletableFuture<Process> _ = process.onExit()
                    .orTimeout(PATIENCE_MINUTES, TimeUnit.MINUTES)
                    .exceptionally(late -> process.destroyForcibly());
            Thread.ofVirtual().name("drill").start(() -> whenOver.accept(await(process)));
            return true;
        } catch (IOException e) {
            // no process to be had now: the next snapshot is tried
            running = null;
            return false;
        }
    }

    /** Ends the drill that is under way, and is the end of all drills. */
    public synchronized void end() {
        over = true;
        Process process = running;
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private List<String> command(int rank) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(NICE)) {
            command.addAll(List.of(NICE.toString(), "-n", "19"));
        }
        // where the program is captured as it is the drill goes through its objects, by its classes
        boolean withProgram = request.transparent() && !changesClasses();
        List<Path> classPath = new ArrayList<>(installation.classPath());
        command.addAll(List.of(
                installation.java().toString(),
                withProgram ? "-Xmx1g" : "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED"));
        if (withProgram) {
            command.addAll(loadingOptions(request.jvmOptions()));
            command.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
            classPath.addAll(request.program().classPath());
        }
        command.addAll(List.of(
                "-cp",
                classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                SnapshotDrill.class.getName()));
        command.addAll(SnapshotDrill.arguments(snapshots, rank, withProgram));
        return command;
    }

    private boolean changesClasses() {
        String everywhere = System.getenv().getOrDefault("JAVA_TOOL_OPTIONS", "") + " "
                + System.getenv().getOrDefault("JDK_JAVA_OPTIONS", "");
        return Stream.concat(request.jvmOptions().stream(), Stream.of(everywhere.split(" ")))
                .anyMatch(option -> AGENT.matcher(option).matches());
    }

    private static List<String> loadingOptions(List<String> jvmOptions) {
        List<String> chosen = new ArrayList<>();
        for (int i = 0; i < jvmOptions.size(); i++) {
            Matcher option = LOADING.matcher(jvmOptions.get(i));
            if (option.matches()) {
                chosen.add(jvmOptions.get(i));
                if (option.group(1) != null && i + 1 < jvmOptions.size()) {
                    i++;
                    chosen.add(jvmOptions.get(i));
                }
            }
        }
        return chosen;
    }

    /** What the drill has written by its end. */
    private static String await(Process process) {
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? said : "the drill was ended";
        } catch (IOException e) {
            process.destroyForcibly();
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
