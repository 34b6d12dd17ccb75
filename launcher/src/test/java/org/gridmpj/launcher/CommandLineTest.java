package org.gridmpj.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-np 2 --web 80 Main",
                "-np 2 --profile Main",
                "-np 2 --checkpoint 1s --checkpoint-dir s3://b/x Main"
            })
    void shouldSayWhatThisVersionCannot(String line) {
        assertWrong(line, "this version cannot");
    }

    @Test
    void shouldSayWhatLocalRecoveryNeeds() {
        assertWrong("-np 2 --ft local Main", "--ft local without --checkpoint");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Main",
                "-np 0 Main",
                "-np two Main",
                "-np 2",
                "-np 2 --nothing Main",
                "-np 2 --transport smoke Main",
                "-np 2 --checkpoint often Main",
                "-np 2 --transport java --checkpoint 1s Main",
                "-np 2 --link shm --transport java Main",
                "-np 2 --link rope Main",
                "-np 2 --checkpoint-dir x Main",
                "-np 2 --wdir /no/such/folder Main",
                "-np 2 --resume job Main",
                "-np 2 --earlier Main",
                "-np 2 --hosts a:2 Main",
                "-np 2 --hosts a:2 --zookeeper embedded Main",
                "-np 2 --hosts a: --zookeeper h:2181 Main",
                "-np 2 --hosts a --hostfile f --zookeeper h:2181 Main",
                "-np 2 --hostfile /no/such/file --zookeeper h:2181 Main"
            })
    void shouldRefuseAWrongLineWithCodeTwo(String line) {
        assertWrong(line, "");
    }

    private static void assertWrong(String line, String message) {
        assertThatThrownBy(() -> MpjRun.run(line.split(" ")))
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.exitCode()).isEqualTo(2))
                .hasMessageContaining(message);
    }

    @Test
    void shouldSplitOptionsAsAShellDoes() {
        assertThat(Words.of("--jvm", "-Xmx1g  \"-Dx=a b\" '' -ea")).containsExactly("-Xmx1g", "-Dx=a b", "", "-ea");
        assertThatThrownBy(() -> Words.of("--jvm", "\"open")).isInstanceOf(UserError.class);
    }

    @Test
    void shouldTakeTheJvmOptionsOfAScriptForMpjExpress() {
        MpjRun command = MpjRun.parse(
                "-np",
                "2",
                "-dev",
                "multicore",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-Da=b=c",
                "-ea",
                "--jvm",
                "-Xss4m",
                "Main",
                "-Xnot",
                "-Done");
        assertThat(command.jvmOptions())
                .containsExactlyInAnyOrder("-Xmx512m", "-XX:+UseSerialGC", "-Da=b=c", "-ea", "-Xss4m");
        assertThat(command.size).isEqualTo(2);
    }

    @Test
    void shouldReadTimesAsPeopleWriteThem() {
        assertThat(Durations.of("x", "500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(Durations.of("x", "1s")).isEqualTo(Duration.ofSeconds(1));
        assertThat(Durations.of("x", "1.5m")).isEqualTo(Duration.ofSeconds(90));
        assertThat(Durations.of("x", "2")).isEqualTo(Duration.ofSeconds(2));
        assertThat(Durations.words(Duration.ofMillis(500))).isEqualTo("0.5 s");
        assertThatThrownBy(() -> Durations.of("--timeout", "0")).hasMessageContaining("--timeout");
    }

    @Test
    void shouldReadBackItsOwnJson() {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("text", "a \"quoted\" \\ line\n\u0001é");
        document.put("number", 42L);
        document.put("fraction", 1.5);
        document.put("nothing", null);
        document.put("list", Arrays.asList(true, List.of(), Map.of()));
        assertThat(Json.parseObject(Json.write(document))).isEqualTo(document);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"a\"}", "[1,]", "tru", "\"\\u12", "{} x", "--1"})
    void shouldRefuseWhatIsNoJson(String text) {
        assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
