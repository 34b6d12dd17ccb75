package org.gridmpj.launcher.program;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.runtime.ArgsLayout;

/** Turns what stands on the command line into a program that can run. */
public final class ProgramFinder {
    private static final int NOT_RUNNABLE = 1;

    private final UserFolders user;
    private final Installation installation;

    public ProgramFinder(UserFolders user, Installation installation) {
        this.user = user;
        this.installation = installation;
    }

    /**
     * A program and what its main class tells.
     *
     * @param mainReadsArguments whether main does more with its arguments than handing them to MPI.Init
     */
    public record Found(Program program, ProgramTraits traits, boolean mainReadsArguments) {
        static Found of(Program program, byte[] classFile) {
            return new Found(program, ProgramTraits.of(classFile), ProgramTraits.mainReadsArguments(classFile));
        }
    }

    /** A class by its name, or a single source file {@code Prog.java}. */
    public Found named(String name, String classPath) {
        List<Path> entries = entries(classPath.isEmpty() ? environmentClassPath() : classPath);
        if (name.endsWith(".java")) {
            Path source = Path.of(name).toAbsolutePath();
            if (!Files.isRegularFile(source)) {
                throw new UserError(NOT_RUNNABLE, "there is no source file " + name);
            }
            SourceProgram compiled =
                    SourceProgram.compile(source, classPath.isEmpty() ? List.of() : entries, user, installation);
            List<Path> longer = new ArrayList<>(List.of(compiled.classes()));
            if (!classPath.isEmpty()) {
                longer.addAll(entries);
            }
            return find(new Program(compiled.mainClass(), longer, name));
        }
        return find(new Program(name.replace('/', '.'), entries, name));
    }

    /** A jar with Main-Class. */
    public Found jar(String name, String classPath) {
        Path jar = Path.of(name).toAbsolutePath();
        if (!Files.isRegularFile(jar)) {
            throw new UserError(NOT_RUNNABLE, "there is no jar " + name);
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String main = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            if (main == null) {
                throw new UserError(
                        NOT_RUNNABLE,
                        "the manifest of " + name + " names no Main-Class: use -cp " + name + " and the class's name");
            }
            List<Path> entries = new ArrayList<>(List.of(jar));
            if (!classPath.isEmpty()) {
                entries.addAll(entries(classPath));
            }
            return find(new Program(main.strip(), entries, "-jar " + name));
        } catch (IOException e) {
            throw new UserError(NOT_RUNNABLE, name + " is no readable jar: " + e.getMessage());
        }
    }

    private static String environmentClassPath() {
        String classPath = System.getenv("CLASSPATH");
        return classPath == null || classPath.isEmpty() ? "." : classPath;
    }

    private static List<Path> entries(String classPath) {
        List<Path> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            try {
                if (entry.endsWith("*")) {
                    entries.addAll(jarsOf(Path.of(entry.substring(0, entry.length() - 1))));
                } else if (!entry.isEmpty()) {
                    entries.add(Path.of(entry).toAbsolutePath().normalize());
                }
            } catch (InvalidPathException | IOException e) {
                throw UserError.usage("-cp names \"" + entry + "\", which cannot be read: " + e.getMessage());
            }
        }
        return entries;
    }

    private static List<Path> jarsOf(Path folder) throws IOException {
        try (var all = Files.list(folder.toAbsolutePath())) {
            return all.filter(path -> path.toString().endsWith(".jar")).sorted().toList();
        }
    }

    private static Found find(Program program) {
        String file = program.mainClass().replace('.', '/') + ".class";
        for (Path entry : program.classPath()) {
            try {
                if (Files.isDirectory(entry)) {
                    Path classFile = entry.resolve(file);
                    if (Files.isRegularFile(classFile)) {
                        return Found.of(program, Files.readAllBytes(classFile));
                    }
                } else if (Files.isRegularFile(entry)) {
                    try (JarFile jar = new JarFile(entry.toFile())) {
                        ZipEntry classFile = jar.getEntry(file);
                        if (classFile != null) {
                            return Found.of(
                                    program, jar.getInputStream(classFile).readAllBytes());
                        }
                    }
                }
            } catch (IOException e) {
                throw new UserError(
                        NOT_RUNNABLE, "the class path entry " + entry + " cannot be read: " + e.getMessage());
            }
        }
        boolean isWrapper = program.mainClass().equals(CooperativeUse.WRAPPER);
        if (isWrapper || program.mainClass().startsWith("org.gridmpj.")) {
            return new Found(program, new ProgramTraits(ArgsLayout.CLEAN, false, isWrapper), false);
        }
        throw new UserError(
                NOT_RUNNABLE,
                "there is no class " + program.mainClass() + " on the class path "
                        + String.join(
                                File.pathSeparator,
                                program.classPath().stream().map(Path::toString).toList())
                        + hint(program));
    }

    private static String hint(Program program) {
        String source = program.mainClass().replace('.', '/') + ".java";
        boolean there = Arrays.asList(source, program.mainClass() + ".java").stream()
                .anyMatch(name -> Files.isRegularFile(Path.of(name)));
        return there ? ": did you mean " + source + "?" : ": -cp names other places";
    }
}
