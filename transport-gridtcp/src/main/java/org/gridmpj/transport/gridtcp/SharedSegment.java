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
 * Memory of two ranks of one host: two rings, one for each direction.
 *
 * <pre>
 *   0                       {@link #directionBytes}
 *   ┌───────────────────────┬───────────────────────┐
 *   │ from the dialer       │ from the acceptor     │
 *   └───────────────────────┴───────────────────────┘
 * </pre>
 *
 * <p>The dialer creates it for one link and one peer, open without a name from the first moment: whatever happens to the
 * processes, no memory stays behind. The acceptor finds it by {@code /proc/PID/fd/N}, which the system lets only the same
 * user do. All its memory is written once, so that a full file system is noticed now and not by a SIGBUS later. The mapping
 * lasts until nobody refers to it, so that no thread ever reads memory that is gone.
 *
 * <p>The JDK opens a file and deletes its name by two calls: a process that is killed between them leaves an empty file, which
 * the next one of the user's removes.
 */
final class SharedSegment {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final String NAME_PREFIX = "gridmpj-";
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final int ZEROS_BYTES = 1 << 16;

    private static final long HOST_ID = identify();

    private final WireBuffer memory;
    private final int ringBytes;
    private final boolean dialer;
    private @Nullable FileChannel file;
    private int descriptor;

    private SharedSegment(MemorySegment mapped, int ringBytes, boolean dialer) {
        memory = new WireBuffer(mapped);
        this.ringBytes = ringBytes;
        this.dialer = dialer;
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

    private static int directionBytes(int ringBytes) {
        return SharedRing.DATA_OFFSET + ringBytes + SharedRing.slackBytes(ringBytes);
    }

    /**
     * Creates a segment of which nobody else knows yet.
     *
     * @throws IOException if there is no room for it
     */
    static SharedSegment create(int ringBytes) throws IOException {
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
            long bytes = 2L * directionBytes(ringBytes);
            ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
            for (long at = 0; at < bytes; ) {
                zeros.clear().limit((int) Math.min(ZEROS_BYTES, bytes - at));
                at += file.write(zeros, at);
            }
            SharedSegment segment = new SharedSegment(
                    file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto()), ringBytes, true);
            segment.file = file;
            segment.descriptor = descriptorOf(path);
            return segment;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** A name that is still there is needed by nobody: not even by a process that is about to delete it itself. */
    private static void removeLeftovers() {
        try (DirectoryStream<Path> names = Files.newDirectoryStream(FOLDER, NAME_PREFIX + "*")) {
            names.forEach(SharedSegment::removeLeftover);
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
     * Maps a segment that a peer has offered.
     *
     * @throws IOException if it is not to be had: another user's, or gone
     */
    static SharedSegment attach(Sharing offer, int ringBytes) throws IOException {
        int bytes = 2 * directionBytes(ringBytes);
        if (offer.hostId() != HOST_ID || offer.segmentBytes() != bytes) {
            throw new IOException("it is of another host or another length");
        }
        Path path = Path.of("/proc/" + offer.pid() + "/fd/" + offer.descriptor());
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (file.size() != bytes) {
                throw new IOException("it is another file");
            }
            return new SharedSegment(
                    file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto()), ringBytes, false);
        }
    }

    /** What the dialer's hello says. */
    Sharing offer() {
        return new Sharing(HOST_ID, ProcessHandle.current().pid(), descriptor, 2 * directionBytes(ringBytes));
    }

    /** The peer has mapped it, or never will: the file is needed no more. */
    void closeFile() {
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

    SharedRing outgoing() {
        return new SharedRing(memory, dialer ? 0 : directionBytes(ringBytes), ringBytes);
    }

    SharedRing incoming() {
        return new SharedRing(memory, dialer ? directionBytes(ringBytes) : 0, ringBytes);
    }
}
