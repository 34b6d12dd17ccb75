package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EpochCoordinatorTest {
    private static final long MILLISECOND = 1_000_000L;

    private final AtomicLong now = new AtomicLong();
    private final List<Integer> requested = new ArrayList<>();
    private final SnapshotClock clock = new SnapshotClock(CheckpointInterval.parse("1s"), now::get, 0);
    private final EpochCoordinator coordinator = new EpochCoordinator(
            epoch -> {
                requested.add(epoch);
                return true;
            },
            clock,
            now::get,
            3);

    @Test
    void shouldBeginAnEpochOnlyWhenTheOneBeforeIsCommitted() {
        assertThat(coordinator.beginIfDue()).isEqualTo(-1);
        now.addAndGet(1000 * MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(3);
        now.addAndGet(5000 * MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(-1);
        coordinator.committed(3);
        assertThat(coordinator.beginIfDue()).isEqualTo(4);
        assertThat(requested).containsExactly(3, 4);
    }

    @Test
    void shouldTryAgainAfterEverLongerPausesWhenEpochsAreAbandoned() {
        now.addAndGet(1000 * MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(3);
        coordinator.abandoned(3);
        assertThat(coordinator.beginIfDue()).isEqualTo(-1);
        now.addAndGet(250 * MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(4);
        coordinator.abandoned(4);
        now.addAndGet(499 * MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(-1);
        now.addAndGet(MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(5);
    }

    @Test
    void shouldBeginNoEpochWhilePausedAndGoOnWithALaterNumber() throws InterruptedException {
        assertThat(coordinator.pause(0)).isTrue();
        now.addAndGet(1000 * MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(-1);
        coordinator.goOn();
        coordinator.beginWith(8);
        assertThat(coordinator.beginIfDue()).isEqualTo(8);
    }

    @Test
    void shouldNotPauseWhileAnEpochIsUnderWay() throws InterruptedException {
        now.addAndGet(1000 * MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(3);
        assertThat(coordinator.pause(-1)).isFalse();
        coordinator.committed(3);
        now.addAndGet(1000 * MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(4);
    }

    @Test
    void shouldNotCountAnAbandonmentTwice() {
        now.addAndGet(1000 * MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(3);
        coordinator.abandoned(3);
        coordinator.abandoned(3);
        now.addAndGet(250 * MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(4);
        coordinator.abandoned(3);
        assertThat(coordinator.beginIfDue()).as("4 is under way").isEqualTo(-1);
        coordinator.committed(4);
        now.addAndGet(1000 * MILLISECOND);
        assertThat(coordinator.beginIfDue()).isEqualTo(5);
    }
}
