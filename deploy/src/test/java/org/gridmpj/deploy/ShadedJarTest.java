package org.gridmpj.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** What must hold of gridmpj.jar as a whole; runs after it was made (mvn verify). */
@Timeout(60)
class ShadedJarTest {
    /** Ours, and the two libraries whose native parts have the names of their classes compiled in. */
    private static final List<String> OWN =
            List.of("org/gridmpj/", "mpi/", "mpj/", "org/xerial/snappy/", "com/github/luben/zstd/");

    private static Path jar() {
        return Path.of(System.getProperty("gridmpj.jar", "target/gridmpj.jar"));
    }

    private static List<String> classes() throws IOException {
        try (JarFile jar = new JarFile(jar().toFile())) {
            return jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/"))
                    .toList();
        }
    }

    static boolean linux() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "");
        return os.contains("linux") && (arch.equals("amd64") || arch.equals("aarch64"));
    }

    @Test
    void shouldHaveNoClassInTheDefaultPackage() throws IOException {
        assertThat(Files.exists(jar())).as("%s", jar()).isTrue();
        assertThat(classes()).isNotEmpty().noneMatch(name -> name.indexOf('/') < 0);
    }

    @Test
    void shouldHoldThirdPartiesUnderItsOwnPackageOnly() throws IOException {
        assertThat(classes())
                .filteredOn(name -> OWN.stream().noneMatch(name::startsWith))
                .isEmpty();
    }

    @Test
    void shouldNameBothTransportsInOneServiceFile() throws IOException {
        try (JarFile jar = new JarFile(jar().toFile())) {
            ZipEntry entry = jar.getEntry("META-INF/services/org.gridmpj.transport.TransportProvider");
            assertThat(entry).isNotNull();
            assertThat(new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8))
                    .contains("GridTcp")
                    .contains("JavaTransport");
        }
    }

    @Test
    @EnabledIf("linux")
    void shouldFindEpollFromTheRelocatedNetty() throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar().toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            Class<?> epoll = loader.loadClass("org.gridmpj.shaded.io.netty.channel.epoll.Epoll");
            Method cause = epoll.getMethod("unavailabilityCause");
            assertThat(cause.invoke(null)).isNull();
        }
    }
}
