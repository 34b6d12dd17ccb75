package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.gridmpj.capture.samples.Objects;
import org.gridmpj.capture.samples.Samples;
import org.gridmpj.capture.samples.Zoo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Images that are taken at each call of a program in one JVM are gone on from in one that lays out and collects its objects in
 * another way: the output must be that of the program left alone. Another build of the JDK is not to be had here.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class UnlikeJvmTest {
    private static final String SERIAL = "-XX:+UseSerialGC -Xmx96m -XX:TieredStopAtLevel=1";
    private static final String G1_COMPACT = "-XX:+UseG1GC -Xmx256m -XX:+UseCompactObjectHeaders";
    private static final String PARALLEL_WIDE = "-XX:+UseParallelGC -Xmx400m -XX:-UseCompressedOops";
    private static final String Z =
            "-XX:+UseZGC -Xmx512m -Duser.timezone=Asia/Tokyo -Duser.language=tr -Dfile.encoding=ISO-8859-1";

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({SERIAL + "," + Z, PARALLEL_WIDE + " -XX:ObjectAlignmentInBytes=16," + G1_COMPACT, Z + "," + SERIAL})
    void shouldGoOnInAJvmUnlikeTheFirst(String first, String second) throws Exception {
        for (Class<?> sample : List.of(Objects.class, Zoo.class)) {
            Path classes = Samples.copyOf(sample, folder.resolve(sample.getSimpleName()));
            Path images = Files.createDirectory(folder.resolve(sample.getSimpleName() + "-images"));

            String taken = run(first, "take", sample.getName(), classes, images);
            String calls = taken.strip().replace(" calls", "");
            assertThat(calls).as("all captured").matches("\\d+");

            assertThat(run(second, "resume", sample.getName(), classes, images))
                    .isEqualTo(calls + " of " + calls + " the same\n");
        }
    }

    private static String run(String options, String what, String sample, Path classes, Path images)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(each -> each.startsWith("--add-"))
                .forEach(command::add);
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                ImageProcess.class.getName(),
                what,
                sample,
                classes.toString(),
                images.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
