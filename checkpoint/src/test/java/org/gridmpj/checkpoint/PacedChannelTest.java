package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacedChannelTest {
    private long nanos;

    @Test
    void shouldWriteAllBytesNoFasterThanAllowed() throws IOException {
        byte[] bytes = new byte[3_000_000];
        new Random(1).nextBytes(bytes);
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PacedChannel channel = new PacedChannel(
                Channels.newChannel(written), new WriteRate(1_000_000), () -> nanos, slept -> nanos += slept);
        ByteBuffer source = ByteBuffer.wrap(bytes);
        while (source.hasRemaining()) {
            channel.write(source);
            assertThat((double) written.size())
                    .as("after %d ns", nanos)
                    .isLessThanOrEqualTo(50_000 + nanos / 1e9 * 1_000_000 + 1);
        }
        assertThat(written.toByteArray()).isEqualTo(bytes);
        assertThat(nanos / 1e9).isBetween(2.9, 3.0);
    }

    @Test
    void shouldWriteAByteAtATimeWhenThatIsAllItMay() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PacedChannel channel =
                new PacedChannel(Channels.newChannel(written), new WriteRate(1), () -> nanos, slept -> nanos += slept);
        ByteBuffer source = ByteBuffer.wrap(new byte[3]);
        while (source.hasRemaining()) {
            channel.write(source);
        }
        assertThat(nanos).isBetween(1_999_999_999L, 2_000_000_010L);
    }

    @Test
    void shouldReadRatesAsPeopleWriteThem() {
        assertThat(WriteRate.parse("20M").bytesPerSecond()).isEqualTo(20L << 20);
        assertThat(WriteRate.parse("20MB").bytesPerSecond()).isEqualTo(20L << 20);
        assertThat(WriteRate.parse("512K/s").bytesPerSecond()).isEqualTo(512L << 10);
        assertThat(WriteRate.parse("1000").bytesPerSecond()).isEqualTo(1000);
        for (String wrong : new String[] {"", "0", "fast", "-1", "20 M", "20T"}) {
            assertThatThrownBy(() -> WriteRate.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("20M");
        }
    }
}
