package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LoneReturnsTest {
    private static final int SIZE = 8;

    @Test
    void shouldLetTheRanksOfAHostGoBackWhileEachHasAHolderElsewhere() {
        assertThat(LoneReturns.forgotten(Set.of(3), SIZE)).isNull();
        for (int rank = 0; rank < SIZE; rank++) {
            assertThat(LoneReturns.forgotten(Set.of(rank, (rank + 1) % SIZE), SIZE))
                    .as("ranks %d and the next", rank)
                    .isNull();
        }
        // hosts that are filled in turns
        assertThat(LoneReturns.forgotten(Set.of(0, 2, 4, 6), SIZE)).isNull();
    }

    @Test
    void shouldNotLetARankGoBackWithAllWhoHoldWhatItGot() {
        assertThat(LoneReturns.forgotten(Set.of(7, 0, 1), SIZE))
                .isEqualTo("rank 7 and all who held what it got, ranks 0, 1, have died before it had caught up");
        // the last two died while the first was on its way
        assertThat(LoneReturns.forgotten(Set.of(2, 3, 4, 6), SIZE)).startsWith("rank 2 and all who held");
    }

    @Test
    void shouldCountTheOneHolderOfARankOfTwo() {
        assertThat(LoneReturns.forgotten(Set.of(1), 2)).isNull();
        assertThat(LoneReturns.forgotten(new TreeSet<>(Set.of(0, 1)), 2))
                .startsWith("rank 0 and all who held what it got, rank 1,");
    }
}
