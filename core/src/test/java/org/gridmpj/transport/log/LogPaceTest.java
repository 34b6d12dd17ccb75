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
    private final LogPace pace = LogPace.ofBytes(LIMIT, () -> nowNanos);
    /** 30 ms in a second. */
    private final LogPace inTime = LogPace.ofTime(3, () -> nowNanos);

    private int epoch;

    private void send(long bytes) {
        pace.copied(bytes, pace.begin(bytes));
    }

    private boolean beginsAtNextCut() {
        epoch++;
        return pace.beginsAt(epoch, told::add);
    }

    private void fallsBehind() {
        send(LIMIT);
        assertThat(pace.isTooFast()).isTrue();
        pace.pause(epoch);
    }

    @Test
    void shouldBeTooFastWhenMoreThanTheLimitComesWithinASecond() {
        assertThat(beginsAtNextCut()).isTrue();
        send(LIMIT / 2);
        nowNanos += SECOND - 1;
        send(LIMIT / 2 - 1);
        assertThat(pace.isTooFast()).isFalse();
        send(1);

        assertThat(pace.isTooFast()).isTrue();
    }

    @Test
    void shouldNotBeTooFastWhenTheSameComesInMoreThanASecond() {
        assertThat(beginsAtNextCut()).isTrue();
        for (int i = 0; i < 100; i++) {
            nowNanos += SECOND / 2;
            send(LIMIT / 2);
        }

        assertThat(pace.isTooFast()).isFalse();
    }

    @Test
    void shouldNotCountWhatCameLongBeforeABurst() {
        assertThat(beginsAtNextCut()).isTrue();
        send(LIMIT - 1);
        nowNanos += 20 * SECOND;
        send(LIMIT - 1);

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
        send(LIMIT);
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
        unlimited.copied(Long.MAX_VALUE / 2, unlimited.begin(Long.MAX_VALUE / 2));

        assertThat(unlimited.isTooFast()).isFalse();
        assertThat(unlimited.beginsAt(1, told::add)).isTrue();
    }

    private void copyInTime(long bytes, long nanos) {
        long began = inTime.begin(bytes);
        nowNanos += nanos;
        inTime.copied(bytes, began);
    }

    private void hashInTime(long bytes, long nanos) {
        long began = inTime.begin(bytes);
        nowNanos += nanos;
        inTime.hashed(bytes, began);
    }

    @Test
    void shouldBeTooFastWhenCopiesAndHashesTakeMoreOfASecondThanTheyMay() {
        assertThat(inTime.beginsAt(1, told::add)).isTrue();
        for (int i = 0; i < 29; i++) {
            copyInTime(1 << 20, 600_000);
            hashInTime(1 << 20, 400_000);
            nowNanos += 30_000_000;
        }
        assertThat(inTime.isTooFast()).as("29 ms in 0.9 s").isFalse();
        copyInTime(1 << 20, 1_000_000);

        assertThat(inTime.isTooFast()).as("30 ms in 0.9 s").isTrue();
    }

    @Test
    void shouldNotBeTooFastWhenItTakesTheSameInMoreThanASecond() {
        assertThat(inTime.beginsAt(1, told::add)).isTrue();
        for (int i = 0; i < 100; i++) {
            copyInTime(1 << 20, 1_000_000);
            nowNanos += 35_000_000;
        }

        assertThat(inTime.isTooFast()).as("30 ms in 1.05 s").isFalse();
    }

    @Test
    void shouldNotCountForMoreThanAMillisecondWhatWasInterruptedInAMegabyte() {
        assertThat(inTime.beginsAt(1, told::add)).isTrue();
        for (int i = 0; i < 29; i++) {
            copyInTime(1_000_000, 20_000_000);
        }
        assertThat(inTime.isTooFast()).isFalse();
        copyInTime(1_000_000, 20_000_000);

        assertThat(inTime.isTooFast()).isTrue();
    }

    @Test
    void shouldCountShortOnesByTheirLength() {
        assertThat(inTime.beginsAt(1, told::add)).isTrue();
        for (int i = 0; i < 299_999; i++) {
            copyInTime(1_000, 3_000);
        }
        assertThat(inTime.isTooFast()).isFalse();
        copyInTime(1_000, 3_000);

        assertThat(inTime.isTooFast()).as("300 MB in 0.9 s").isTrue();
    }

    @Test
    void shouldNotCountHashesWhereBytesAreLimited() {
        assertThat(beginsAtNextCut()).isTrue();
        pace.hashed(10 * LIMIT, pace.begin(10 * LIMIT));

        assertThat(pace.isTooFast()).isFalse();
    }

    @Test
    void shouldSayWhatIsTooMuch() {
        assertThat(LogPace.ofBytes(2_000_000, () -> 0).describe()).isEqualTo("more than 2 MB in a second");
        assertThat(inTime.describe()).isEqualTo("which takes more than 3 % of its time");
    }
}
