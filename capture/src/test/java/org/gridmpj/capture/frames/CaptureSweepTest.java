package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.internal.misc.Unsafe;
import mpj.Probe;
import org.gridmpj.capture.samples.CalledBack;
import org.gridmpj.capture.samples.Constructors;
import org.gridmpj.capture.samples.Control;
import org.gridmpj.capture.samples.Hidden;
import org.gridmpj.capture.samples.Identities;
import org.gridmpj.capture.samples.Initialised;
import org.gridmpj.capture.samples.Objects;
import org.gridmpj.capture.samples.Offsets;
import org.gridmpj.capture.samples.Reflective;
import org.gridmpj.capture.samples.Reopened;
import org.gridmpj.capture.samples.Samples;
import org.gridmpj.capture.samples.Streaming;
import org.gridmpj.capture.samples.Zoo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Captures a program at each of its calls: the output must be that of the program left alone. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CaptureSweepTest {
    @TempDir
    Path folder;

    static Stream<Class<?>> samples() {
        return Stream.of(
                Control.class,
                Objects.class,
                Constructors.class,
                Hidden.class,
                Initialised.class,
                CalledBack.class,
                Reflective.class,
                Streaming.class,
                Identities.class,
                Reopened.class,
                Zoo.class);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldGoOnWhereItWasWhenFramesAreEnteredAgain(Class<?> sample) throws Exception {
        ProgramFiles classes = new ProgramFiles(List.of(Samples.copyOf(sample, folder)));
        ProgramUnderTest alone = new ProgramUnderTest(sample.getName(), classes);
        String plain = alone.run(0, state -> {});
        alone.verifyClasses();
        int calls = Probe.calls;
        assertThat(calls).isGreaterThan(20);
        for (int k = 1; k <= calls; k++) {
            List<Object> states = new ArrayList<>();
            String captured = new ProgramUnderTest(sample.getName(), classes).run(k, states::add);
            assertThat(Probe.lastObstacle).as("obstacle at call %d", k).isNull();
            assertThat(states).as("captures at call %d", k).hasSize(1);
            assertThat(captured).as("captured at call %d", k).isEqualTo(plain);
            assertThat(Probe.calls).isEqualTo(calls);
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldGoOnWhenItIsCapturedAgainAndAgain(Class<?> sample) throws Exception {
        ProgramFiles classes = new ProgramFiles(List.of(Samples.copyOf(sample, folder)));
        String plain = new ProgramUnderTest(sample.getName(), classes).run(0, state -> {});
        int calls = Probe.calls;
        List<Object> states = new ArrayList<>();

        String captured = new ProgramUnderTest(sample.getName(), classes).runCapturedAtEach(states::add);

        assertThat(Probe.lastObstacle).isNull();
        assertThat(states).hasSize(calls);
        assertThat(captured).isEqualTo(plain);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldGoOnInFreshClassesWhenItsStateIsCopied(Class<?> sample) throws Exception {
        ProgramFiles classes = new ProgramFiles(List.of(Samples.copyOf(sample, folder)));
        String plain = new ProgramUnderTest(sample.getName(), classes).run(0, state -> {});
        int calls = Probe.calls;
        for (int k = 1; k <= calls; k++) {
            ProgramStatics.reset();
            ProgramUnderTest first = new ProgramUnderTest(sample.getName(), classes);
            Killed killed = Killed.at(first, k);
            if (killed == null) {
                throw new AssertionError("not captured at call " + k + ": " + Probe.lastObstacle);
            }
            assertThat(killed.goOnIn(new ProgramUnderTest(sample.getName(), classes)))
                    .as("captured at call %d", k)
                    .isEqualTo(plain);
            assertThat(Probe.calls).isEqualTo(calls);
        }
        ProgramStatics.reset();
    }

    @Test
    void shouldFindTheOffsetsOfThisProcessWhenTheProgramKeepsThem() throws Exception {
        ProgramFiles classes = new ProgramFiles(List.of(Samples.copyOf(Offsets.class, folder)));
        ProgramStatics.reset();
        Killed killed = Killed.at(new ProgramUnderTest(Offsets.class.getName(), classes), 1);
        if (killed == null) {
            throw new AssertionError("not captured: " + Probe.lastObstacle);
        }
        assertThat(killed.goOnIn(new ProgramUnderTest(Offsets.class.getName(), classes)))
                .isEqualTo("-5 " + Unsafe.getUnsafe().objectFieldOffset(Offsets.Held.class, "value"));
        ProgramStatics.reset();
    }
}
