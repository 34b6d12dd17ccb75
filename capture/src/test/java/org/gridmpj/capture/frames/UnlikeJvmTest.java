package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.gridmpj.capture.frames.ImageProcess.Jvm;
import org.gridmpj.capture.frames.ImageProcess.Program;
import org.gridmpj.capture.frames.ImageProcess.Report;
import org.gridmpj.capture.samples.Objects;
import org.gridmpj.capture.samples.Samples;
import org.gridmpj.capture.samples.Zoo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Images that are taken at each call of a program in one JVM are gone on from in one that lays out and collects its objects in
 * another way, or is of another build of the JDK: the output must be that of the program left alone.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class UnlikeJvmTest {
    private static final String SERIAL = "-XX:+UseSerialGC -Xmx96m -XX:TieredStopAtLevel=1";
    private static final String G1_COMPACT = "-XX:+UseG1GC -Xmx256m -XX:+UseCompactObjectHeaders";
    private static final String PARALLEL_WIDE = "-XX:+UseParallelGC -Xmx400m -XX:-UseCompressedOops";
    private static final String Z =
            "-XX:+UseZGC -Xmx512m -Duser.timezone=Asia/Tokyo -Duser.language=tr -Dfile.encoding=ISO-8859-1";
    private static final int PAIRS = 3;
    /** The folder of another build of JDK 25; dev/another-jdk finds one. */
    private static final String OTHER_BUILD = "GRIDMPJ_ANOTHER_JDK";

    @TempDir
    Path folder;

    /** Each pair of JVMs has its share of the samples; two samples are for all. */
    @ParameterizedTest
    @CsvSource({
        "0," + SERIAL + "," + Z,
        "1," + PARALLEL_WIDE + " -XX:ObjectAlignmentInBytes=16," + G1_COMPACT,
        "2," + Z + "," + SERIAL
    })
    void shouldGoOnInAJvmUnlikeTheFirst(int pair, String first, String second) throws Exception {
        goesOn(pair, new Jvm(first), new Jvm(second));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @EnabledIfEnvironmentVariable(
            named = OTHER_BUILD,
            matches = ".+",
            disabledReason = "no other build of the JDK is named: " + OTHER_BUILD + "=$(dev/another-jdk)")
    void shouldGoOnInAnotherBuild(boolean isSecond) throws Exception {
        Jvm own = new Jvm(G1_COMPACT);
        Jvm other = new Jvm(Path.of(System.getenv(OTHER_BUILD)), SERIAL);
        assertThat(version(other)).as("another build than " + version(own)).isNotEqualTo(version(own));

        goesOn(isSecond ? 0 : 1, isSecond ? own : other, isSecond ? other : own);
    }

    private static String version(Jvm jvm) throws Exception {
        Process process = new ProcessBuilder(
                        jvm.home().resolve("bin").resolve("java").toString(), "-version")
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private void goesOn(int pair, Jvm first, Jvm second) throws Exception {
        Set<Class<?>> samples = new LinkedHashSet<>(List.of(Objects.class, Zoo.class));
        samples.addAll(share(CaptureSweepTest.samples().toList(), pair));
        int alone = samples.size();
        samples.addAll(share(ThreadSweepTest.samples().toList(), pair));
        List<Program> programs = new ArrayList<>();
        for (Class<?> each : samples) {
            Path classes = Samples.copyOf(each, folder.resolve(each.getSimpleName()));
            programs.add(new Program(each.getName(), List.of(classes)));
        }

        Report taken = ImageProcess.takeAndResume(first, second, folder.resolve("images"), programs);

        assertThat(taken.counts().subList(0, alone)).as(taken.said()).allSatisfy(each -> {
            assertThat(each.isAll()).isTrue();
            assertThat(each.of()).isGreaterThan(20);
        });
        // threads do not come together soon enough after each call
        assertThat(taken.counts().subList(alone, samples.size()))
                .as(taken.said())
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.done()).isGreaterThan(each.of() / 2));
    }

    private static List<Class<?>> share(List<Class<?>> samples, int pair) {
        List<Class<?>> share = new ArrayList<>();
        for (int i = pair; i < samples.size(); i += PAIRS) {
            share.add(samples.get(i));
        }
        return share;
    }
}
