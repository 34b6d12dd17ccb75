package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import mpj.Probe;
import org.gridmpj.capture.samples.Ending;
import org.gridmpj.capture.samples.MainFirst;
import org.gridmpj.capture.samples.Notified;
import org.gridmpj.capture.samples.Parked;
import org.gridmpj.capture.samples.Pooled;
import org.gridmpj.capture.samples.Recreated;
import org.gridmpj.capture.samples.Samples;
import org.gridmpj.capture.samples.Threaded;
import org.gridmpj.capture.samples.Timed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Captures programs with several threads, at each of their calls or as soon after as their threads come together: the output
 * must be that of the program left alone.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ThreadSweepTest {
    private static final int RUNS = 5;

    @TempDir
    Path folder;

    /** Programs that are ended at a call leave theirs behind, whose threads end a minute later, in the midst of other tests. */
    @AfterEach
    void endPools() {
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread.getClass() == ForkJoinWorkerThread.class) // not those that carry virtual threads
                .map(thread -> ((ForkJoinWorkerThread) thread).getPool())
                .filter(Objects::nonNull) // none when the thread is about to end
                .forEach(ForkJoinPool::shutdownNow); // of no effect on the common one
    }

    static Stream<Class<?>> samples() {
        return Stream.of(Threaded.class, Notified.class, Pooled.class, Timed.class, Recreated.class, Parked.class);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldGoOnWhereAllItsThreadsWere(Class<?> sample) throws Exception {
        Path classes = Samples.copyOf(sample, folder);
        ProgramUnderTest alone = new ProgramUnderTest(sample.getName(), classes);
        String plain = alone.run(0, state -> {});
        alone.verifyClasses();
        int calls = Probe.calls;
        int captures = 0;
        for (int k = 1; k <= calls; k++) {
            List<Object> states = new ArrayList<>();
            String captured = new ProgramUnderTest(sample.getName(), classes).run(k, states::add);
            assertThat(captured).as("captured at call %d", k).isEqualTo(plain);
            assertThat(Probe.calls).isEqualTo(calls);
            assertThat(Probe.lastObstacle)
                    .as("threads that are not there yet are all that defers")
                    .satisfiesAnyOf(
                            none -> assertThat(none).isNull(),
                            obstacle -> assertThat(obstacle).doesNotContain("cannot be captured"));
            captures += states.size();
        }
        assertThat(captures)
                .as("captures, of which the last was deferred by %s", Probe.lastObstacle)
                .isGreaterThan(calls / 2);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldGoOnWhenItIsCapturedAgainAndAgain(Class<?> sample) throws Exception {
        Path classes = Samples.copyOf(sample, folder);
        String plain = new ProgramUnderTest(sample.getName(), classes).run(0, state -> {});
        int calls = Probe.calls;
        List<Object> states = new ArrayList<>();

        // how often all threads come together is the system's matter: some runs of a hundred have hardly a capture
        for (int run = 0; run < RUNS; run++) {
            String captured = new ProgramUnderTest(sample.getName(), classes).runCapturedAtEach(states::add);
            assertThat(captured).isEqualTo(plain);
            assertThat(Probe.calls).isEqualTo(calls);
        }
        assertThat(states.size())
                .as("captures, of which the last was deferred by %s", Probe.lastObstacle)
                .isGreaterThan(calls);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldStartItsThreadsAgainFromAnImage(Class<?> sample) throws Exception {
        Path classes = Samples.copyOf(sample, folder);
        String plain = new ProgramUnderTest(sample.getName(), classes).run(0, state -> {});
        int calls = Probe.calls;
        int resumed = 0;
        for (int k = 1; k <= calls; k++) {
            ProgramStatics.reset();
            Killed killed = Killed.at(new ProgramUnderTest(sample.getName(), classes), k);
            if (killed != null) {
                assertThat(killed.goOnIn(new ProgramUnderTest(sample.getName(), classes)))
                        .as("captured at call %d", k)
                        .isEqualTo(plain);
                assertThat(Probe.calls).isEqualTo(calls);
                resumed++;
            }
        }
        ProgramStatics.reset();
        assertThat(resumed)
                .as("resumptions, of which the last was deferred by %s", Probe.lastObstacle)
                .isGreaterThan(calls / 2);
    }

    @Test
    void shouldWaitForAThreadThatTheJvmIsAboutToEnd() throws Exception {
        Path classes = Samples.copyOf(Ending.class, folder);
        String plain = new ProgramUnderTest(Ending.class.getName(), classes).run(0, state -> {});
        ProgramStatics.reset();

        Killed killed = Killed.at(new ProgramUnderTest(Ending.class.getName(), classes), 2);

        assertThat(Probe.lastObstacle)
                .startsWith("thread \"" + Probe.ENDS_SLOWLY + "\" is in the program's code too, at ");
        assertThat(Objects.requireNonNull(killed, "captured at a later call")
                        .goOnIn(new ProgramUnderTest(Ending.class.getName(), classes)))
                .isEqualTo(plain);
        ProgramStatics.reset();
    }

    @Test
    void shouldNotWaitForMainThatHasReturned() throws Exception {
        Path classes = Samples.copyOf(MainFirst.class, folder);
        ProgramUnderTest program = new ProgramUnderTest(MainFirst.class.getName(), classes);
        program.run(1, state -> {});

        await().until(() -> program.output().equals("38"));

        assertThat(Probe.lastObstacle).isEqualTo("main has returned, and thread \"goes-on\" goes on: join it in main");
    }
}
