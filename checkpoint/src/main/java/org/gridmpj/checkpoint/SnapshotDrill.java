package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A process of its own that takes back a rank's image as far as that goes without the program: every block is read from
 * where it is, decompressed and compared with the hash of what the program held at the cut.
 */
public final class SnapshotDrill {
    /** Exit code if the image is not what was captured; the reason is on standard output. */
    public static final int NOT_AS_CAPTURED = 3;

    private SnapshotDrill() {}

    /** The arguments of the process. */
    public static List<String> arguments(Path folder, EpochId id, int worldRank) {
        return List.of(
                folder.toString(),
                Integer.toString(id.generation()),
                Integer.toString(id.epoch()),
                Integer.toString(worldRank));
    }

    /** As {@link #arguments} gives them. */
    public static void main(String[] args) {
        EpochId id = new EpochId(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        try {
            check(FileSnapshotStore.at(Path.of(args[0])), id, Integer.parseInt(args[3]));
        } catch (IOException | RuntimeException e) {
            System.out.println(e instanceof ImageCorruptException ? e.getMessage() : e.toString());
            System.exit(NOT_AS_CAPTURED);
        }
    }

    /** Throws if the image is not what was captured. */
    static void check(SnapshotStore store, EpochId id, int worldRank) throws IOException {
        EpochManifest manifest = store.committed().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new ImageCorruptException(id + " is not among the committed snapshots"));
        RankImage image = manifest.images().get(worldRank);
        try (ImageReader reader = ImageReader.open(store.open(manifest, worldRank), store::openFile)) {
            if (!reader.summary().equals(new ImageSummary(image.bytes(), image.crc32c()))) {
                throw new ImageCorruptException(image.file() + " is not the one that was committed");
            }
            reader.verifyContent();
        }
    }
}
