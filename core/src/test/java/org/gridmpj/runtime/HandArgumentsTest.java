package org.gridmpj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;

class HandArgumentsTest {
    @Test
    void shouldReadTheMastersLineOfTheReport() {
        assertThat(HandArguments.of(new String[] {"mnode0", "10000", "-np", "2", "1024"}))
                .isEqualTo(new HandArguments("mnode0", 10000, 2, 0, "mnode0", List.of("1024")));
    }

    @Test
    void shouldReadASlavesLineOfTheReport() {
        String[] args = {"mnode0", "10000", "-yourrank", "1", "-amslave", "-yourname", "mnode1", "-np", "2", "a"};
        assertThat(HandArguments.of(args)).isEqualTo(new HandArguments("mnode0", 10000, 2, 1, "mnode1", List.of("a")));
    }

    @Test
    void shouldLeaveOtherArgumentsAlone() {
        assertThat(HandArguments.of(new String[] {"input.txt", "10", "-v", "2"}))
                .isNull();
        assertThat(HandArguments.of(new String[] {})).isNull();
    }

    @Test
    void shouldRefuseASlaveOfRankZero() {
        assertThatThrownBy(() -> HandArguments.of(new String[] {"h", "1", "-np", "2", "-amslave"}))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("-yourrank");
    }
}
