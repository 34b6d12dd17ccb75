package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.job.JobSpec;
import org.gridmpj.snapshot.SnapshotEngine;

/**
 * A rank's transparent image: verified byte by byte when it is opened. Confined to one thread.
 *
 * <pre>
 *   section "classes"           names of the program's classes whose static initialisers have run, a line each
 *   section "streams"           how far the program's streams were
 *   section "state"             one graph {program, engine}
 *   section "in-flight"         frames that were sent before their sender's cut and came after the own one
 *   section "next-epoch"        solitary images, in the place of "in-flight": number of the next epoch to be begun
 *   sections "channel/…"        and what the transport's channels held
 * </pre>
 */
final class TransparentImage implements AutoCloseable {
    static final String CLASSES_SECTION = "classes";
    static final String STATE_SECTION = "state";
    static final String IN_FLIGHT_SECTION = "in-flight";
    static final String NEXT_EPOCH_SECTION = "next-epoch";
    static final String CHANNEL_SECTIONS = "channel/";

    /** What the graph has. */
    record State(Object program, Object engine) {}

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
     * Opens the image of a rank that goes on alone, in this process.
     *
     * @throws IOException saying why it cannot be used
     */
    static TransparentImage openSolitary(Path file, JobSpec job, int worldRank) throws IOException {
        ImageReader reader = ImageReader.open(Files.newByteChannel(file));
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
        Object[] root = (Object[]) StateGraph.read(reader.section(STATE_SECTION).stream(), engine);
        return new State(root[0], root[1]);
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
