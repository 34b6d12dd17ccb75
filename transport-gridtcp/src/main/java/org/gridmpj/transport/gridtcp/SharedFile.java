package org.gridmpj.transport.gridtcp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Memory that processes of one host map, as its creator has it: open without a name from the first moment, so that no
 * memory stays behind whatever happens to the processes. Others find it by {@code /proc/PID/fd/N}, which the system lets only
 * the same user do. All of it is written once, so that a full file system is noticed now and not by a SIGBUS later. The mapping
 * lasts until nobody refers to it, so that no thread ever reads memory that is gone.
 *
 * <p>The JDK opens a file and deletes its name by two calls: a process that is killed between them leaves an empty file, which
 * the next one of the user's removes.
 */
final class SharedFile {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final String NAME_PREFIX = "gridmpj-";
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final int ZEROS_BYTES = 1 << 16;

    private static final long HOST_ID = identify();

    private final MemorySegment memory;
    private final int descriptor;
    private @Nullable FileChannel file;

    private SharedFile(MemorySegment memory, FileChannel file, int descriptor) {
        this.memory = memory;
        this.file = file;
        this.descriptor = descriptor;
    }

    /** The same in two processes that can share memory: one kernel, one process namespace; 0 where there is none. */
    static long hostId() {
        return HOST_ID;
    }

    private static long identify() {
        try {
            if (!Files.isWritable(FOLDER) || !Files.isDirectory(OPEN_FILES)) {
                return 0;
            }
            String place = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
            CRC32C crc = new CRC32C();
            crc.update(place.getBytes(StandardCharsets.UTF_8));
            return crc.getValue() << 32 | 1;
        } catch (IOException | SecurityException e) {
            return 0;
        }
    }

    /**
     * Creates memory of which nobody else knows yet.
     *
     * @throws IOException if there is no room for it
     */
    static SharedFile create(long bytes) throws IOException {
        removeLeftovers();
        Path path = FOLDER.resolve(NAME_PREFIX + UUID.randomUUID());
        // On this system a file that is to be deleted on closing is deleted as soon as it is open.
        FileChannel file = FileChannel.open(
                path,
                EnumSet.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
            for (long at = 0; at < bytes; ) {
                zeros.clear().limit((int) Math.min(ZEROS_BYTES, bytes - at));
                at += file.write(zeros, at);
            }
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
            return new SharedFile(mapped, file, descriptorOf(path));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** A name that is still there is needed by nobody: not even by a process that is about to delete it itself. */
    private static void removeLeftovers() {
        try (DirectoryStream<Path> names = Files.newDirectoryStream(FOLDER, NAME_PREFIX + "*")) {
            names.forEach(SharedFile::removeLeftover);
        } catch (IOException | DirectoryIteratorException e) {
            // not to be looked at: they take no memory
        }
    }

    private static void removeLeftover(Path name) {
        try {
            Files.deleteIfExists(name);
        } catch (IOException e) {
            // another user's
        }
    }

    private static int descriptorOf(Path path) throws IOException {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(OPEN_FILES)) {
            for (Path each : open) {
                if (targetOf(each).startsWith(path.toString())) {
                    return Integer.parseInt(each.getFileName().toString());
                }
            }
        }
        throw new IOException("the system does not show the open file " + path);
    }

    private static String targetOf(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    /**
     * Maps memory that a process of this host has created.
     *
     * @throws IOException if it is not to be had: another user's, or gone
     */
    static MemorySegment attach(long pid, int descriptor, long bytes) throws IOException {
        Path path = Path.of("/proc/" + pid + "/fd/" + descriptor);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (file.size() != bytes) {
                throw new IOException("it is another file");
            }
            return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
        }
    }

    MemorySegment memory() {
        return memory;
    }

    /** Number under which this process has it open. */
    int descriptor() {
        return descriptor;
    }

    /** Those that were to map it have done so, or never will: from here on it cannot be found any more. Idempotent. */
    void close() {
        FileChannel open = file;
        file = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // gone in any case
            }
        }
    }
}
