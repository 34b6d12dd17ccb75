package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static SequencedMap<String, Integer> slots(Object... hosts) {
        SequencedMap<String, Integer> slots = new LinkedHashMap<>();
        for (int i = 0; i < hosts.length; i += 2) {
            slots.put((String) hosts[i], (Integer) hosts[i + 1]);
        }
        return slots;
    }

    @Test
    void shouldFillTheHostsInTheirOrder() {
        Placement placement = Placement.of(5, null, slots("b", 2, "a", 4), Map.of());
        assertThat(placement.hosts()).containsExactly("b", "b", "a", "a", "a");
        assertThat(placement.ranksOf("b")).containsExactly(0, 1);
        assertThat(placement.isCrowded(slots("b", 2, "a", 4))).isFalse();
    }

    @Test
    void shouldMoveOnlyTheRanksOfALostHost() {
        Placement before = Placement.of(6, null, slots("a", 2, "b", 2, "c", 2), Map.of());
        Placement after = Placement.of(6, before, slots("a", 2, "c", 4), Map.of());
        assertThat(after.hosts()).containsExactly("a", "a", "c", "c", "c", "c");
    }

    @Test
    void shouldCrowdTheHostsEvenlyWhenSlotsAreShort() {
        Placement before = Placement.of(8, null, slots("a", 2, "b", 2, "c", 2, "d", 2), Map.of());
        SequencedMap<String, Integer> left = slots("a", 2, "c", 2);
        Placement after = Placement.of(8, before, left, Map.of());
        assertThat(after.ranksOf("a")).hasSize(4);
        assertThat(after.ranksOf("c")).hasSize(4).contains(4, 5);
        assertThat(after.isCrowded(left)).isTrue();
    }

    @Test
    void shouldFulfilAWishForAHostThatMayBeUsed() {
        Placement before = Placement.of(4, null, slots("a", 2, "b", 2), Map.of());
        assertThat(Placement.of(4, before, slots("a", 2, "b", 2), Map.of(3, "a"))
                        .hosts())
                .containsExactly("a", "a", "b", "a");
        assertThat(Placement.of(4, before, slots("a", 2, "b", 2), Map.of(3, "z"))
                        .hosts())
                .containsExactly("a", "a", "b", "b");
    }

    @Test
    void shouldRefuseToPlaceOnNothing() {
        assertThatThrownBy(() -> Placement.of(1, null, slots(), Map.of())).hasMessageContaining("no host");
    }

    @Test
    void shouldMoveOneRankOnly() {
        Placement before = Placement.of(4, null, slots("a", 2, "b", 2), Map.of());
        assertThat(before.with(1, "c").hosts()).containsExactly("a", "c", "b", "b");
        assertThat(before.hosts()).containsExactly("a", "a", "b", "b");
    }
}
