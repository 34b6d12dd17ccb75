package org.gridmpj.capture.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of an image are open as they were, stand where they stood, and have no more in them than they had. */
class FileImageTest {
    @TempDir
    Path folder;

    private final TokenRegistry tokens = new TokenRegistry();
    private File file = new File("");

    @BeforeEach
    void name() {
        file = folder.resolve("file").toFile();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String content() throws IOException {
        return Files.readString(file.toPath());
    }

    private Object read(byte[] image) throws IOException {
        return ((Object[]) GraphImageTest.read(image, tokens))[0];
    }

    private byte[] image(Object stream) throws IOException, UncapturableException {
        return GraphImageTest.image(new Object[] {stream}, tokens);
    }

    @Test
    void shouldBeClosedWhenItsFileIsGone() throws Exception {
        Files.writeString(file.toPath(), "text");
        Closeable[] streams = {
            new FileOutputStream(file),
            new FileInputStream(file),
            new RandomAccessFile(file, "r"),
            new RandomAccessFile(file, "rw")
        };
        for (Closeable stream : streams) {
            stream.close();
        }
        Files.delete(file.toPath());
        // the image of what came out of an image too
        Object[] copied = GraphImageTest.copy(GraphImageTest.copy(streams));
        assertThat(file).doesNotExist();
        FileOutputStream out = (FileOutputStream) copied[0];
        assertThat(out.getFD().valid()).isFalse();
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
        out.close();
        FileInputStream in = (FileInputStream) copied[1];
        assertThatThrownBy(in::read).isInstanceOf(IOException.class);
        assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
        in.close();
        for (int i = 2; i < 4; i++) {
            RandomAccessFile access = (RandomAccessFile) copied[i];
            assertThatThrownBy(access::readInt).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> access.writeInt(1)).isInstanceOf(IOException.class);
            access.close();
        }
    }

    @Test
    void shouldWriteAtTheHeadWhenAStreamIsPutThere() throws Exception {
        byte[] image;
        try (FileOutputStream out = new FileOutputStream(file)) {
            out.write(bytes("....data"));
            image = image(out);
            out.write(bytes("future"));
        }
        try (FileOutputStream again = (FileOutputStream) read(image)) {
            assertThat(content()).isEqualTo("....data");
            again.write(bytes("+"));
            again.getChannel().position(0);
            again.write(bytes("head"));
            image = image(again);
            again.write(bytes("future, long"));
        }
        try (FileOutputStream again = (FileOutputStream) read(image)) {
            assertThat(content()).as("no longer than it was").isEqualTo("headfutur");
            again.write(bytes("DATA!"));
            assertThat(content()).isEqualTo("headDATA!");
        }
    }

    @Test
    void shouldAppendWhenTheOriginalDid() throws Exception {
        Files.writeString(file.toPath(), "old;");
        byte[] image;
        try (FileOutputStream out = new FileOutputStream(file, true)) {
            out.write(bytes("new;"));
            image = image(out);
            out.write(bytes("future"));
        }
        try (FileOutputStream again = (FileOutputStream) read(image)) {
            again.getChannel().position(0);
            again.write(bytes("last;"));
        }
        assertThat(content()).isEqualTo("old;new;last;");
    }

    @Test
    void shouldCloseItsFileWhenTheStreamOrItsChannelIsClosed() throws Exception {
        byte[] image;
        try (FileOutputStream out = new FileOutputStream(file)) {
            image = image(out);
        }
        FileOutputStream first = (FileOutputStream) read(image);
        first.close();
        assertThat(first.getFD().valid()).isFalse();
        assertThat(first.getChannel().isOpen()).isFalse();
        FileOutputStream second = (FileOutputStream) read(image);
        second.getChannel().close();
        assertThatThrownBy(() -> second.write(1)).isInstanceOf(IOException.class);
        second.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSaySoWhenWhatWasWrittenIsGone(boolean append) throws Exception {
        byte[] image;
        try (FileOutputStream out = new FileOutputStream(file, append)) {
            out.write(bytes("data"));
            image = image(out);
        }
        Files.writeString(file.toPath(), "da");
        assertThatThrownBy(() -> read(image)).isInstanceOf(IOException.class).hasMessageContaining("2 bytes");
        Files.delete(file.toPath());
        assertThatThrownBy(() -> read(image)).isInstanceOf(IOException.class).hasMessageContaining("0 bytes");
        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"r", "rw", "rws", "rwd"})
    void shouldKeepModeAndPositionWhenAccessIsRandom(String mode) throws Exception {
        Files.writeString(file.toPath(), "0123456789");
        byte[] image;
        try (RandomAccessFile access = new RandomAccessFile(file, mode)) {
            access.seek(3);
            image = image(access);
        }
        // another rank's part
        Files.writeString(file.toPath(), "0123456789abc");
        try (RandomAccessFile again = (RandomAccessFile) read(image)) {
            assertThat(again.getFilePointer()).isEqualTo(3);
            assertThat(again.length()).isEqualTo(13);
            assertThat(again.read()).isEqualTo('3');
            assertThat(isSynchronous(again)).isEqualTo(mode.length() == 3);
            if (mode.equals("r")) {
                assertThatThrownBy(() -> again.write(1)).isInstanceOf(IOException.class);
            } else {
                again.write('x');
                assertThat(content()).isEqualTo("0123x56789abc");
            }
        }
    }

    private static boolean isSynchronous(RandomAccessFile file) throws ReflectiveOperationException {
        java.lang.reflect.Field field = RandomAccessFile.class.getDeclaredField("sync");
        field.setAccessible(true);
        return field.getBoolean(file);
    }

    @Test
    void shouldNotMakeAFileWhenTheOneOfRandomAccessIsGone() throws Exception {
        byte[] image;
        try (RandomAccessFile access = new RandomAccessFile(file, "rw")) {
            access.write(bytes("data"));
            image = image(access);
        }
        Files.delete(file.toPath());
        assertThatThrownBy(() -> read(image)).isInstanceOf(IOException.class);
        assertThat(file).doesNotExist();
    }
}
