package org.gridmpj.launcher.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.gridmpj.launcher.coordination.Coordination.Committed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every holder of a job's agreed state must keep. */
@Timeout(120)
abstract class CoordinationContract {
    /** The state of one job; each call of one test gives another holder of the same state. */
    abstract Coordination open();

    @Test
    void shouldBeginWithNothing() {
        try (Coordination coordination = open()) {
            assertThat(coordination.generation()).isZero();
            assertThat(coordination.incarnation(3)).isZero();
            assertThat(coordination.committed()).isEqualTo(Committed.NONE);
            assertThat(coordination.state()).isEqualTo("starting");
            assertThat(coordination.members()).isEmpty();
        }
    }

    @Test
    void shouldRaiseOnlyWhatIsStillAsExpected() {
        try (Coordination coordination = open()) {
            assertThat(coordination.raiseGeneration(0)).isTrue();
            assertThat(coordination.raiseGeneration(0)).isFalse();
            assertThat(coordination.generation()).isEqualTo(1);
            assertThat(coordination.raiseIncarnation(2, 0)).isTrue();
            assertThat(coordination.raiseIncarnation(2, 0)).isFalse();
            assertThat(coordination.raiseIncarnation(2, 1)).isTrue();
            assertThat(coordination.incarnation(2)).isEqualTo(2);
            assertThat(coordination.incarnation(1)).isZero();
        }
    }

    @Test
    void shouldLetOneOfManyWin() throws Exception {
        try (Coordination coordination = open();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            Callable<Boolean> attempt = () -> coordination.raiseGeneration(0);
            int winners = 0;
            for (Future<Boolean> each : threads.invokeAll(List.of(attempt, attempt, attempt, attempt))) {
                winners += each.get() ? 1 : 0;
            }
            assertThat(winners).isEqualTo(1);
            assertThat(coordination.generation()).isEqualTo(1);
        }
    }

    @Test
    void shouldNeverGoBackToAnEarlierEpoch() {
        try (Coordination coordination = open()) {
            assertThat(coordination.commit(new Committed(0, 7))).isTrue();
            assertThat(coordination.commit(new Committed(0, 7))).isFalse();
            assertThat(coordination.commit(new Committed(0, 6))).isFalse();
            assertThat(coordination.commit(new Committed(1, 3))).isTrue();
            assertThat(coordination.commit(new Committed(0, 9))).isFalse();
            assertThat(coordination.committed()).isEqualTo(new Committed(1, 3));
        }
    }

    @Test
    void shouldKeepAllButTheMembersWhenItsHolderIsGone() {
        try (Coordination first = open()) {
            assertThat(first.raiseGeneration(0)).isTrue();
            assertThat(first.raiseIncarnation(1, 0)).isTrue();
            assertThat(first.commit(new Committed(1, 4))).isTrue();
            first.state("running");
            first.join(0, "here:1");
        }
        try (Coordination second = open()) {
            assertThat(second.generation()).isEqualTo(1);
            assertThat(second.incarnation(1)).isEqualTo(1);
            assertThat(second.committed()).isEqualTo(new Committed(1, 4));
            assertThat(second.state()).isEqualTo("running");
            assertThat(second.members()).isEmpty();
        }
    }

    @Test
    void shouldKnowWhoIsThere() {
        try (Coordination coordination = open()) {
            coordination.join(1, "a:1");
            coordination.join(0, "b:2");
            coordination.join(1, "c:3");
            assertThat(coordination.members()).containsExactly(Map.entry(0, "b:2"), Map.entry(1, "c:3"));
            coordination.leave(0);
            coordination.leave(0);
            assertThat(coordination.members()).containsOnlyKeys(1);
        }
    }
}
