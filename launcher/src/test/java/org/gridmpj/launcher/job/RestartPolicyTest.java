package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestartPolicyTest {
    private final RestartPolicy policy = new RestartPolicy();

    @Test
    void shouldGiveUpAfterThreeFruitlessLivesInARow() {
        assertThat(policy.again(0, 0)).isTrue();
        assertThat(policy.again(0, 0)).isTrue();
        assertThat(policy.again(0, 0)).isFalse();
    }

    @Test
    void shouldGoOnWhileEpochsAreCommitted() {
        for (int epochs = 1; epochs < 20; epochs++) {
            assertThat(policy.again(100, epochs)).isTrue();
        }
    }

    @Test
    void shouldGoOnWhileALifeGetsFurtherThanAnyBefore() {
        assertThat(policy.again(10, 0)).isTrue();
        assertThat(policy.again(10, 0)).isTrue();
        assertThat(policy.again(9, 0)).isTrue();
        assertThat(policy.again(11, 0)).isTrue();
        assertThat(policy.again(11, 0)).isTrue();
        assertThat(policy.again(11, 0)).isTrue();
        assertThat(policy.again(11, 0)).isFalse();
    }
}
