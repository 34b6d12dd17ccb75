package org.gridmpj.launcher;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * AOT caches (JEP 483, 514) that make the launcher's and the ranks' JVMs start faster; built at first use by a job of
 * {@value #TRAINING_RANKS} ranks that does nothing in particular.
 *
 * <pre>
 *   startup/KEY/launcher.aot, rank.aot   the caches
 *               made-for                 JDK and jar that they were made for, written last
 *               lock                     so that two jobs do not build at once
 * </pre>
 *
 * KEY is of the paths of the JDK and the jar (computed by the script mpjrun, which needs it before there is a JVM). A JVM
 * itself refuses a cache that does not fit. Nothing here ever fails a job.
 */
public record StartupCache(Path folder, Path jar) {
    /** System property by which the script names the folder. */
    public static final String FOLDER_PROPERTY = "gridmpj.startup";

    /** In the middle: it dials rank 0 and accepts from rank 2. */
    private static final int TRAINED_RANK = 1;

    private static final int TRAINING_RANKS = 3;

    /** System property of a launcher that trains: where that rank leaves its cache. */
    static final String TRAINING_PROPERTY = "gridmpj.train";

    /** Profiles in the cache make the JVM compile at its start what a short program never needs: a fifth of its time. */
    private static final List<String> RECORDING_OPTIONS =
            List.of("-Xlog:aot=off", "-Xlog:cds=off", "-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTRecordTraining");

    private static final long BUILD_SECONDS = 60;

    /** The caches of an installation, or null if the script has named none. */
    static @Nullable StartupCache of(Path jar) {
        String folder = System.getProperty(FOLDER_PROPERTY, "");
        return folder.isEmpty() ? null : new StartupCache(Path.of(folder), jar);
    }

    private Path rank() {
        return folder.resolve("rank.aot");
    }

    private Path madeFor() {
        return folder.resolve("made-for");
    }

    private String fingerprint() throws IOException {
        return System.getProperty("java.vm.version") + " " + jar + " " + Files.size(jar) + " "
                + Files.getLastModifiedTime(jar).toMillis();
    }

    private boolean fresh() throws IOException {
        return Files.exists(madeFor()) && Files.readString(madeFor()).equals(fingerprint());
    }

    /** Options of a rank's JVM. */
    List<String> rankOptions() {
        Path training = training();
        if (training != null || !Files.exists(rank())) {
            return List.of();
        }
        return List.of("-XX:AOTCache=" + rank(), "-Xlog:aot=off", "-Xlog:cds=off");
    }

    /** Where a rank of this job leaves a cache, or null if this is an ordinary job. */
    static @Nullable Path training() {
        String file = System.getProperty(TRAINING_PROPERTY, "");
        return file.isEmpty() ? null : Path.of(file);
    }

    /** Options of a rank's JVM in a training job. */
    static List<String> trainingOptions(int worldRank) {
        Path training = training();
        return training == null || worldRank != TRAINED_RANK
                ? List.of()
                : Stream.concat(Stream.of("-XX:AOTCacheOutput=" + training), RECORDING_OPTIONS.stream())
                        .toList();
    }

    /** Builds the caches unless they are there; says so on stderr, since it takes some seconds, once. */
    public void prepare(Path java) {
        try {
            if (training() != null || fresh()) {
                return;
            }
            UserFolders.createOwnerOnly(folder);
            try (FileChannel channel = FileChannel.open(
                            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                if (lock != null && lock.isValid() && !fresh()) {
                    build(java);
                }
            }
        } catch (IOException e) {
            System.err.println("gridmpj: no start-up caches (" + e.getMessage() + "): jobs start a little slower");
        }
    }

    private void build(Path java) throws IOException {
        System.err.println("gridmpj: preparing start-up caches in " + folder + " (once, some seconds) …");
        Path launcherNew = folder.resolve("launcher.aot.new");
        Path rankNew = folder.resolve("rank.aot.new");
        Files.deleteIfExists(launcherNew);
        Files.deleteIfExists(rankNew);
        List<String> command = new ArrayList<>(List.of(java.toString(), "-XX:AOTCacheOutput=" + launcherNew));
        command.addAll(RECORDING_OPTIONS);
        command.addAll(LAUNCHER_OPTIONS);
        command.addAll(List.of(
                "-D" + FOLDER_PROPERTY + "=" + folder,
                "-D" + TRAINING_PROPERTY + "=" + rankNew,
                "-cp",
                jar.toString(),
                LauncherMain.class.getName(),
                "mpjrun",
                "-np",
                String.valueOf(TRAINING_RANKS),
                "-cp",
                folder.toString(),
                Rehearsal.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("build.log").toFile());
        Process process = builder.start();
        process.getOutputStream().close();
        try {
            if (!process.waitFor(BUILD_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        for (Path made : List.of(launcherNew, rankNew)) {
            if (Files.exists(made)) {
                String name = made.getFileName().toString();
                Files.move(
                        made,
                        folder.resolve(name.substring(0, name.length() - ".new".length())),
                        StandardCopyOption.ATOMIC_MOVE);
            }
        }
        // also when nothing was made: not tried again for this jar and JDK
        Files.writeString(madeFor(), fingerprint());
    }

    /** What the script gives the launcher's JVM, apart from its cache; here too, since a cache wants the same. */
    static final List<String> LAUNCHER_OPTIONS = List.of(
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED");
}
