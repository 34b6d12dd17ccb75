package org.gridmpj.pt2pt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MessageCountersTest {
    @Test
    void shouldCountEachContextFromOne() {
        long seed = 7;
        Random random = new Random(seed);
        long[] contexts = random.longs(200).toArray();
        contexts[0] = 0;
        MessageCounters counters = new MessageCounters();
        Map<Long, Long> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            long context = contexts[random.nextInt(contexts.length)];
            long id = expected.merge(context, 1L, Long::sum);
            assertThat(counters.next(context)).as("seed %d", seed).isEqualTo(id);
        }
        Map<Long, Long> seen = new HashMap<>();
        counters.forEach((context, nextId) -> seen.put(context, nextId - 1));
        assertThat(seen).isEqualTo(expected);
        assertThat(counters.size()).isEqualTo(expected.size());
    }

    @Test
    void shouldGoOnFromASnapshot() {
        MessageCounters counters = new MessageCounters();
        counters.set(5, 100);
        assertThat(counters.next(5)).isEqualTo(100);
        assertThat(counters.next(6)).isEqualTo(1);
    }
}
