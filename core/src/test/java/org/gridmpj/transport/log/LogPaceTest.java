package org.gridmpj.transport.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogPaceTest {
    private static final long SECOND = 1_000_000_000;
    private static final int LIMIT = 1_000;

    private long nowNanos = 77 * SECOND;
    private final List<Integer> told = new ArrayList<>();
    private final LogPace pace = new LogPace(LIMIT, () -> nowNanos);
    private int epoch;

    private boolean beginsAtNextCut() {
        epoch++;
        return pace.beginsAt(epoch, told::add);
    }

    private void fallsBehind() {
        pace.logged(LIMIT);
        assertThat(pace.isTooFast()).isTrue();
        pace.pause(epoch);
    }

    @Test
    void shouldBeTooFastWhenMoreThanTheLimitComesWithinASecond() {
        assertThat(beginsAtNextCut()).isTrue();
        pace.logged(LIMIT / 2);
        nowNanos += SECOND - 1;
        pace.logged(LIMIT / 2 - 1);
        assertThat(pace.isTooFast()).isFalse();
        pace.logged(1);

        assertThat(pace.isTooFast()).isTrue();
    }

    @Test
    void shouldNotBeTooFastWhenTheSameComesInMoreThanASecond() {
        assertThat(beginsAtNextCut()).isTrue();
        for (int i = 0; i < 100; i++) {
            nowNanos += SECOND / 2;
            pace.logged(LIMIT / 2);
        }

        assertThat(pace.isTooFast()).isFalse();
    }

    @Test
    void shouldNotCountWhatCameLongBeforeABurst() {
        assertThat(beginsAtNextCut()).isTrue();
        pace.logged(LIMIT - 1);
        nowNanos += 20 * SECOND;
        pace.logged(LIMIT - 1);

        assertThat(pace.isTooFast()).isFalse();
    }

    @Test
    void shouldTellOfEachCutOnceWhileItPausesAndBeginAtTheFirstBehindThePause() {
        assertThat(beginsAtNextCut()).isTrue();
        fallsBehind();
        nowNanos += 3 * SECOND;

        assertThat(beginsAtNextCut()).isFalse();
        assertThat(pace.beginsAt(epoch, told::add)).as("of another channel").isFalse();
        nowNanos += SECOND;
        assertThat(pace.beginsAt(epoch, told::add))
                .as("of yet another one, some time later")
                .isFalse();
        assertThat(beginsAtNextCut()).isTrue();
        assertThat(told).containsExactly(2);
    }

    @Test
    void shouldPauseTwiceAsLongEachTimeUpToALimitAndBrieflyAgainAfterACalm() {
        long[] pauses = {4, 8, 16, 32, 64, 64};
        for (long pauseSeconds : pauses) {
            assertThat(beginsAtNextCut()).isTrue();
            fallsBehind();
            nowNanos += pauseSeconds * SECOND - 1;
            assertThat(beginsAtNextCut()).as("before %d s", pauseSeconds).isFalse();
            nowNanos++;
        }
        assertThat(beginsAtNextCut()).isTrue();
        nowNanos += 11 * SECOND;
        pace.logged(LIMIT);
        fallsBehind();
        nowNanos += 4 * SECOND;

        assertThat(beginsAtNextCut()).isTrue();
    }

    @Test
    void shouldKnowToWhichEpochsNobodyGoesBackAlone() {
        assertThat(beginsAtNextCut()).isTrue();
        assertThat(pace.isGivenUp(1)).isFalse();
        fallsBehind();
        assertThat(pace.isGivenUp(1)).isTrue();
        assertThat(pace.isGivenUp(2))
                .as("a later one, which may be one to go back to")
                .isFalse();
        assertThat(beginsAtNextCut()).isFalse();
        assertThat(pace.isGivenUp(2)).isTrue();
        nowNanos += 4 * SECOND;
        assertThat(beginsAtNextCut()).isTrue();

        assertThat(pace.isGivenUp(2)).as("what comes is compared again").isFalse();
    }

    @Test
    void shouldNeverBeTooFastWithoutALimit() {
        LogPace unlimited = LogPace.unlimited();
        unlimited.logged(Long.MAX_VALUE / 2);

        assertThat(unlimited.isTooFast()).isFalse();
        assertThat(unlimited.beginsAt(1, told::add)).isTrue();
    }
}
