package org.gridmpj.transport.log;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file of this process, without a name as soon as it is open, so that nothing is left behind whatever happens. What it
 * holds is of use to this process only: when that dies its rank sends anew what was logged.
 */
public final class FileLogSpill implements LogSpill {
    private final Path folder;
    private final Map<Long, ArrayDeque<Long>> freeByLength = new HashMap<>();
    private @Nullable FileChannel file;
    private long endBytes;

    /** A file in this folder, made when it is needed. */
    public FileLogSpill(Path folder) {
        this.folder = folder;
    }

    /** The file, made now if it was not needed before. */
    FileChannel file() throws IOException {
        FileChannel open = file;
        if (open == null) {
            Path path = Files.createTempFile(folder, "messages", ".log");
            open = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            file = open;
            Files.delete(path);
        }
        return open;
    }

    @Override
    public long write(MemorySegment bytes, long lengthBytes) throws IOException {
        FileChannel open = file();
        ArrayDeque<Long> free = freeByLength.get(lengthBytes);
        Long reused = free == null ? null : free.pollLast();
        long position = reused == null ? endBytes : reused;
        ByteBuffer from = bytes.asSlice(0, lengthBytes).asByteBuffer();
        long at = position;
        while (from.hasRemaining()) {
            at += open.write(from, at);
        }
        if (reused == null) {
            endBytes = position + lengthBytes;
        }
        return position;
    }

    @Override
    public void read(long position, MemorySegment target, long lengthBytes) throws IOException {
        FileChannel open = file();
        ByteBuffer to = target.asSlice(0, lengthBytes).asByteBuffer();
        long at = position;
        while (to.hasRemaining()) {
            int read = open.read(to, at);
            if (read < 0) {
                throw new IOException(name() + " ends at byte " + at);
            }
            at += read;
        }
    }

    @Override
    public String name() {
        return "the log of messages, a file without a name in " + folder + ",";
    }

    @Override
    public void free(long position, long lengthBytes) {
        freeByLength.computeIfAbsent(lengthBytes, length -> new ArrayDeque<>()).addLast(position);
    }

    @Override
    public void close() {
        FileChannel open = file;
        file = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            // nobody will read it
        }
    }
}
