package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.gridmpj.job.control.ControlMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotClockTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong(-5 * SECOND);

    private SnapshotClock clock(String interval, int failures) {
        return new SnapshotClock(CheckpointInterval.parse(interval), now::get, failures);
    }

    @ParameterizedTest
    @CsvSource({"500ms,500000000", "1s,1000000000", "2,2000000000", "1.5m,90000000000", "2h,7200000000000"})
    void shouldReadDurations(String text, long nanos) {
        assertThat(CheckpointInterval.parse(text)).isEqualTo(new CheckpointInterval.Every(nanos));
    }

    @Test
    void shouldReadWords() {
        assertThat(CheckpointInterval.parse("")).isEqualTo(new CheckpointInterval.Off());
        assertThat(CheckpointInterval.parse("off")).isEqualTo(new CheckpointInterval.Off());
        assertThat(CheckpointInterval.parse("auto")).isEqualTo(new CheckpointInterval.Auto());
    }

    @ParameterizedTest
    @ValueSource(strings = {"often", "-1s", "1d", "s", "1 s 2"})
    void shouldSayWhatToWriteWhenItIsNoInterval(String text) {
        assertThatThrownBy(() -> CheckpointInterval.parse(text)).hasMessageContaining("500ms");
    }

    @Test
    void shouldBeDueWhenTheIntervalIsOver() {
        SnapshotClock clock = clock("1s", 0);
        assertThat(clock.isDue()).isFalse();
        now.addAndGet(SECOND);
        assertThat(clock.isDue()).isTrue();
        clock.taken();
        assertThat(clock.isDue()).isFalse();
    }

    @Test
    void shouldBeDueAtOnceWhenRequested() {
        SnapshotClock clock = clock("off", 0);
        now.addAndGet(1_000_000 * SECOND);
        assertThat(clock.isDue()).isFalse();
        clock.request();
        assertThat(clock.isDue()).isTrue();
        clock.taken();
        assertThat(clock.isDue()).isFalse();
    }

    @Test
    void shouldFollowYoungsFormulaWhenAutomatic() {
        SnapshotClock clock = clock("auto", 0);
        assertThat(clock.intervalNanos()).isEqualTo(SnapshotClock.FIRST_AUTO_NANOS);
        clock.measured(20_000_000, 50_000_000);
        double young = Math.sqrt(2 * 0.02 * 6 * 3600);
        assertThat(clock.intervalNanos() / 1e9).isBetween(young * 0.999, young * 1.001);
        assertThat(clock.waste()).isBetween(0.0013, 0.0014);
        assertThat(clock.pace().words()).isEqualTo("a snapshot every 29.4 s, expected waste 0.14 %");
    }

    @Test
    void shouldComeMoreOftenWhenTheJobHasFailedOften() {
        SnapshotClock calm = clock("auto", 0);
        SnapshotClock stormy = clock("auto", 8);
        calm.measured(20_000_000, 0);
        stormy.measured(20_000_000, 0);
        assertThat((double) calm.intervalNanos() / stormy.intervalNanos()).isBetween(2.99, 3.01);
    }

    @Test
    void shouldGoByTheLifeOfTheJobRatherThanOfThisProcess() {
        SnapshotClock clock = clock("auto", 0);
        clock.measured(20_000_000, 0);
        clock.lived(new ControlMessage.Lived(12 * 3600 * SECOND, 1));
        double young = Math.sqrt(2 * 0.02 * (6 + 12) * 3600 / 2);
        assertThat(clock.intervalNanos() / 1e9).isBetween(young * 0.999, young * 1.001);
        now.addAndGet(18 * 3600 * SECOND);
        assertThat(clock.intervalNanos() / 1e9).isBetween(young * 1.413, young * 1.415);
    }

    @Test
    void shouldNotMakeTheDiskTheBrakeWhenAutomatic() {
        SnapshotClock clock = clock("auto", 0);
        clock.measured(1_000_000, 60 * SECOND);
        assertThat(clock.intervalNanos()).isEqualTo(600 * SECOND);
    }
}
