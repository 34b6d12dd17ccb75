package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.capture.frames.OtherProgramException;
import org.gridmpj.capture.heap.ImageMismatchException;
import org.gridmpj.job.JobSpec;
import org.gridmpj.snapshot.SnapshotEngine;

/**
 * A rank's transparent image: verified byte by byte when it is opened. Confined to one thread.
 *
 * <pre>
 *   section "classes"           names of the program's classes whose static initialisers have run, a line each
 *   section "frames"            classes whose methods are under way, with the checksums of their files: ClassFiles
 *   section "streams"           how far the program's streams were
 *   section "state"             one graph {program, engine}
 *   section "in-flight"         frames that were sent before their sender's cut and came after the own one
 *   section "next-epoch"        solitary images, in the place of "in-flight": number of the next epoch to be begun
 *   sections "channel/…"        and what the transport's channels held
 * </pre>
 */
final class TransparentImage implements AutoCloseable {
    static final String CLASSES_SECTION = "classes";
    static final String FRAMES_SECTION = "frames";
    static final String STATE_SECTION = "state";
    static final String IN_FLIGHT_SECTION = "in-flight";
    static final String NEXT_EPOCH_SECTION = "next-epoch";
    static final String CHANNEL_SECTIONS = "channel/";

    /**
     * What the graph has.
     *
     * @param settle to be run when the program has been restored, before it goes on
     */
    record State(Object program, Object engine, Runnable settle) {}

    private final ImageReader reader;

    private TransparentImage(ImageReader reader) {
        this.reader = reader;
    }

    /**
     * Opens this rank's image of the committed epoch of that number.
     *
     * @throws IOException saying why it cannot be used
     */
    static TransparentImage open(SnapshotStore store, JobSpec job, int worldRank, int epoch) throws IOException {
        return new TransparentImage(RestoredImage.reader(store, job, worldRank, epoch, ImageKind.TRANSPARENT));
    }

    /**
     * Opens the image of a rank that goes on alone, in this process. What it refers to is beside it.
     *
     * @throws IOException saying why it cannot be used
     */
    static TransparentImage openSolitary(Path file, JobSpec job, int worldRank) throws IOException {
        ImageReader reader = ImageReader.open(Files.newByteChannel(file), before -> open(file, before));
        try {
            ImageHeader header = reader.header();
            if (header.kind() != ImageKind.SOLITARY
                    || header.worldRank() != worldRank
                    || header.size() != job.size()
                    || header.id().generation() != job.generation()
                    || !header.jobName().equals(job.jobName())) {
                throw new ImageCorruptException("the image is another one: " + header);
            }
            reader.verify();
        } catch (IOException e) {
            reader.close();
            throw e;
        }
        return new TransparentImage(reader);
    }

    private static SeekableByteChannel open(Path file, String before) throws IOException {
        Path name = Path.of(before);
        if (name.getNameCount() != 1 || name.isAbsolute()) {
            throw new ImageCorruptException("it refers to " + before + ", which is not beside it");
        }
        return Files.newByteChannel(file.resolveSibling(name));
    }

    /**
     * Verifies an image of the state that was made ahead of the departure, and goes through the graph: when the rest comes, its
     * classes are loaded, and nothing of it is new to this JVM. No object is made, since that may open files in which the rank
     * still writes.
     *
     * @throws IOException saying why it cannot be used
     */
    static void rehearse(Path file, JobSpec job, int worldRank) throws IOException {
        try (TransparentImage image = openSolitary(file, job, worldRank)) {
            StateGraph.rehearse(image.reader.section(STATE_SECTION).stream(), true);
        }
    }

    /**
     * Whether the program on this process's class path could take an image back: its graph is gone through, as in {@link
     * #rehearse} but for the memory, and the methods that are under way must be those of the same class files.
     *
     * @param reader of the image of a rank in an epoch
     * @throws OtherProgramException if a class file is another one
     * @throws ImageMismatchException if the graph does not fit
     * @throws IOException if the image, or a class file, cannot be read
     */
    static void requireProgram(ImageReader reader) throws IOException {
        ClassFiles.requireUnchanged(reader.bytes(FRAMES_SECTION), ClassLoader.getSystemClassLoader());
        StateGraph.rehearse(reader.section(STATE_SECTION).stream(), false);
    }

    /** Whether an image could not be taken back since the program is another one, and not for what the image is. */
    static boolean isOfAnotherProgram(Throwable failure) {
        return failure instanceof OtherProgramException
                || (failure instanceof ImageMismatchException mismatch && mismatch.isOfAnotherProgram());
    }

    int nextEpoch() throws IOException {
        return ByteBuffer.wrap(reader.bytes(NEXT_EPOCH_SECTION))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
    }

    /** What the channels held, by the transport's names. */
    Map<String, byte[]> channels() throws IOException {
        Map<String, byte[]> channels = new HashMap<>();
        for (SectionEntry entry : reader.sections()) {
            if (entry.name().startsWith(CHANNEL_SECTIONS)) {
                channels.put(entry.name().substring(CHANNEL_SECTIONS.length()), reader.bytes(entry.name()));
            }
        }
        return channels;
    }

    List<String> initializedClasses() throws IOException {
        String text = new String(reader.bytes(CLASSES_SECTION), StandardCharsets.UTF_8);
        return text.lines().toList();
    }

    /** Reads the graph; the engine's tokens are those of this process. */
    State state(SnapshotEngine engine) throws IOException {
        StateGraph.Made made = StateGraph.read(reader.section(STATE_SECTION).stream(), engine);
        Object[] root = (Object[]) made.root();
        return new State(root[0], root[1], made.settle());
    }

    byte[] inFlight() throws IOException {
        return reader.bytes(IN_FLIGHT_SECTION);
    }

    long bytes() {
        return reader.summary().bytes();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
