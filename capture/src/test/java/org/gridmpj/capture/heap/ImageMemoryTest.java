package org.gridmpj.capture.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageMemoryTest {
    private static final int ELEMENTS = 5 << 20;

    /** More pieces than are needed, fewer, and none: images are the same, also when those that were given back are used again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2, 9})
    void shouldHoldWhatWasPutWhenPiecesWereProvided(int provided) throws Exception {
        try (ImageMemory memory = new ImageMemory()) {
            for (int i = 0; i < provided; i++) {
                assertThat(memory.provide()).isTrue();
            }
            for (int image = 0; image < 3; image++) {
                // the first needs three pieces, the last eleven
                long[][] rows = rows(image, 1 + 2 * image * image);
                memory.reset();
                new GraphWriter(new TokenRegistry(), memory).write(rows);
                assertThat(read(memory)).isDeepEqualTo(rows);
            }
        }
    }

    @Test
    void shouldProvideNothingWhenAnImageHasBegun() {
        try (ImageMemory memory = new ImageMemory()) {
            assertThat(memory.provide()).isTrue();
            memory.reset();
            assertThat(memory.provide()).isFalse();
        }
    }

    private static long[][] rows(int seed, int rows) {
        Random random = new Random(seed);
        long[][] array = new long[rows][ELEMENTS / 2];
        for (long[] row : array) {
            for (int i = 0; i < row.length; i += 1000) {
                row[i] = random.nextLong();
            }
        }
        return array;
    }

    private static long[][] read(ImageMemory memory) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        memory.writeTo(buffer -> {
            byte[] part = new byte[buffer.remaining()];
            buffer.get(part);
            bytes.write(part);
        });
        return (long[][]) new GraphReader(new TokenRegistry(), ImageMemoryTest.class.getClassLoader())
                .read(new ByteArrayInputStream(bytes.toByteArray()));
    }
}
