package org.gridmpj.report2005;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.gridmpj.testkit.FacadeCluster;
import org.junit.jupiter.api.Test;

/** Programs that import nothing. */
class DefaultPackageTest {
    @Test
    void shouldRunAProgramThatImportsNothing() {
        assertThat(FacadeCluster.of(3).run("PingPong")).isZero();
    }

    @Test
    void shouldHaveEveryNameOfPackageMpj() throws Exception {
        assertThat(classNames(whereIs("MPJ"), "/")).isEqualTo(classNames(whereIs("mpj.MPJ"), "/mpj"));
    }

    /** In a folder, or in a jar when the whole project is built. */
    private static List<String> classNames(Path where, String inside) throws IOException {
        if (Files.isDirectory(where)) {
            return classNames(where.resolve(inside.substring(1)));
        }
        try (FileSystem jar = FileSystems.newFileSystem(where)) {
            return classNames(jar.getPath(inside));
        }
    }

    private static List<String> classNames(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                    .sorted()
                    .toList();
        }
    }

    private static Path whereIs(String className) throws ClassNotFoundException, URISyntaxException {
        return Path.of(Class.forName(className)
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }
}
