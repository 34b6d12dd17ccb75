package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import mpj.Probe;
import org.gridmpj.capture.frames.ImageProcess.Program;
import org.gridmpj.capture.frames.ImageProcess.Report;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs of other languages of the JVM, compiled by their own compilers, captured at each of their calls. Their runtime
 * libraries are part of them, as on the class path of a job.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LanguageSweepTest {
    private static final String MAIN = "foreign.Language";
    private static final String FIRST = "-XX:+UseParallelGC -Xmx400m -XX:-UseCompressedOops";
    private static final String SECOND = "-XX:+UseSerialGC -Xmx256m -XX:TieredStopAtLevel=1";
    private static final int IMAGES = 20;

    private List<Path> ofKotlin;
    private List<Path> ofScala;

    /** Once: the compilers take longer than the sweeps. */
    @BeforeAll
    void compile(@TempDir Path folder) throws Exception {
        ofKotlin = kotlin(Files.createDirectory(folder.resolve("kotlin")));
        ofScala = scala(Files.createDirectory(folder.resolve("scala")));
    }

    @Test
    void shouldGoOnWhereItWasWhenItIsAKotlinProgram() throws Exception {
        assertThat(Sweep.through(MAIN, ofKotlin, 50)).isNotEmpty();
    }

    @Test
    void shouldGoOnWhereItWasWhenItIsAScalaProgram() throws Exception {
        assertThat(Sweep.through(MAIN, ofScala, 50)).isNotEmpty();
    }

    @Test
    void shouldGoOnInAnotherJvmWhenItIsOfAnotherLanguage(@TempDir Path images) throws Exception {
        List<Program> programs = List.of(new Program(MAIN, ofKotlin, IMAGES), new Program(MAIN, ofScala, IMAGES));

        Report taken = ImageProcess.takeAndResume(FIRST, SECOND, images, programs);

        assertThat(taken.counts()).as(taken.said()).allSatisfy(each -> {
            assertThat(each.isAll()).isTrue();
            assertThat(each.of()).isGreaterThanOrEqualTo(IMAGES);
        });
    }

    private static List<Path> kotlin(Path folder) throws Exception {
        List<Path> path = List.of(folder, jarOf(kotlin.Unit.class));
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        ExitCode code = new K2JVMCompiler()
                .exec(
                        new PrintStream(messages, true, StandardCharsets.UTF_8),
                        "-no-stdlib",
                        "-no-reflect",
                        "-nowarn",
                        "-cp",
                        classPath(path),
                        "-d",
                        folder.toString(),
                        source("Language.kt"));
        assertThat(code).as(messages.toString(StandardCharsets.UTF_8)).isEqualTo(ExitCode.OK);
        return path;
    }

    private static List<Path> scala(Path folder) throws Exception {
        List<Path> path = List.of(folder, jarOf(scala.Option.class), jarOf(scala.runtime.LazyVals.class));
        String[] arguments = {
            "-nowarn",
            "-color",
            "never",
            "-classpath",
            classPath(path),
            "-d",
            folder.toString(),
            source("Language.scala")
        };
        var reporter = dotty.tools.dotc.Main.process(arguments);
        assertThat(reporter.hasErrors()).isFalse();
        return path;
    }

    /** The classes of the tests, where the calls are, come last. */
    private static String classPath(List<Path> path) throws Exception {
        return String.join(
                File.pathSeparator,
                Stream.concat(path.stream(), Stream.of(jarOf(Probe.class)))
                        .map(Path::toString)
                        .toList());
    }

    private static Path jarOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static String source(String name) throws Exception {
        return Path.of(Objects.requireNonNull(LanguageSweepTest.class.getResource("/programs/" + name))
                        .toURI())
                .toString();
    }
}
