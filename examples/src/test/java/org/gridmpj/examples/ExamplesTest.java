package org.gridmpj.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.gridmpj.testkit.LocalCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each example at several numbers of ranks, with small sizes; their own checks decide. */
@Timeout(120)
class ExamplesTest {
    @TempDir
    Path folder;

    static Stream<Arguments> programs() {
        record Case(String result, String command) {}
        return Stream.of(
                        new Case("greetings ok", "Hello"),
                        new Case(" ok", "Ring 50"),
                        new Case("8 sizes ok", "PingPong 3 65536"),
                        new Case("pi = 3.139176", "MonteCarloPi 1"),
                        new Case("product ok", "MatrixMultiply 73"),
                        new Case("numbers sorted", "ParallelSort 10007"),
                        new Case("e-", "NBody 101 20"),
                        new Case(" ok", "Life 64 150"))
                .flatMap(each -> Stream.of(1, 2, 4, 5).map(size -> Arguments.of(size, each.command, each.result)));
    }

    @ParameterizedTest(name = "-np {0} {1}")
    @MethodSource("programs")
    void shouldPrintItsCheckedResultWhenRunOnAnyNumberOfRanks(int size, String command, String result)
            throws IOException {
        String output = run(size, command);
        assertThat(output).contains(result).contains(" ok").doesNotContain("WRONG");
    }

    @ParameterizedTest(name = "-np {0} {1}")
    @CsvSource({"2, byte", "2, double", "4, int"})
    void shouldComplyWithWhatWasSentWhenLowLevelBenchmarksRun(int size, String type) throws IOException {
        assertThat(run(size, "LowLevel " + type + " 0.0001"))
                .contains(
                        "PingPong2",
                        "PingPing1",
                        "PingPing2",
                        "Multicast2",
                        "Barrier     " + size + " ranks",
                        "7 benchmarks ok");
    }

    @Test
    void shouldHaveTheFamousPopulationWhenLifeHasRoom() throws IOException {
        assertThat(run(3, "Life 640")).contains("generation 1103: population 116 ok");
    }

    @ParameterizedTest(name = "-np {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void shouldGiveTheSameChecksumWhenHeatIsSolvedOnAnyNumberOfRanks(int size) throws IOException {
        Path picture = folder.resolve("heat.png");
        String output = run(size, "HeatDiffusion --size 96 --steps 400 --png " + picture);
        assertThat(output.lines()).contains("checksum 446ee8024c31106f", picture + " written");
        assertThat(ImageIO.read(picture.toFile()).getWidth()).isEqualTo(96);
    }

    @Test
    void shouldWriteNoPictureWhenToldSo() throws IOException {
        assertThat(run(2, "HeatDiffusion --size 32 --steps 10 --png none")).doesNotContain("written");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    /** What all ranks together have printed. */
    private static String run(int size, String command) throws IOException {
        List<String> words = List.of(command.split(" "));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            LocalCluster.of(size).run(process -> {
                try (RankClasses classes = new RankClasses()) {
                    classes.run(words.getFirst(), process, words.subList(1, words.size()));
                }
            });
        } finally {
            System.setOut(console);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
