package org.gridmpj.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * AOT caches (JEP 483, 514) that make the launcher's and the ranks' JVMs start faster; built at first use by jobs of
 * {@value #TRAINING_RANKS} ranks that do nothing in particular.
 *
 * <pre>
 *   startup/KEY/launcher.aot, rank.aot   the caches of jobs as they are
 *               made-for                 JDK and jar that they were made for, written last
 *               captured.aot             the cache of ranks whose program is captured, and its made-for
 *               captured-made-for
 *               lock                     so that two jobs do not build at once
 *               rehearsal                the cache folder of the training job, while there is one
 *               org/gridmpj/…            the program of the training job, as the capturing agent wants to find it
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

    /** So that a snapshot is taken, and the next one does without what has not changed. */
    private static final String REHEARSAL_MILLIS = "400";

    private static final String REHEARSAL_INTERVAL = "100ms";

    /** The caches of an installation, or null if the script has named none. */
    static @Nullable StartupCache of(Path jar) {
        String folder = System.getProperty(FOLDER_PROPERTY, "");
        return folder.isEmpty() ? null : new StartupCache(Path.of(folder), jar);
    }

    private Path rank(boolean captured) {
        return folder.resolve(captured ? "captured.aot" : "rank.aot");
    }

    private Path madeFor(boolean captured) {
        return folder.resolve(captured ? "captured-made-for" : "made-for");
    }

    private String fingerprint() throws IOException {
        return System.getProperty("java.vm.version") + " " + jar + " " + Files.size(jar) + " "
                + Files.getLastModifiedTime(jar).toMillis();
    }

    private boolean fresh(boolean captured) throws IOException {
        Path madeFor = madeFor(captured);
        return Files.exists(madeFor) && Files.readString(madeFor).equals(fingerprint());
    }

    /**
     * Options of a rank's JVM.
     *
     * @param captured whether its program is captured as it is
     */
    List<String> rankOptions(boolean captured) {
        if (training() != null) {
            return List.of();
        }
        Path cache = rank(captured && Files.exists(rank(true)));
        return Files.exists(cache) ? List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off") : List.of();
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

    /**
     * Builds the caches of the launcher and of ranks, or that of ranks whose program is captured, unless they are there; says so
     * on stderr, since it takes some seconds, once.
     */
    public void prepare(Path java, boolean captured) {
        try {
            if (training() != null || fresh(captured)) {
                return;
            }
            UserFolders.createOwnerOnly(folder);
            try (FileChannel channel = FileChannel.open(
                            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                if (lock != null && lock.isValid() && !fresh(captured)) {
                    build(java, captured);
                }
            }
        } catch (IOException e) {
            System.err.println("gridmpj: no start-up caches (" + e.getMessage() + "): jobs start a little slower");
        }
    }

    private void build(Path java, boolean captured) throws IOException {
        System.err.println("gridmpj: preparing start-up caches" + (captured ? " for snapshots" : "") + " in " + folder
                + " (once, some seconds) …");
        Path launcher = folder.resolve("launcher.aot");
        Path rank = rank(captured);
        Files.deleteIfExists(unfinished(launcher));
        Files.deleteIfExists(unfinished(rank));
        List<String> command = new ArrayList<>(List.of(java.toString()));
        if (!captured) {
            command.add("-XX:AOTCacheOutput=" + unfinished(launcher));
            command.addAll(RECORDING_OPTIONS);
        }
        command.addAll(LAUNCHER_OPTIONS);
        command.addAll(List.of(
                "-D" + FOLDER_PROPERTY + "=" + folder,
                "-D" + TRAINING_PROPERTY + "=" + unfinished(rank),
                "-cp",
                jar.toString(),
                LauncherMain.class.getName(),
                "mpjrun",
                "-np",
                String.valueOf(TRAINING_RANKS)));
        if (captured) {
            copyRehearsal();
            command.addAll(List.of("--checkpoint", REHEARSAL_INTERVAL));
        }
        command.addAll(List.of("-cp", folder.toString(), Rehearsal.class.getName()));
        command.add(captured ? REHEARSAL_MILLIS : "0");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve(captured ? "captured-build.log" : "build.log")
                        .toFile());
        // neither a job of the user's, nor one as the user's variables would have it
        Path jobs = folder.resolve("rehearsal");
        builder.environment().keySet().removeIf(name -> name.startsWith("GRIDMPJ_"));
        builder.environment().put(UserFolders.VARIABLE, jobs.toString());
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
        UserFolders.removeTree(jobs);
        for (Path made : captured ? List.of(rank) : List.of(launcher, rank)) {
            if (Files.exists(unfinished(made))) {
                Files.move(unfinished(made), made, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        // also when nothing was made: not tried again for this jar and JDK
        Files.writeString(madeFor(captured), fingerprint());
    }

    private static Path unfinished(Path cache) {
        return cache.resolveSibling(cache.getFileName() + ".new");
    }

    /** The agent looks for the program's classes where the program is, apart from gridmpj.jar. */
    private void copyRehearsal() throws IOException {
        String file = Rehearsal.class.getName().replace('.', '/') + ".class";
        Path copy = folder.resolve(file);
        Files.createDirectories(copy.getParent());
        try (InputStream in = Rehearsal.class.getClassLoader().getResourceAsStream(file)) {
            Files.copy(Objects.requireNonNull(in, file), copy, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** What the script gives the launcher's JVM, apart from its cache; here too, since a cache wants the same. */
    static final List<String> LAUNCHER_OPTIONS = List.of(
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED");
}
