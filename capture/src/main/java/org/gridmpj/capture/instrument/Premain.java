package org.gridmpj.capture.instrument;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gridmpj.capture.frames.ProgramCapture;
import org.gridmpj.snapshot.ProgramRunners;
import org.jspecify.annotations.Nullable;

/**
 * The agent of a rank whose program is to be captured as it is. Its argument is the program's own class path. Opens java.base
 * to capture, analyses the program, and installs what runs it.
 */
public final class Premain {
    private Premain() {}

    /** Called by the JVM where a rank's own main has asked for it, before a class of the program is loaded. */
    public static void agentmain(@Nullable String classPath, Instrumentation instrumentation) {
        premain(classPath, instrumentation);
    }

    /** Called by the JVM before main: {@code -javaagent:gridmpj.jar=PATH}. */
    public static void premain(@Nullable String classPath, Instrumentation instrumentation) {
        open(instrumentation);
        List<Path> entries = Arrays.stream((classPath == null ? "" : classPath).split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .toList();
        ProgramTransformer transformer = ProgramTransformer.of(entries, null);
        ProgramCapture capture = new ProgramCapture(transformer.sites());
        ProgramCapture.install(capture);
        ProgramRunners.install(capture);
        instrumentation.addTransformer(transformer);
    }

    /** What --add-exports and --add-opens would do for each package of java.base. */
    private static void open(Instrumentation instrumentation) {
        Module base = Object.class.getModule();
        Map<String, Set<Module>> packages = new HashMap<>();
        Set<Module> self = Set.of(Premain.class.getModule());
        base.getPackages().forEach(name -> packages.put(name, self));
        instrumentation.redefineModule(base, Set.of(), packages, packages, Set.of(), Map.of());
    }
}
