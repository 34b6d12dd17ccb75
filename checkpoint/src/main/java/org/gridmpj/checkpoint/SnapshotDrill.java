package org.gridmpj.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gridmpj.capture.heap.ImageMismatchException;
import org.jspecify.annotations.Nullable;

/**
 * A process of its own that takes back a rank's image as far as that goes beside a rank that goes on: every block is read from
 * where it is, decompressed and compared with the hash of what the program held at the cut; and if it has the program's class
 * path, the graph is gone through by its classes. No object is made: files that the rank writes would be cut. It ends with its
 * parent, which holds the other end of its standard input.
 */
public final class SnapshotDrill {
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

    /** What a drill finds. */
    public enum Verdict {
        AS_CAPTURED,
        /** The image is not what was captured. */
        DAMAGED,
        /** It is, but the program of the class path could not go on from it. */
        OTHER_PROGRAM
    }

    /**
     * How a drill went.
     *
     * @param problem an empty text if the image is what was captured, and of this program
     */
    public record Result(Verdict verdict, EpochId id, String problem) {
        private static final Pattern TEXT = Pattern.compile(
                Stream.of(Verdict.values()).map(Verdict::name).collect(Collectors.joining("|", "^(", ")"))
                        + " (\\d{1,9}) (\\d{1,9})(?: (.*))?$",
                Pattern.MULTILINE);

        /** What the process writes, one line. */
        public String text() {
            return (verdict + " " + id.generation() + " " + id.epoch() + " " + problem.replaceAll("\\R", " ")).strip();
        }

        /**
         * Of what {@link #text} gives, among lines of the virtual machine's own if there are any; null if it is not there, as of a
         * process that found no snapshot or was ended.
         */
        public static @Nullable Result parse(String text) {
            Matcher fields = TEXT.matcher(text);
            return fields.find()
                    ? new Result(
                            Verdict.valueOf(fields.group(1)),
                            new EpochId(Integer.parseInt(fields.group(2)), Integer.parseInt(fields.group(3))),
                            Objects.requireNonNullElse(fields.group(4), "").strip())
                    : null;
        }
    }

    /**
     * As {@link #arguments} gives them; the newest epoch, as others may be removed at any time. Writes the text of a {@link
     * Result}, or nothing if there is no snapshot.
     */
    public static void main(String[] args) throws IOException {
        Thread _ = whenEnded(System.in, () -> Runtime.getRuntime().halt(ORPHANED));
        FileSnapshotStore store = FileSnapshotStore.at(Path.of(args[0]));
        List<EpochManifest> committed = store.committed();
        if (!committed.isEmpty()) {
            Result result =
                    drill(store, committed.getFirst(), Integer.parseInt(args[1]), Boolean.parseBoolean(args[2]));
            System.out.println(result.text());
        }
    }

    private static Result drill(SnapshotStore store, EpochManifest manifest, int worldRank, boolean withProgram) {
        EpochId id = manifest.id();
        try {
            check(store, manifest, worldRank);
        } catch (IOException | RuntimeException e) {
            return new Result(
                    Verdict.DAMAGED, id, String.valueOf(e instanceof ImageCorruptException ? e.getMessage() : e));
        }
        if (withProgram) {
            try {
                requireProgram(store, manifest, worldRank);
            } catch (IOException | RuntimeException e) {
                if (TransparentImage.isOfAnotherProgram(e)) {
                    return new Result(Verdict.OTHER_PROGRAM, id, String.valueOf(e.getMessage()));
                } else if (e instanceof ImageMismatchException) {
                    return new Result(Verdict.DAMAGED, id, String.valueOf(e.getMessage()));
                }
                // else a class file cannot be read now: that says nothing of the image
            }
        }
        return new Result(Verdict.AS_CAPTURED, id, "");
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
