package org.gridmpj.capture.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The program's class path: folders, jars, and the jars that their manifests name. What cannot be read is left out, as the
 * JVM leaves it out.
 */
public final class ProgramPath {
    private static final String SUFFIX = ".class";

    private final Set<Path> entries = new LinkedHashSet<>();

    /** The path of these entries. */
    public ProgramPath(List<Path> classPath) {
        ArrayDeque<Path> open = new ArrayDeque<>(classPath);
        while (!open.isEmpty()) {
            Path entry = open.poll().toAbsolutePath().normalize();
            if (Files.exists(entry) && entries.add(entry) && !Files.isDirectory(entry)) {
                // as the JVM looks for classes: what a jar names comes before the entry behind it
                namedByManifest(entry).reversed().forEach(open::addFirst);
            }
        }
    }

    /** All entries, in the order in which classes are looked for. */
    public List<Path> entries() {
        return List.copyOf(entries);
    }

    private static List<Path> namedByManifest(Path jar) {
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            Manifest manifest = file.getManifest();
            String named =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (named == null) {
                return List.of();
            }
            URI base = jar.toUri();
            return Stream.of(named.strip().split("\\s+"))
                    .filter(name -> !name.isEmpty())
                    .map(base::resolve)
                    .filter(uri -> "file".equals(uri.getScheme()))
                    .map(Path::of)
                    .toList();
        } catch (IOException | IllegalArgumentException e) {
            return List.of();
        }
    }

    /**
     * Hands each class over, by the internal name that its place gives it, with its file; that of the first entry where
     * several have one of the same name.
     */
    public void forEach(BiConsumer<String, byte[]> classFile) {
        Set<String> seen = new LinkedHashSet<>();
        for (Path entry : entries) {
            try {
                if (Files.isDirectory(entry)) {
                    for (Path file : classFiles(entry)) {
                        String name = entry.relativize(file).toString().replace('\\', '/');
                        name = name.substring(0, name.length() - SUFFIX.length());
                        if (seen.add(name)) {
                            classFile.accept(name, Files.readAllBytes(file));
                        }
                    }
                } else {
                    forEachIn(entry, seen, classFile);
                }
            } catch (IOException e) {
                System.err.println("gridmpj: the class path entry " + entry + " cannot be read: " + e);
            }
        }
    }

    private static void forEachIn(Path entry, Set<String> seen, BiConsumer<String, byte[]> classFile)
            throws IOException {
        try (JarFile jar = new JarFile(entry.toFile(), false)) {
            for (ZipEntry each : Collections.list(jar.entries())) {
                String file = each.getName();
                if (file.endsWith(SUFFIX) && !file.startsWith("META-INF/") && !file.endsWith("module-info.class")) {
                    String name = file.substring(0, file.length() - SUFFIX.length());
                    if (seen.add(name)) {
                        try (InputStream in = jar.getInputStream(each)) {
                            classFile.accept(name, in.readAllBytes());
                        }
                    }
                }
            }
        }
    }

    /** The class files below a folder, in folders that can be packages: the path is often "." and has much else in it. */
    private static List<Path> classFiles(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
                boolean named = visited.equals(folder)
                        || visited.getFileName().toString().chars().allMatch(Character::isJavaIdentifierPart);
                return named ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (name.endsWith(SUFFIX) && !name.equals("module-info.class")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
