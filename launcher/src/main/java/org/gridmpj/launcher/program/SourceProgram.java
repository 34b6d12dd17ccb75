package org.gridmpj.launcher.program;

import java.io.File;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.Sha256;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.UserFolders;
import org.jspecify.annotations.Nullable;

/**
 * A program in a single source file, compiled by the JDK's compiler in a process of its own (its messages are shown as
 * they are) and kept by the hash of text, class path and JDK: a second run starts at once.
 *
 * @param classes folder of the compiled classes
 */
record SourceProgram(String mainClass, Path classes) {
    private static final String MAIN_CLASS_FILE = ".main-class";
    private static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");
    private static final Pattern DRAFT_NAME = Pattern.compile("(?<![\\w.])MPJ\\s*\\.");
    private static final Pattern IMPORT = Pattern.compile("(?m)^\\s*import\\s+(static\\s+)?mp[ij]\\.");

    static SourceProgram compile(Path source, List<Path> classPath, UserFolders user, Installation installation) {
        try {
            String text = Files.readString(source);
            boolean draft =
                    DRAFT_NAME.matcher(text).find() && !IMPORT.matcher(text).find();
            Installation used = draft ? installation.withDraftNames() : installation;
            List<Path> path = new ArrayList<>(used.classPath());
            path.addAll(classPath);
            Path folder = user.programs().resolve(hash(text, source, path, installation));
            Path mainFile = folder.resolve(MAIN_CLASS_FILE);
            if (!Files.exists(mainFile)) {
                build(source, text, path, folder, UserFolders.createOwnerOnly(user.programs()), installation);
            }
            return new SourceProgram(Files.readString(mainFile), folder);
        } catch (IOException e) {
            throw new UserError(1, source + " cannot be compiled: " + e.getMessage());
        }
    }

    private static String hash(String text, Path source, List<Path> path, Installation installation)
            throws IOException {
        MessageDigest digest = Sha256.digest();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((source.getFileName() + "\n" + installation.java() + "\n" + Runtime.version() + "\n" + path)
                .getBytes(StandardCharsets.UTF_8));
        for (Path entry : path) {
            if (Files.isRegularFile(entry)) {
                digest.update(("\n" + Files.size(entry) + " " + Files.getLastModifiedTime(entry))
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 12);
    }

    private static void build(
            Path source, String text, List<Path> path, Path folder, Path user, Installation installation)
            throws IOException {
        Path fresh = Files.createTempDirectory(user, "javac");
        try {
            javac(source, path, fresh, installation);
            String main = mainClass(source, text, fresh);
            Files.writeString(fresh.resolve(MAIN_CLASS_FILE), main);
            try {
                Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                if (!Files.exists(folder.resolve(MAIN_CLASS_FILE))) {
                    throw e;
                }
                // another job has compiled the same text meanwhile
            }
        } finally {
            remove(fresh);
        }
    }

    private static void javac(Path source, List<Path> path, Path target, Installation installation) throws IOException {
        Path javac = installation.java().resolveSibling("javac");
        if (!Files.isExecutable(javac)
                && !Files.isExecutable(installation.java().resolveSibling("javac.exe"))) {
            throw new UserError(
                    1, "there is no javac beside " + installation.java() + ": a JDK is needed, not a JRE alone");
        }
        Process process = new ProcessBuilder(
                        javac.toString(),
                        "-J-XX:+UseSerialGC",
                        "-J-XX:TieredStopAtLevel=1",
                        "-proc:none",
                        "-nowarn",
                        "-Xlint:-options",
                        "-g",
                        "-d",
                        target.toString(),
                        "-cp",
                        String.join(
                                File.pathSeparator,
                                path.stream().map(Path::toString).toList()),
                        source.toString())
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        byte[] messages = process.getInputStream().readAllBytes();
        int status;
        try {
            status = process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (status != 0) {
            System.err.write(messages);
            System.err.flush();
            throw new UserError(1, source.getFileName() + " does not compile: see the messages of javac above");
        }
    }

    /** The class named as the file if it has a main, else the first of the file that has one, as {@code java} takes it. */
    private static String mainClass(Path source, String text, Path classes) throws IOException {
        String fileName = source.getFileName().toString();
        String simple = fileName.substring(0, fileName.length() - ".java".length());
        Matcher matcher = PACKAGE.matcher(text);
        String prefix = matcher.find() ? matcher.group(1) + "." : "";
        List<String> candidates = new ArrayList<>(List.of(simple));
        Matcher types =
                Pattern.compile("\\b(?:class|record|enum|interface)\\s+(\\w+)").matcher(text);
        while (types.find()) {
            candidates.add(types.group(1));
        }
        for (String candidate : candidates) {
            Path file = classes.resolve((prefix + candidate).replace('.', '/') + ".class");
            if (Files.isRegularFile(file) && hasMain(file)) {
                return prefix + candidate;
            }
        }
        throw new UserError(1, "no class of " + fileName + " has a method main(String[] args)");
    }

    private static boolean hasMain(Path classFile) throws IOException {
        return ClassFile.of().parse(classFile).methods().stream()
                .anyMatch(method -> method.methodName().equalsString("main"));
    }

    private static void remove(@Nullable Path folder) {
        if (folder == null) {
            return;
        }
        try {
            UserFolders.removeTree(folder);
        } catch (IOException e) {
            // a leftover in the cache folder does no harm
        }
    }
}
