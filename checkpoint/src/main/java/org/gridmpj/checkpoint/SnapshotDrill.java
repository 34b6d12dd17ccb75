package org.gridmpj.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.gridmpj.capture.heap.ImageMismatchException;
import org.jspecify.annotations.Nullable;

/**
 * A process of its own that takes back a rank's image as far as that goes beside a rank that goes on: every block is read from
 * where it is, decompressed and compared with the hash of what the program held at the cut; and if it has the program's class
 * path, the graph is gone through by its classes. No object is made: files that the rank writes would be cut. It ends with its
 * parent, which holds the other end of its standard input.
 */
public final class SnapshotDrill {
    /** Exit code if the image is not what was captured; the reason is on standard output. */
    public static final int NOT_AS_CAPTURED = 3;

    /** Exit code if the image is what was captured, and the program is not; the reason is on standard output. */
    public static final int OTHER_PROGRAM = 4;

    /** Exit code if the parent is gone: nobody reads it. */
    private static final int ORPHANED = 1;

    /** What is longer is not read for practice. */
    private static final long LONGEST_REHEARSAL_BYTES = 64L << 20;

    private SnapshotDrill() {}

    /**
     * The arguments of the process.
     *
     * @param withProgram whether it has the class path of a program that is captured as it is
     */
    public static List<String> arguments(Path folder, int worldRank, boolean withProgram) {
        return List.of(folder.toString(), Integer.toString(worldRank), Boolean.toString(withProgram));
    }

    /**
     * How a drill went.
     *
     * @param problem an empty text if the image is what was captured, and of this program
     */
    public record Result(EpochId id, String problem) {
        /** What the process has written; null if it found no snapshot. */
        public static @Nullable Result parse(String output) {
            String[] fields = output.strip().split(" ", 3);
            return fields.length < 2
                    ? null
                    : new Result(
                            new EpochId(Integer.parseInt(fields[0]), Integer.parseInt(fields[1])),
                            fields.length < 3 ? "" : fields[2]);
        }
    }

    /** As {@link #arguments} gives them; the newest epoch, as others may be removed at any time. */
    public static void main(String[] args) throws IOException {
        Thread _ = whenEnded(System.in, () -> Runtime.getRuntime().halt(ORPHANED));
        FileSnapshotStore store = FileSnapshotStore.at(Path.of(args[0]));
        List<EpochManifest> committed = store.committed();
        if (committed.isEmpty()) {
            return;
        }
        EpochId id = committed.getFirst().id();
        System.out.print(id.generation() + " " + id.epoch());
        int worldRank = Integer.parseInt(args[1]);
        try {
            check(store, committed.getFirst(), worldRank);
        } catch (IOException | RuntimeException e) {
            end(NOT_AS_CAPTURED, e instanceof ImageCorruptException ? e.getMessage() : e.toString());
        }
        if (Boolean.parseBoolean(args[2])) {
            try {
                requireProgram(store, committed.getFirst(), worldRank);
            } catch (IOException | RuntimeException e) {
                if (TransparentImage.isOfAnotherProgram(e)) {
                    end(OTHER_PROGRAM, e.getMessage());
                } else if (e instanceof ImageMismatchException) {
                    end(NOT_AS_CAPTURED, e.getMessage());
                }
                // else a class file cannot be read now: that says nothing of the image
            }
        }
    }

    private static void end(int code, @Nullable String reason) {
        System.out.print(" " + reason);
        System.out.flush();
        System.exit(code);
    }

    /** Throws if the program of this process could not go on from an image that is what was captured. */
    static void requireProgram(SnapshotStore store, EpochManifest manifest, int worldRank) throws IOException {
        try (ImageReader reader = ImageReader.open(store.open(manifest, worldRank), store::openFile)) {
            TransparentImage.requireProgram(reader);
        } catch (OutOfMemoryError e) {
            // it has more objects than there is room here to number: its bytes are compared
        }
    }

    /** Has something done when the parent has ended, whatever has ended it. */
    static Thread whenEnded(InputStream fromParent, Runnable action) {
        Thread thread = new Thread(
                () -> {
                    try {
                        long _ = fromParent.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        // as an end of file
                    }
                    action.run();
                },
                "parent");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * Reads a rank's newest image as a restore does, for practice: nothing comes of it.
     *
     * @param folder of the job's snapshots
     */
    static void rehearse(Path folder, int worldRank) {
        try {
            FileSnapshotStore store = FileSnapshotStore.at(folder);
            List<EpochManifest> committed = store.committed();
            if (!committed.isEmpty()
                    && committed.getFirst().images().get(worldRank).bytes() <= LONGEST_REHEARSAL_BYTES) {
                check(store, committed.getFirst(), worldRank);
            }
        } catch (IOException | RuntimeException e) {
            // removed meanwhile, or damaged: who goes back to it says so
        }
    }

    /** Throws if the image is not what was captured. */
    static void check(SnapshotStore store, EpochManifest manifest, int worldRank) throws IOException {
        RankImage image = manifest.images().get(worldRank);
        try (ImageReader reader = ImageReader.open(store.open(manifest, worldRank), store::openFile)) {
            if (!reader.summary().equals(new ImageSummary(image.bytes(), image.crc32c()))) {
                throw new ImageCorruptException(image.file() + " is not the one that was committed");
            }
            reader.verifyContent();
        }
    }
}
