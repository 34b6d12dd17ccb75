package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import mpj.Probe;
import org.gridmpj.capture.samples.Awkward;
import org.gridmpj.capture.samples.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StackInspectionTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "forEach     | Awkward.main (Awkward.java:        | for loop of your own",
                "stream      | Awkward.main (Awkward.java:        | for loop of your own",
                "reflection  | Awkward.main (Awkward.java:        | call the method directly",
                "initialiser | Awkward$Initialised.<clinit> (Awk  | make the MPI call from main",
                "reference   | Awkward.main (Awkward.java:        | write it as a lambda",
                "type        | Awkward.handedOn (Awkward.java:    | make the class public",
                "parameter   | Awkward$1Keeper.<init> (Awkward  | make the class public",
                "superclass  | Counted.<clinit> (Counted.java:    | make the MPI call from main",
                "virtual     | virtual thread \"light\" is in the | make it a platform thread",
                "light       | virtual thread \"light\" has just  | make it a platform thread",
                "timer       | thread \"alarm\" is that of a timer | cancel it before the MPI call",
                "scheduled   | thread \"delayed\" is of a pool with | shut it down before the MPI call",
                "busy        | thread \"busy\" of a pool is at a task | wait for its result",
                "common      | fork-join pool is at work or has   | wait for their results (join)",
                "timeout     | has tasks with a delay             | wait for them before the MPI call",
                "thread      | thread \"helper\" is in the program | does not come to an MPI call",
            })
    void shouldNameTheFrameAndTheRemedyAndCaptureAtALaterCall(String what, String where, String remedy)
            throws Exception {
        Path classes = Samples.copyOf(Awkward.class, folder);
        String plain = new ProgramUnderTest(Awkward.class.getName(), classes, what).run(0, state -> {});
        int calls = Probe.calls;
        List<Object> states = new ArrayList<>();
        String captured = new ProgramUnderTest(Awkward.class.getName(), classes, what).run(1, states::add);
        assertThat(Probe.lastObstacle).contains(where).contains(remedy);
        assertThat(states).hasSize(1);
        assertThat(captured).isEqualTo(plain);
        assertThat(Probe.calls).isEqualTo(calls);
    }

    @ParameterizedTest
    @ValueSource(strings = {"idle timer", "idle pool", "idle common"})
    void shouldNotMindIdleTimersAndPools(String what) throws Exception {
        Path classes = Samples.copyOf(Awkward.class, folder);
        List<Object> states = new ArrayList<>();
        String captured = new ProgramUnderTest(Awkward.class.getName(), classes, what).run(1, states::add);
        assertThat(Probe.lastObstacle).isNull();
        assertThat(states).hasSize(1);
        assertThat(captured).isEqualTo("193 100");
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "timer", "scheduled", "busy", "timeout", "thread", "idle timer", "idle pool"})
    void shouldSeeTheSameWhileAnotherThreadPractises(String what) throws Exception {
        Path classes = Samples.copyOf(Awkward.class, folder);
        String plain = new ProgramUnderTest(Awkward.class.getName(), classes, what).run(0, state -> {});
        List<Object> states = new ArrayList<>();
        ProgramUnderTest program = new ProgramUnderTest(Awkward.class.getName(), classes, what);
        AtomicBoolean over = new AtomicBoolean();
        // not a CompletableFuture: to wait for it in a pool, as this test may, makes the pool start another thread
        FutureTask<Integer> practice = new FutureTask<>(() -> {
            int rounds = 0;
            while (!over.get() || rounds == 0) {
                program.capture().practise();
                rounds++;
            }
            return rounds;
        });
        Thread.ofPlatform().start(practice);
        try {
            assertThat(program.run(1, states::add)).isEqualTo(plain);
        } finally {
            over.set(true);
        }
        assertThat(states).as(Probe.lastObstacle).hasSize(1);
        assertThat(practice.get()).isPositive();
    }

    @Test
    void shouldNotMindVirtualThreadsOfOthersThatWaitForATime() throws Exception {
        Path classes = Samples.copyOf(Awkward.class, folder);
        Thread other = Thread.ofVirtual().start(() -> LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1)));
        try {
            while (other.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            List<Object> states = new ArrayList<>();
            new ProgramUnderTest(Awkward.class.getName(), classes, "idle common").run(1, states::add);
            assertThat(Probe.lastObstacle).isNull();
            assertThat(states).hasSize(1);
        } finally {
            LockSupport.unpark(other);
            other.join();
        }
    }
}
