package org.gridmpj.checkpoint;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.gridmpj.job.JobSpec;
import org.jspecify.annotations.Nullable;

/**
 * The image that a resumed rank goes back to: verified byte by byte when it is opened, its parts read when asked for.
 * Confined to one thread at a time.
 */
final class RestoredImage implements AutoCloseable {
    private static final Set<String> OWN_SECTIONS = Set.of(ProgramState.SECTION, SnapshotTaker.STREAMS_SECTION);

    private final ImageReader reader;

    private RestoredImage(ImageReader reader) {
        this.reader = reader;
    }

    /**
     * Opens and verifies this rank's image of the newest committed epoch of that number.
     *
     * @throws IOException saying why it cannot be used
     */
    static RestoredImage open(SnapshotStore store, JobSpec job, int worldRank, int epoch) throws IOException {
        ImageReader reader = reader(store, job, worldRank, epoch, ImageKind.COOPERATIVE);
        return new RestoredImage(reader);
    }

    /** As {@link #open}, of any kind. */
    static ImageReader reader(SnapshotStore store, JobSpec job, int worldRank, int epoch, ImageKind kind)
            throws IOException {
        EpochManifest manifest = store.find(epoch);
        if (manifest == null) {
            throw new IOException("there is no committed snapshot " + epoch);
        }
        if (manifest.size() != job.size() || !manifest.jobName().equals(job.jobName())) {
            throw new IOException(manifest.id() + " is of job " + manifest.jobName() + " with " + manifest.size()
                    + " ranks, this is job " + job.jobName() + " with " + job.size());
        }
        ImageReader reader = ImageReader.open(store.open(manifest, worldRank), store::openFile);
        try {
            ImageHeader header = reader.header();
            if (header.worldRank() != worldRank
                    || !header.id().equals(manifest.id())
                    || header.size() != job.size()
                    || !header.jobName().equals(job.jobName())) {
                throw new ImageCorruptException("the image is another one: " + header);
            }
            if (header.kind() != kind) {
                throw new IOException("the image is " + header.kind() + ", but this run expects " + kind
                        + ": resume with the --capture that the job was started with");
            }
            reader.verify();
        } catch (IOException e) {
            reader.close();
            throw e;
        }
        return reader;
    }

    /** The epoch. */
    EpochId id() {
        return reader.header().id();
    }

    /** What the program called the snapshot. */
    int snapshotId() {
        return reader.header().snapshotId();
    }

    /** Length of the image in bytes. */
    long bytes() {
        return reader.summary().bytes();
    }

    /** The sections of the engine and its channels: all but those of this module. */
    Map<String, byte[]> engineSections() throws IOException {
        Map<String, byte[]> sections = new LinkedHashMap<>();
        for (SectionEntry entry : reader.sections()) {
            if (!OWN_SECTIONS.contains(entry.name())) {
                sections.put(entry.name(), reader.bytes(entry.name()));
            }
        }
        return sections;
    }

    /** The program's variables, built anew. */
    Map<String, @Nullable Object> variables(@Nullable ClassLoader loader) throws IOException, ClassNotFoundException {
        return ProgramState.read(reader.section(ProgramState.SECTION), loader);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
