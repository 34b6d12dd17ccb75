package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import mpj.Probe;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs of other languages of the JVM, compiled by their own compilers, captured at each of their calls. Their runtime
 * libraries are part of them, as on the class path of a job.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class LanguageSweepTest {
    private static final String MAIN = "foreign.Language";
    private static final int RELAYS = 20;

    @TempDir
    Path folder;

    @Test
    void shouldGoOnWhereItWasWhenItIsAKotlinProgram() throws Exception {
        List<Path> path = List.of(folder, jarOf(kotlin.Unit.class));
        String source = source("Language.kt");
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
                        source);
        assertThat(code).as(messages.toString(StandardCharsets.UTF_8)).isEqualTo(ExitCode.OK);

        sweep(path);
    }

    @Test
    void shouldGoOnWhereItWasWhenItIsAScalaProgram() throws Exception {
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

        sweep(path);
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

    private static void sweep(List<Path> path) throws Exception {
        ProgramFiles files = new ProgramFiles(path);
        String plain = new ProgramUnderTest(MAIN, files).run(0, state -> {});
        int calls = Probe.calls;
        assertThat(calls).isGreaterThan(50);

        List<Object> states = new ArrayList<>();
        String captured = new ProgramUnderTest(MAIN, files).runCapturedAtEach(states::add);
        assertThat(Probe.lastObstacle).isNull();
        assertThat(states).hasSize(calls);
        assertThat(captured).isEqualTo(plain);

        assertThat(relayed(files, calls)).isEqualTo(plain);
        assertThat(Probe.calls).isEqualTo(calls);
    }

    /**
     * What the program writes when it goes by images from classes to classes: some of its calls, at like distances, are made in
     * a loader of their own.
     */
    private static String relayed(ProgramFiles files, int calls) throws Exception {
        int step = Math.max(1, calls / RELAYS);
        ProgramStatics.reset();
        Killed killed = Killed.at(new ProgramUnderTest(MAIN, files), 1);
        int at = 1;
        while (killed != null && at + step <= calls) {
            at += step;
            killed = killed.goOnTo(at, new ProgramUnderTest(MAIN, files));
        }
        if (killed == null) {
            throw new AssertionError("not captured at call " + at + ": " + Probe.lastObstacle);
        }
        Probe.captureAt = 0;
        String output = killed.goOnIn(new ProgramUnderTest(MAIN, files));
        ProgramStatics.reset();
        return output;
    }
}
