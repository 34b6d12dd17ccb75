package org.gridmpj.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HugePagesTest {
    @TempDir
    Path folder;

    private List<String> options(String states, String... jvmOptions) throws IOException {
        Path enabled = Files.writeString(folder.resolve("enabled"), states + "\n");
        return HugePages.options(enabled, Stream.of(jvmOptions));
    }

    @Test
    void shouldAskForThemWhereTheSystemGivesThem() throws IOException {
        assertThat(options("always [madvise] never", "-Xmx1g")).containsExactly("-XX:+UseTransparentHugePages");
        assertThat(options("[always] madvise never")).containsExactly("-XX:+UseTransparentHugePages");
    }

    @Test
    void shouldNotAskWhereTheJvmWouldWarn() throws IOException {
        assertThat(options("always madvise [never]")).isEmpty();
        assertThat(HugePages.options(folder.resolve("missing"), Stream.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-XX:-UseTransparentHugePages", "-XX:+UseLargePages", "-XX:+UseZGC", "-Dx=1 -XX:+UseZGC -Xmx1g"})
    void shouldLeaveItToTheUserWhoChose(String option) throws IOException {
        assertThat(options("always [madvise] never", "-Xss1m", option)).isEmpty();
    }
}
