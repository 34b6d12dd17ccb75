package org.gridmpj.capture.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** The program's class path: folders, jars, and the jars that their manifests name. */
final class ProgramPath {
    private final Set<Path> entries = new LinkedHashSet<>();

    ProgramPath(List<Path> classPath) throws IOException {
        ArrayDeque<Path> open = new ArrayDeque<>(classPath);
        while (!open.isEmpty()) {
            Path entry = open.poll().toAbsolutePath().normalize();
            if (Files.exists(entry) && entries.add(entry) && !Files.isDirectory(entry)) {
                open.addAll(namedByManifest(entry));
            }
        }
    }

    private static List<Path> namedByManifest(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            Manifest manifest = file.getManifest();
            String named =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (named == null) {
                return List.of();
            }
            URI base = jar.toUri();
            return Stream.of(named.strip().split("\\s+"))
                    .map(base::resolve)
                    .filter(uri -> "file".equals(uri.getScheme()))
                    .map(Path::of)
                    .toList();
        }
    }

    /** Hands each class file over, that of the first entry where several have one of the same name. */
    void forEach(Consumer<byte[]> classFile) throws IOException {
        Set<String> seen = new LinkedHashSet<>();
        for (Path entry : entries) {
            if (Files.isDirectory(entry)) {
                try (Stream<Path> all = Files.walk(entry)) {
                    for (Path file : (Iterable<Path>) all::iterator) {
                        String name = entry.relativize(file).toString().replace('\\', '/');
                        if (isClass(name) && seen.add(name)) {
                            classFile.accept(Files.readAllBytes(file));
                        }
                    }
                }
            } else if (entry.toString().endsWith(".jar") || entry.toString().endsWith(".zip")) {
                try (JarFile jar = new JarFile(entry.toFile(), false)) {
                    for (ZipEntry each : Collections.list(jar.entries())) {
                        if (isClass(each.getName()) && seen.add(each.getName())) {
                            try (InputStream in = jar.getInputStream(each)) {
                                classFile.accept(in.readAllBytes());
                            }
                        }
                    }
                }
            }
        }
    }

    private static boolean isClass(String name) {
        return name.endsWith(".class") && !name.startsWith("META-INF/") && !name.endsWith("module-info.class");
    }
}
