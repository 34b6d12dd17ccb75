package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
 * </pre>
 */
final class TransparentImage implements AutoCloseable {
    static final String CLASSES_SECTION = "classes";
    static final String STATE_SECTION = "state";
    static final String IN_FLIGHT_SECTION = "in-flight";

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
