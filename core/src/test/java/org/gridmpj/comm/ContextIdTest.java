package org.gridmpj.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashSet;
import java.util.Set;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;

class ContextIdTest {
    private static final long WORLD_POINT_TO_POINT = 0xBE8C_CF44_562B_3066L;
    private static final long SPLIT_COLLECTIVE = 0x742B_79EF_AC0B_5458L;

    @Test
    void shouldDifferForEveryCreation() {
        Set<Long> seen = new HashSet<>();
        ContextId world = ContextId.world();
        int made = 0;
        for (ContextId.Kind kind : ContextId.Kind.values()) {
            for (int ordinal = 1; ordinal <= 100; ordinal++) {
                for (int color = 0; color < 20; color++) {
                    ContextId child = world.derive(ordinal, kind, color);
                    seen.add(child.pointToPoint());
                    seen.add(child.collective());
                    seen.add(child.derive(1, ContextId.Kind.DUP, 0).pointToPoint());
                    made += 3;
                }
            }
        }
        assertThat(seen).hasSize(made);
    }

    @Test
    void shouldNeverChangeSinceSnapshotsHoldThem() {
        assertThat(ContextId.world().pointToPoint()).isEqualTo(WORLD_POINT_TO_POINT);
        assertThat(ContextId.world().derive(3, ContextId.Kind.SPLIT, 7).collective())
                .isEqualTo(SPLIT_COLLECTIVE);
    }

    @Test
    void shouldReportAnIdWhenItIsTakenTwice() {
        LiveContexts contexts = new LiveContexts();
        contexts.claim(5, "A");
        assertThatExceptionOfType(MpiFailure.class)
                .isThrownBy(() -> contexts.claim(5, "B"))
                .withMessageContaining("A and B")
                .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.INTERN));
        contexts.release(5);
        contexts.claim(5, "B");
    }
}
