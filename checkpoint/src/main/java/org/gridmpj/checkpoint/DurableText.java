package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;

/** Text in the files of an epoch's folder, UTF-8. */
final class DurableText {
    private DurableText() {}

    /** Appends one line, durably; the file is made if it is not there. */
    static void append(Path file, String line) throws IOException {
        try (FileChannel channel = OwnerOnly.open(file, CREATE, WRITE, APPEND)) {
            write(channel, line.replace('\n', ' ').replace('\r', ' ') + "\n");
            channel.force(true);
        }
        FolderForce.DISK.force(Objects.requireNonNull(file.getParent(), "files stand in an epoch's folder"));
    }

    /** Writes all of a text; forcing it is the caller's. */
    static void write(FileChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
