package org.gridmpj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandWaitTest {
    private static final long SECOND = 1_000_000_000;

    private final List<String> said = new ArrayList<>();
    private long now = 77;
    private final HandWait waiting = new HandWait(Duration.ofMinutes(2), () -> now, said::add);

    @Test
    void shouldSayNothingAtFirstAndThenEverMoreSeldom() {
        for (int second = 0; second < 30; second++) {
            waiting.say("at " + second);
            now += SECOND;
        }
        assertThat(said)
                .containsExactly(
                        "at 3 (for 117 s more)",
                        "at 6 (for 114 s more)",
                        "at 12 (for 108 s more)",
                        "at 24 (for 96 s more)");
    }

    @Test
    void shouldPauseUntilThereIsSomethingToSayOrUntilTheEnd() {
        assertThat(waiting.pauseMillis()).isEqualTo(3000);
        now += 119 * SECOND;
        for (int i = 0; i < 6; i++) {
            waiting.say("x");
        }
        assertThat(waiting.pauseMillis()).isEqualTo(1000);
        now += 2 * SECOND;
        assertThat(waiting.pauseMillis()).isEqualTo(1);
        assertThat(waiting.leftNanos()).isNegative();
    }
}
