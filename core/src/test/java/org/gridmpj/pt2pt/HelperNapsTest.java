package org.gridmpj.pt2pt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HelperNapsTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long TICK = 8 * MILLISECOND;
    private static final long START = -77;

    private final HelperNaps naps = new HelperNaps(TICK, START);

    @Test
    void shouldSleepForATickWithoutALongMessage() {
        assertThat(naps.next(START + TICK, true, false, false, false)).isEqualTo(TICK);
        assertThat(naps.next(START + 2 * TICK, true, false, true, false)).isEqualTo(TICK);
        assertThat(naps.next(START + 3 * TICK, false, false, false, false)).isEqualTo(TICK);
    }

    @Test
    void shouldLookSoonAfterTheProgramHasGoneToCompute() {
        assertThat(naps.next(START, false, false, true, true)).isEqualTo(HelperNaps.SHORTEST_NANOS);
        assertThat(naps.next(START + MILLISECOND, true, false, false, true)).isEqualTo(HelperNaps.SHORTEST_NANOS);
    }

    @Test
    void shouldLookMoreSeldomTheLongerATransferTakes() {
        assertThat(naps.next(START, false, false, true, true)).isEqualTo(HelperNaps.SHORTEST_NANOS);
        assertThat(naps.next(START + 16 * MILLISECOND, true, false, true, true)).isEqualTo(MILLISECOND);
        assertThat(naps.next(START + 200 * MILLISECOND, true, false, true, true))
                .isEqualTo(HelperNaps.LONGEST_WHILE_IT_MOVES_NANOS);
    }

    @Test
    void shouldLookMoreSeldomTheLongerNothingHasMoved() {
        assertThat(naps.next(START, false, false, true, true)).isEqualTo(HelperNaps.SHORTEST_NANOS);
        assertThat(naps.next(START + 24 * MILLISECOND, true, false, false, true))
                .isEqualTo(3 * MILLISECOND);
        assertThat(naps.next(START + 1_000 * MILLISECOND, true, false, false, true))
                .isEqualTo(TICK);
        assertThat(naps.next(START + 1_001 * MILLISECOND, true, false, true, true))
                .isEqualTo(HelperNaps.LONGEST_WHILE_IT_MOVES_NANOS);
        assertThat(naps.next(START + 1_002 * MILLISECOND, false, false, false, true))
                .isEqualTo(HelperNaps.SHORTEST_NANOS);
    }

    @Test
    void shouldBeWatchfulForAWhileWhereProgramsHaveLongMessages() {
        assertThat(naps.next(START, false, false, false, true)).isEqualTo(HelperNaps.SHORTEST_NANOS);
        long last = START + HelperNaps.WATCHFUL_FOR_NANOS - 1;
        assertThat(naps.next(last, false, false, false, false)).isEqualTo(HelperNaps.SHORTEST_NANOS);
        assertThat(naps.next(last + 1, false, false, false, false)).isEqualTo(TICK);
    }

    @Test
    void shouldNeverSleepForLongerThanATick() {
        HelperNaps often = new HelperNaps(HelperNaps.SHORTEST_NANOS / 2, START);

        assertThat(often.next(START + 1, false, false, false, true)).isEqualTo(HelperNaps.SHORTEST_NANOS / 2);
    }

    @Test
    void shouldSleepForLongerWhileTheProgramMakesOneCallAfterTheOther() {
        assertThat(naps.next(START + TICK, false, true, false, false)).isEqualTo(2 * TICK);
        assertThat(naps.next(START + 3 * TICK, false, true, false, false)).isEqualTo(4 * TICK);
        assertThat(naps.next(START + 7 * TICK, false, true, false, false)).isEqualTo(4 * TICK);
        assertThat(naps.next(START + 11 * TICK, false, false, false, false)).isEqualTo(TICK);
        assertThat(naps.next(START + 12 * TICK, false, true, false, false)).isEqualTo(2 * TICK);
    }

    @Test
    void shouldLookOftenAtALongMessageAlsoWhileTheProgramMakesOneCallAfterTheOther() {
        assertThat(naps.next(START, false, true, false, false)).isEqualTo(2 * TICK);
        assertThat(naps.next(START + 2 * TICK, false, true, false, true)).isEqualTo(HelperNaps.SHORTEST_NANOS);
    }
}
