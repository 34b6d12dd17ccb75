package org.gridmpj.capture.samples;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The class files of the sample programs. */
public final class Samples {
    private Samples() {}

    /** Copies the class files of one sample, with what it has inside, into a folder of their own, which it returns. */
    public static Path copyOf(Class<?> sample, Path to) throws IOException, URISyntaxException {
        Path from = Path.of(
                sample.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path folder = from.resolve(sample.getPackageName().replace('.', '/'));
        Path target = Files.createDirectories(to.resolve(sample.getPackageName().replace('.', '/')));
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                String name = each.getFileName().toString();
                if (name.equals(sample.getSimpleName() + ".class") || name.startsWith(sample.getSimpleName() + "$")) {
                    Files.copy(each, target.resolve(name));
                }
            }
        }
        return to;
    }
}
