package org.gridmpj.capture.samples;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The class files of the sample programs. */
public final class Samples {
    private Samples() {}

    /**
     * Copies the class files of one sample, with what it has inside and the package of its name in small letters, if there is
     * one, into a folder of their own, which it returns.
     */
    public static Path copyOf(Class<?> sample, Path to) throws IOException, URISyntaxException {
        Path from = Path.of(
                sample.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path folder = from.resolve(sample.getPackageName().replace('.', '/'));
        String simple = sample.getSimpleName();
        copy(folder, from, to, name -> name.equals(simple + ".class") || name.startsWith(simple + "$"));
        Path own = folder.resolve(simple.toLowerCase(Locale.ROOT));
        if (Files.isDirectory(own)) {
            copy(own, from, to, name -> true);
        }
        return to;
    }

    private static void copy(Path folder, Path from, Path to, Predicate<String> names) throws IOException {
        Path target = Files.createDirectories(to.resolve(from.relativize(folder)));
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                String name = each.getFileName().toString();
                if (names.test(name)) {
                    Files.copy(each, target.resolve(name));
                }
            }
        }
    }
}
