package org.gridmpj.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {
    private static final Path JAR = Path.of("/opt/gridmpj.jar");

    @TempDir
    Path folder;

    private List<String> captureOptions(String... jvmOptions) {
        Installation installation =
                new Installation(Path.of("java"), List.of(JAR), null, new StartupCache(folder, JAR));
        return installation.captureOptions(List.of(Path.of("a.jar"), Path.of("b")), 1, List.of(jvmOptions));
    }

    @Test
    void shouldHaveTheStartUpCacheAndTheAgentLaterWhenAProgramIsCaptured() throws IOException {
        Files.createFile(folder.resolve("rank.aot"));
        assertThat(captureOptions("-Xmx1g"))
                .contains("-XX:AOTCache=" + folder.resolve("rank.aot"), "-Dgridmpj.agent=" + JAR)
                .contains("-Dgridmpj.agent.argument=a.jar:b")
                .noneMatch(option -> option.startsWith("-javaagent"));
        Files.createFile(folder.resolve("captured.aot"));
        assertThat(captureOptions())
                .contains("-XX:AOTCache=" + folder.resolve("captured.aot"))
                .doesNotContain("-XX:AOTCache=" + folder.resolve("rank.aot"));
    }

    @Test
    void shouldBeginWithTheAgentAndNoCacheWhenTheUserHasForbiddenToLoadOneLater() throws IOException {
        Files.createFile(folder.resolve("captured.aot"));
        assertThat(captureOptions("-XX:+DisableAttachMechanism"))
                .contains("-javaagent:" + JAR + "=a.jar:b")
                .noneMatch(option -> option.contains("AOTCache") || option.contains("AttachListener"));
    }
}
