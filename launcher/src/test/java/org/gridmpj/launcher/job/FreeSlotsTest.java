package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.gridmpj.launcher.job.FreeSlots.Slots;
import org.junit.jupiter.api.Test;

class FreeSlotsTest {
    /** As of a job with {@code --hosts a:2,b:2,c:2,d:2}, whose agents offer four slots each. */
    private static FreeSlots slots(int... used) {
        SequencedMap<String, Slots> hosts = new LinkedHashMap<>();
        for (int i = 0; i < used.length; i++) {
            hosts.put(String.valueOf((char) ('a' + i)), new Slots(2 - used[i], 4, used[i]));
        }
        return new FreeSlots(hosts);
    }

    @Test
    void shouldChooseTheHostWithTheMostRoomThatTheUserWishedFor() throws IOException {
        assertThat(slots(2, 2, 1, 0).roomiest("a")).isEqualTo("d");
        assertThat(slots(2, 1, 1, 2).roomiest("a")).isEqualTo("b");
        assertThat(slots(0, 2, 2, 2).roomiest("a")).isEqualTo("b");
    }

    @Test
    void shouldUseMoreThanWasWishedForBeforeItRefuses() throws IOException {
        assertThat(slots(2, 4, 3, 4).roomiest("a")).isEqualTo("c");
        assertThatThrownBy(() -> slots(2, 4, 4, 5).roomiest("a"))
                .hasMessage("no other host has a free slot"
                        + " (b: 4 of 4 slots used, c: 4 of 4 slots used, d: 5 of 4 slots used)");
        assertThatThrownBy(() -> slots(1).roomiest("a")).hasMessage("no other host has a free slot");
    }

    @Test
    void shouldCountTheSlotsOfTheOthersOnly() {
        assertThat(slots(1, 4, 3, 5).beside("a")).isEqualTo(1);
        assertThat(slots(1).beside("a")).isZero();
    }

    @Test
    void shouldRefuseAFullHost() {
        assertThatThrownBy(() -> slots(1, 4).require("b")).hasMessageContaining("(4 of 4 slots used)");
        assertThatCode(() -> slots(1, 3).require("b")).doesNotThrowAnyException();
    }
}
