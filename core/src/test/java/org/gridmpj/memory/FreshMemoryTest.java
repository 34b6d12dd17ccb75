package org.gridmpj.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreshMemoryTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 4096, (2 << 20) - 1, 2 << 20, (8 << 20) + 5})
    void shouldBeZerosToWriteToWhateverItsLength(long bytes) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment first = FreshMemory.of(bytes, arena);
            MemorySegment second = FreshMemory.of(bytes, arena);
            assertThat(first.byteSize()).isEqualTo(bytes);
            assertThat(first.mismatch(second)).isEqualTo(-1);
            assertThat(first.get(ValueLayout.JAVA_BYTE, bytes - 1)).isZero();

            first.fill((byte) 1);
            assertThat(second.get(ValueLayout.JAVA_BYTE, 0)).isZero();
            assertThat(second.get(ValueLayout.JAVA_BYTE, bytes - 1)).isZero();
            if (bytes >= 2 << 20 && System.getProperty("os.name").equals("Linux")) {
                assertThat(first.address() % (2 << 20)).isZero();
            }
        }
    }

    @Test
    void shouldBeGoneWhenItsArenaIsClosed() {
        Arena arena = Arena.ofShared();
        MemorySegment memory = FreshMemory.of(4 << 20, arena);
        memory.fill((byte) 1);
        arena.close();
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void shouldSayThatThereIsNotSoMuch() {
        try (Arena arena = Arena.ofShared()) {
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> FreshMemory.of(1L << 60, arena));
        }
    }
}
