package org.gridmpj.launcher.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Whether a program takes its snapshots itself: some class of it names Ateam or UserProgWrapper. */
public final class CooperativeUse {
    private CooperativeUse() {}

    /** Looks at the classes of the program's path; an entry that cannot be read is left out. */
    public static boolean in(Program program) {
        return program.classPath().stream().anyMatch(CooperativeUse::in);
    }

    private static boolean in(Path entry) {
        try {
            if (Files.isDirectory(entry)) {
                try (Stream<Path> all = Files.walk(entry)) {
                    return all.filter(file -> file.toString().endsWith(".class"))
                            .anyMatch(CooperativeUse::fileUses);
                }
            }
            return Files.isRegularFile(entry) && jarUses(entry);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean fileUses(Path file) {
        try {
            return ProgramTraits.of(Files.readAllBytes(file)).cooperative();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean jarUses(Path path) throws IOException {
        try (JarFile jar = new JarFile(path.toFile(), false)) {
            for (ZipEntry each : Collections.list(jar.entries())) {
                if (each.getName().endsWith(".class")) {
                    try (InputStream in = jar.getInputStream(each)) {
                        if (ProgramTraits.of(in.readAllBytes()).cooperative()) {
                            return true;
                        }
                    }
                }
            }
        }
        return false;
    }
}
