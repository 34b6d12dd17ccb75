package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageFormatTest {
    private static final ImageHeader HEADER = Images.header(4, 3, new EpochId(1, 7));

    @Test
    void shouldGiveBackHeaderAndSectionsWhenRead() throws IOException {
        try (ImageReader reader = ImageReader.open(new Images.BytesChannel(Images.bytes(HEADER)))) {
            reader.verify();
            assertThat(reader.header()).isEqualTo(HEADER);
            assertThat(reader.sections().stream().map(SectionEntry::name))
                    .containsExactly("engine/unexpected", "engine/counters", "streams", "program");
            assertThat(reader.bytes("engine/unexpected")).asString(UTF_8).isEqualTo("two messages");
            assertThat(reader.bytes("engine/counters")).isEmpty();
            assertThat(reader.bytes("program")).endsWith(3);
        }
    }

    @Test
    void shouldWriteTheSameBytesAsEverBefore() throws IOException {
        assertThat(Images.bytes(HEADER)).isEqualTo(golden("image-v4.bin"));
    }

    @Test
    void shouldNameBothVersionsWhenItIsAnOldOne() throws IOException {
        byte[] old = golden("image-v3.bin");
        assertThatThrownBy(() -> Images.check(old))
                .isInstanceOf(ImageCorruptException.class)
                .hasMessageContaining("version 3")
                .hasMessageContaining("version 4");
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream in = ImageFormatTest.class.getResourceAsStream("/golden/" + name)) {
            return Objects.requireNonNull(in, "golden file").readAllBytes();
        }
    }

    @Test
    void shouldRefuseWhenCutAtAnyLength() throws IOException {
        byte[] image = Images.bytes(HEADER);
        for (int length = 0; length < image.length; length++) {
            byte[] torn = Arrays.copyOf(image, length);
            assertThatThrownBy(() -> Images.check(torn))
                    .as("cut to %d of %d bytes", length, image.length)
                    .isInstanceOf(ImageCorruptException.class);
        }
    }

    @Test
    void shouldRefuseWhenTheRestIsZeros() throws IOException {
        byte[] image = Images.bytes(HEADER);
        for (int length = 0; length < image.length; length++) {
            byte[] torn = Arrays.copyOf(Arrays.copyOf(image, length), image.length);
            if (!Arrays.equals(torn, image)) {
                assertThatThrownBy(() -> Images.check(torn))
                        .as("zeros from byte %d of %d", length, image.length)
                        .isInstanceOf(ImageCorruptException.class);
            }
        }
    }

    @Test
    void shouldRefuseWhenAnyBitIsFlipped() throws IOException {
        byte[] image = Images.bytes(HEADER);
        for (int bit = 0; bit < image.length * 8; bit++) {
            byte[] flipped = image.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> Images.check(flipped))
                    .as("bit %d of byte %d", bit % 8, bit / 8)
                    .isInstanceOf(ImageCorruptException.class);
        }
    }

    @Test
    void shouldNameTheSectionWhenItsBytesAreWrong() throws IOException {
        byte[] image = Images.bytes(HEADER);
        int inside = new String(image, ISO_8859_1).indexOf("two messages");
        image[inside] ^= 1;
        assertThatThrownBy(() -> Images.check(image)).hasMessageContaining("engine/unexpected");
    }

    @Test
    void shouldNameBothVersionsWhenItIsOfAnother() throws IOException {
        byte[] image = Images.bytes(HEADER);
        image[ImageFormat.VERSION_OFFSET] = 9;
        assertThatThrownBy(() -> Images.check(image))
                .hasMessageContaining("version 9")
                .hasMessageContaining("version 4");
    }

    @Test
    void shouldRefuseWhenTwoSectionsHaveOneName() throws IOException {
        ImageWriter writer = new ImageWriter(Channels.newChannel(new ByteArrayOutputStream()), HEADER);
        writer.section("a").section("b");
        assertThatThrownBy(() -> writer.section("a")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldGiveBackSectionsOfAnyLength(long seed) throws IOException {
        Random random = new Random(seed);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        WritableByteChannel channel = Channels.newChannel(file);
        ImageWriter writer =
                seed % 2 == 0 ? ImageWriter.ofPassage(channel, HEADER, null) : new ImageWriter(channel, HEADER);
        byte[][] sections = new byte[8][];
        for (int i = 0; i < sections.length; i++) {
            sections[i] = new byte[random.nextInt(3 * ImageFormat.CHUNK_BYTES)];
            // half of it compresses
            byte[] digits = new byte[sections[i].length / 2];
            random.nextBytes(digits);
            System.arraycopy(digits, 0, sections[i], 0, digits.length);
            writer.section("section " + i);
            int written = 0;
            while (written < sections[i].length) {
                int piece = Math.min(1 + random.nextInt(2 * ImageFormat.CHUNK_BYTES), sections[i].length - written);
                writer.write(ByteBuffer.wrap(sections[i], written, piece));
                written += piece;
            }
        }
        ImageSummary summary = writer.finish();
        assertThat(summary.bytes()).isEqualTo(file.size());
        try (ImageReader reader = ImageReader.open(new Images.BytesChannel(file.toByteArray()))) {
            reader.verify();
            assertThat(reader.summary()).isEqualTo(summary);
            for (int i = 0; i < sections.length; i++) {
                assertThat(reader.bytes("section " + i)).as("seed %d", seed).isEqualTo(sections[i]);
            }
        }
    }
}
