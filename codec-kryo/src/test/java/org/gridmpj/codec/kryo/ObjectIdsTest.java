package org.gridmpj.codec.kryo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectIdsTest {
    /** A new one, though it may equal others: what is above 127 is in no cache. */
    private static Object some(Random random, int kinds) {
        return switch (random.nextInt(kinds)) {
            case 0 -> Integer.valueOf(1000 + random.nextInt(3));
            case 1 -> Long.valueOf(1000 + random.nextInt(3));
            case 2 -> "equal ".concat(String.valueOf(random.nextInt(2)));
            case 3 -> "of many characters ".repeat(10 + random.nextInt(2));
            case 4 -> Double.valueOf(random.nextInt(3));
            default -> new Object();
        };
    }

    /** Among them more equal ones than are found by their values. */
    @Test
    void shouldTellObjectsApartByIdentityWhateverTheyEqual() {
        ObjectIds ids = new ObjectIds();
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int kinds = 1 + random.nextInt(6);
            IdentityHashMap<Object, Integer> expected = new IdentityHashMap<>();
            List<Object> objects = new ArrayList<>();
            for (int i = 0; i < (seed % 20 == 0 ? 20_000 : 300); i++) {
                boolean again = !objects.isEmpty() && random.nextInt(3) == 0;
                Object object = again ? objects.get(random.nextInt(objects.size())) : some(random, kinds);
                int id = objects.size();
                Integer before = expected.putIfAbsent(object, id);
                assertThat(ids.getOrPut(object, id)).as("seed %d", seed).isEqualTo(before == null ? -1 : before);
                if (before == null) {
                    objects.add(object);
                }
            }
            ids.clear();
        }
    }
}
