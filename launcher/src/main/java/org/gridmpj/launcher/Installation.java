package org.gridmpj.launcher;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gridmpj.runtime.CaptureAgent;
import org.jspecify.annotations.Nullable;

/**
 * Where this GridMPJ is: its class path and the JDK that ranks run on, the launcher's own.
 *
 * @param java the program java
 * @param classPath gridmpj.jar, or the folders and jars of a build
 * @param draftJar gridmpj-mpj.jar, for programs that use the 2005 names without an import; null if it is not there
 * @param startup caches that make JVMs start faster, or null for none
 */
public record Installation(
        Path java,
        List<Path> classPath,
        @Nullable Path draftJar,
        @Nullable StartupCache startup) {
    /** What each rank's JVM gets; the program runs without them too. */
    private static final List<String> RANK_OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:-UsePerfData",
            // Netty's names in the shaded jar. Its JFR events and its cleaner by downcalls take a tenth of a second of
            // a
            // rank's start.
            "-Dorg.gridmpj.shaded.io.netty.allocator.type=pooled",
            "-Dorg.gridmpj.shaded.io.netty.jfr.enabled=false",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dslf4j.internal.verbosity=ERROR");

    private static final String AGENT_STAYS_UNOPTIMIZED = "-XX:CompileCommand=CompileThresholdScaling,";

    public Installation {
        classPath = List.copyOf(classPath);
    }

    /** The one that this class belongs to. */
    public static Installation own() {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<Path> classPath = new ArrayList<>();
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath())
                .forEach(classPath::add);
        Path first = classPath.getFirst();
        Path draft = first.resolveSibling("gridmpj-mpj.jar");
        return new Installation(java, classPath, Files.exists(draft) ? draft : null, StartupCache.of(first));
    }

    /**
     * JVM options of every rank on this host.
     *
     * @param jvmOptions that the user wants
     */
    public static List<String> rankOptions(List<String> jvmOptions) {
        return Stream.concat(RANK_OPTIONS.stream(), HugePages.options(jvmOptions).stream())
                .toList();
    }

    /**
     * JVM options that make a rank start faster.
     *
     * @param captured whether its program is captured as it is
     */
    public List<String> startupOptions(int worldRank, boolean captured) {
        if (startup == null) {
            return List.of();
        }
        return rehearses() ? StartupCache.trainingOptions(worldRank) : startup.rankOptions(captured);
    }

    /** Whether this installation has the agent that captures programs as they are: it is in gridmpj.jar, not in folders. */
    public boolean hasAgent() {
        return classPath.getFirst().toString().endsWith(".jar");
    }

    /**
     * JVM options of a rank whose program is captured as it is.
     *
     * @param program the program's own class path
     * @param worldRank of it
     * @param jvmOptions that the user wants
     */
    public List<String> captureOptions(List<Path> program, int worldRank, List<String> jvmOptions) {
        String path = program.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        String agent = classPath.getFirst().toString();
        List<String> options = new ArrayList<>();
        if (CaptureAgent.isLoadable(jvmOptions)) {
            options.addAll(CaptureAgent.options(agent, path));
            options.addAll(startupOptions(worldRank, true));
        } else {
            // without the start-up cache: a JVM that begins with an agent refuses it, and then the JDK's own archive
            // too
            options.add("-javaagent:" + agent + "=" + path);
        }
        options.addAll(List.of(
                // handlers make long methods longer; HotSpot leaves those above 8000 bytes to its interpreter
                "-XX:-DontCompileHugeMethods",
                // optimized code of the analysis would come when it is over, and when the program needs the compiler
                "-XX:CompileCommand=quiet",
                AGENT_STAYS_UNOPTIMIZED + "org.gridmpj.shaded.org.objectweb.*::*,20.0",
                AGENT_STAYS_UNOPTIMIZED + "org.gridmpj.capture.instrument.*::*,20.0"));
        return options;
    }

    /** Whether this job makes start-up caches: a JVM makes none for a class path that has folders in it. */
    public boolean rehearses() {
        return startup != null && StartupCache.training() != null;
    }

    /** Whether the class path has the default-package names. */
    public boolean hasDraftNames() {
        return draftJar != null && classPath.contains(draftJar);
    }

    /** The path for a program that uses the default-package names. */
    public Installation withDraftNames() {
        if (draftJar == null) {
            throw new UserError(
                    1,
                    "this program uses class MPJ of the default package, but gridmpj-mpj.jar is not beside gridmpj.jar");
        }
        List<Path> longer = new ArrayList<>(classPath);
        longer.add(draftJar);
        return new Installation(java, longer, draftJar, startup);
    }
}
