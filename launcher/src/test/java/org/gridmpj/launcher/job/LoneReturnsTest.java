package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.gridmpj.transport.log.HolderAssignment;
import org.junit.jupiter.api.Test;

class LoneReturnsTest {
    /** Three hosts of three ranks, filled in order: the holders of each rank are at the two others. */
    private static final HolderAssignment THREE_HOSTS =
            new HolderAssignment(List.of("a", "a", "a", "b", "b", "b", "c", "c", "c"));

    private static final int SIZE = THREE_HOSTS.size();

    @Test
    void shouldLetTheRanksOfAHostGoBackAlone() {
        for (int first = 0; first < SIZE; first += 3) {
            assertThat(LoneReturns.forgotten(Set.of(first, first + 1, first + 2), THREE_HOSTS))
                    .as("the host of rank %d", first)
                    .isNull();
        }
        // two of the three are lost, the second while the ranks of the first are on their way
        assertThat(LoneReturns.forgotten(Set.of(0, 1, 2, 3, 4, 5), THREE_HOSTS)).isNull();
    }

    @Test
    void shouldLetAnyTwoRanksGoBackAlone() {
        for (int one = 0; one < SIZE; one++) {
            for (int other = one + 1; other < SIZE; other++) {
                assertThat(LoneReturns.forgotten(Set.of(one, other), THREE_HOSTS))
                        .as("ranks %d and %d", one, other)
                        .isNull();
            }
        }
    }

    @Test
    void shouldNotLetARankGoBackWithAllWhoHoldWhatItGot() {
        assertThat(LoneReturns.forgotten(new TreeSet<>(Set.of(8, 2, 5)), THREE_HOSTS))
                .isEqualTo("rank 2 and all who held what it got, ranks 5, 8, have died before it had caught up");
        assertThat(LoneReturns.forgotten(new TreeSet<>(Set.of(0, 3, 4, 6)), THREE_HOSTS))
                .startsWith("rank 0 and all who held what it got, ranks 3, 6,");
    }

    @Test
    void shouldCountTheOneHolderOfARankOfTwo() {
        HolderAssignment two = new HolderAssignment(List.of("", ""));
        assertThat(LoneReturns.forgotten(Set.of(1), two)).isNull();
        assertThat(LoneReturns.forgotten(new TreeSet<>(Set.of(0, 1)), two))
                .startsWith("rank 0 and all who held what it got, rank 1,");
    }
}
