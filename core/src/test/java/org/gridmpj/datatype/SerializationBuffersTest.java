package org.gridmpj.datatype;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The permanent buffers adapt to the messages. */
final class SerializationBuffersTest {
    private static final int LONG_MESSAGE = 1 << 20;

    private final int before = SerializationBuffers.sizeBytes();

    @BeforeEach
    void beginWithNone() {
        SerializationBuffers.setSizeBytes(before);
    }

    @AfterEach
    void restore() {
        SerializationBuffers.setSizeBytes(before);
    }

    private static int capacityAfter(int messageBytes) {
        SerializationBuffer buffer = SerializationBuffers.take();
        buffer.setLength(messageBytes);
        int capacity = buffer.capacityBytes();
        SerializationBuffers.giveBack(buffer);
        return capacity;
    }

    @Test
    void shouldKeepALargeBufferWhileItIsUsedNowAndThen() {
        assertThat(capacityAfter(LONG_MESSAGE)).isGreaterThanOrEqualTo(LONG_MESSAGE);
        for (int i = 1; i <= 1000; i++) {
            assertThat(capacityAfter(i % 100 == 0 ? LONG_MESSAGE : 100))
                    .as("message %d", i)
                    .isGreaterThanOrEqualTo(LONG_MESSAGE);
        }
    }

    @Test
    void shouldShrinkWhenAllMessagesHaveBeenShortForLong() {
        capacityAfter(LONG_MESSAGE);
        for (int i = 0; i < 300; i++) {
            capacityAfter(100);
        }
        assertThat(capacityAfter(100)).isEqualTo(before);
    }

    @Test
    void shouldNotShrinkBelowWhatTheProgramAskedFor() {
        SerializationBuffers.setSizeBytes(LONG_MESSAGE);
        for (int i = 0; i < 1000; i++) {
            assertThat(capacityAfter(100)).isEqualTo(LONG_MESSAGE);
        }
    }
}
