package org.gridmpj.capture.heap;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.Scanner;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import jdk.internal.misc.Unsafe;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels of files are open in an image as they were, stand where they stood, and are those of their streams. */
class ChannelImageTest {
    @TempDir
    Path folder;

    private final TokenRegistry tokens = new TokenRegistry();
    private Path file = Path.of("");

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("file"), "0123456789");
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private String content() throws IOException {
        return Files.readString(file);
    }

    private Object read(byte[] image) throws IOException {
        return ((Object[]) GraphImageTest.read(image, tokens))[0];
    }

    private byte[] image(Object... held) throws IOException, UncapturableException {
        return GraphImageTest.image(held, tokens);
    }

    private static boolean isSynchronous(FileChannel channel) {
        return Unsafe.getUnsafe().getBoolean(channel, Shape.offset(channel, "FileChannelImpl.sync"));
    }

    @Test
    void shouldReadOnWhereItStoodWhenItIsReadOnly() throws Exception {
        byte[] image;
        try (FileChannel channel = FileChannel.open(file).position(3)) {
            image = image(channel);
        }
        try (FileChannel again = (FileChannel) read(image)) {
            ByteBuffer next = ByteBuffer.allocate(2);
            again.read(next);
            assertThat(next.array()).asString(StandardCharsets.UTF_8).isEqualTo("34");
            assertThatThrownBy(() -> again.write(next)).isInstanceOf(NonWritableChannelException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveWhatOthersWroteWhenAChannelMayShareItsFile(boolean alsoRead) throws Exception {
        byte[] image;
        OpenOption[] options = alsoRead ? new OpenOption[] {READ, WRITE} : new OpenOption[] {WRITE};
        try (FileChannel channel = FileChannel.open(file, options).position(10)) {
            image = image(channel);
        }
        Files.writeString(file, "0123456789abc");
        try (FileChannel again = (FileChannel) read(image)) {
            again.write(bytes("+"));
            assertThat(content()).isEqualTo("0123456789+bc");
            if (!alsoRead) {
                assertThatThrownBy(() -> again.read(ByteBuffer.allocate(1)))
                        .isInstanceOf(NonReadableChannelException.class);
            }
        }
        Files.delete(file);
        assertThatThrownBy(() -> read(image)).isInstanceOf(NoSuchFileException.class);
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldCutWhatCameLaterWhenAStreamOfFilesWrites() throws Exception {
        byte[] image;
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(bytes("data").array());
            image = image(out);
            out.write(bytes("future").array());
        }
        try (OutputStream again = (OutputStream) read(image)) {
            assertThat(content()).isEqualTo("data");
            again.write(bytes("DATA").array());
        }
        assertThat(content()).isEqualTo("dataDATA");
        Files.writeString(file, "da");
        assertThatThrownBy(() -> read(image)).isInstanceOf(IOException.class).hasMessageContaining("2 bytes");
    }

    @Test
    void shouldAppendWhenTheOriginalDid() throws Exception {
        byte[] image;
        try (FileChannel channel = FileChannel.open(file, APPEND)) {
            channel.write(bytes("new;"));
            image = image(channel);
            channel.write(bytes("future"));
        }
        // the image of what came out of an image too
        try (FileChannel once = (FileChannel) read(image)) {
            image = image(once);
        }
        try (FileChannel again = (FileChannel) read(image)) {
            again.position(0).write(bytes("last;"));
        }
        assertThat(content()).isEqualTo("0123456789new;last;");
    }

    @Test
    void shouldKeepWhetherWritingIsSynchronousAndInterruptible() throws Exception {
        try (FileChannel all = FileChannel.open(file, WRITE, SYNC);
                FileChannel data = FileChannel.open(file, WRITE, DSYNC);
                FileChannel none = FileChannel.open(file, WRITE);
                InputStream in = Files.newInputStream(file)) {
            Object[] copied = (Object[]) GraphImageTest.read(image(all, data, none, in), tokens);
            try (FileChannel first = (FileChannel) copied[0];
                    FileChannel second = (FileChannel) copied[1];
                    FileChannel third = (FileChannel) copied[2];
                    InputStream stream = (InputStream) copied[3]) {
                assertThat(isSynchronous(first)).isTrue();
                assertThat(isSynchronous(second)).isTrue();
                assertThat(isSynchronous(third)).isFalse();
                Thread.currentThread().interrupt();
                assertThat(stream.read()).isEqualTo('0');
                assertThatThrownBy(() -> third.write(bytes("x"))).isInstanceOf(ClosedByInterruptException.class);
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    @Test
    void shouldStayOpenWhenAnInterruptIsPending() throws Exception {
        try (FileChannel channel = FileChannel.open(file);
                FileInputStream in = new FileInputStream(file.toFile())) {
            Thread.currentThread().interrupt();
            image(channel, in);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(channel.isOpen()).isTrue();
            assertThat(in.read()).isEqualTo('0');
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeTheChannelOfItsStreamWhicheverIsFoundFirst(boolean channelFirst) throws Exception {
        Closeable[] streams = {
            new FileInputStream(file.toFile()),
            new FileOutputStream(folder.resolve("out").toFile()),
            new FileOutputStream(file.toFile(), true),
            new RandomAccessFile(file.toFile(), "r"),
            new RandomAccessFile(file.toFile(), "rw")
        };
        for (Closeable stream : streams) {
            FileChannel channel = ChannelForm.of(stream);
            byte[] image = channelFirst ? image(channel, stream, channel) : image(stream, channel, channel);
            stream.close();
            // the image of what came out of an image too
            Object[] once = (Object[]) GraphImageTest.read(image, tokens);
            Object[] copied = (Object[]) GraphImageTest.read(image(once), tokens);
            ((Closeable) once[0]).close();
            assertThat(((FileChannel) once[2]).isOpen()).isFalse();
            Closeable again = (Closeable) copied[channelFirst ? 1 : 0];
            assertThat(again).isExactlyInstanceOf(stream.getClass());
            assertThat(copied[2]).isSameAs(copied[channelFirst ? 0 : 1]).isSameAs(ChannelForm.of(again));
            assertThat(((FileChannel) copied[2]).isOpen()).isTrue();
            again.close();
            assertThat(((FileChannel) copied[2]).isOpen()).isFalse();
        }
    }

    @Test
    void shouldCloseItsStreamWhenAChannelOfAnImageIsClosed() throws Exception {
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            Object[] copied = (Object[]) GraphImageTest.read(image(out, out.getChannel()), tokens);
            FileOutputStream again = (FileOutputStream) copied[0];
            again.getChannel().close();
            assertThat(again.getFD().valid()).isFalse();
            assertThatThrownBy(() -> again.write(1)).isInstanceOf(IOException.class);
            // closed ones too
            Object[] closed = (Object[]) GraphImageTest.read(image(copied), tokens);
            assertThat(closed[1]).isSameAs(((FileOutputStream) closed[0]).getChannel());
            assertThat(((FileChannel) closed[1]).isOpen()).isFalse();
        }
    }

    @Test
    void shouldBeClosedWhenItsFileIsGone() throws Exception {
        FileChannel channel = FileChannel.open(file, READ, WRITE);
        channel.lock().close();
        channel.close();
        Files.delete(file);
        FileChannel again = (FileChannel) read(image(GraphImageTest.copy(channel)));
        assertThat(again.isOpen()).isFalse();
        assertThatThrownBy(again::position).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> again.write(bytes("x"))).isInstanceOf(ClosedChannelException.class);
        again.close();
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldReadOnWhenScannersAndReadersReadAhead() throws Exception {
        Files.writeString(file, "1 2\n3 4\n5 6\n");
        try (Scanner byFile = new Scanner(file.toFile(), StandardCharsets.UTF_8);
                Scanner byPath = new Scanner(file, StandardCharsets.UTF_8);
                Scanner byWrapped = new Scanner(
                        Channels.newChannel(new ByteArrayInputStream("1 2 3".getBytes(StandardCharsets.UTF_8))),
                        StandardCharsets.UTF_8)) {
            Scanner[] scanners = {byFile, byPath, byWrapped};
            for (Scanner scanner : scanners) {
                assertThat(scanner.nextInt()).isEqualTo(1);
            }
            for (Scanner again : GraphImageTest.copy(scanners)) {
                assertThat(again.nextInt()).isEqualTo(2);
                assertThat(again.nextInt()).isEqualTo(3);
                again.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16"})
    void shouldCloseTheFileWhenAStreamOfLinesIsClosed(String charset) throws Exception {
        Charset coded = Charset.forName(charset);
        Files.write(file, Collections.nCopies(20_000, "line"), coded);
        try (Stream<String> lines = Files.lines(file, coded)) {
            Iterator<String> each = lines.iterator();
            assertThat(each.next()).isEqualTo("line");
            Object[] copied = GraphImageTest.copy(GraphImageTest.copy(new Object[] {lines, each}));
            Iterator<?> again = (Iterator<?>) copied[1];
            assertThat(again.next()).isEqualTo("line");
            ((Stream<?>) copied[0]).close();
            assertThatThrownBy(() -> readAll(again)).isInstanceOf(UncheckedIOException.class);
        }
    }

    private static void readAll(Iterator<?> lines) {
        while (lines.hasNext()) {
            lines.next();
        }
    }

    private void assertRefused(Object held, String why) {
        assertThatThrownBy(() -> image(held))
                .isInstanceOf(UncapturableException.class)
                .hasMessageStartingWith("root[0] (" + held.getClass().getName() + "): ")
                .hasMessageContaining(why);
    }

    @Test
    void shouldBeRefusedWhenALockIsHeld() throws Exception {
        try (FileChannel channel = FileChannel.open(file, WRITE);
                RandomAccessFile access =
                        new RandomAccessFile(folder.resolve("other").toFile(), "rw")) {
            FileLock lock = channel.lock();
            FileLock other = access.getChannel().lock();
            assertRefused(lock, "release it before the MPI call");
            assertRefused(channel, "a lock of file " + file);
            assertRefused(access, "a lock of file " + folder.resolve("other"));
            lock.release();
            other.release();
            image(lock, channel, access);
        }
    }

    @Test
    void shouldBeRefusedWhenItsFileIsNotUnderItsName() throws Exception {
        try (FileChannel gone = FileChannel.open(folder.resolve("gone"), CREATE, WRITE, DELETE_ON_CLOSE);
                FileChannel replaced = FileChannel.open(file)) {
            assertRefused(gone, "DELETE_ON_CLOSE");
            image(replaced);
            Files.move(file, folder.resolve("renamed"));
            assertRefused(replaced, "not there any more");
            Files.writeString(file, "another one");
            assertRefused(replaced, "not there any more");
        }
    }

    @Test
    void shouldSayWhatToDoWhenMemoryIsNative() throws Exception {
        Path zip = folder.resolve("zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("entry"));
        }
        Pipe pipe = Pipe.open();
        try (FileChannel channel = FileChannel.open(file);
                ZipFile archive = new ZipFile(zip.toFile());
                Deflater deflater = new Deflater();
                Inflater inflater = new Inflater();
                ReadableByteChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            assertRefused(channel.map(FileChannel.MapMode.READ_ONLY, 0, 4), "mapped");
            assertRefused(ByteBuffer.allocateDirect(4).slice(), "a view of a direct buffer");
            assertRefused(archive, "open zip or jar file");
            assertRefused(deflater, "GZIPOutputStream");
            assertRefused(inflater, "GZIPInputStream");
            assertRefused(source, "a socket or pipe");
            assertRefused(sink, "a socket or pipe");
        }
        GZIPOutputStream compressing = new GZIPOutputStream(OutputStream.nullOutputStream());
        assertThatThrownBy(() -> image(compressing))
                .hasMessageContaining("DeflaterOutputStream.def (java.util.zip.Deflater): what a Deflater");
        compressing.close();
    }
}
