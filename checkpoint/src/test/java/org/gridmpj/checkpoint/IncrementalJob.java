package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.gridmpj.job.control.ControlMessage.SnapshotWritten;

/** A job of two ranks whose images are increments: of seven blocks one changes from epoch to epoch, and one is compressed. */
final class IncrementalJob {
    static final int SIZE = 2;
    private static final int BLOCKS = 7;

    private final SnapshotStore store;
    private final ImageKind kind;
    private final List<ImageHistory> histories = List.of(new ImageHistory(), new ImageHistory());

    IncrementalJob(SnapshotStore store, ImageKind kind) {
        this.store = store;
        this.kind = kind;
    }

    /** What the program of a rank held at an epoch. */
    static byte[] content(int worldRank, int epoch) {
        byte[] content = new byte[BLOCKS * ImageFormat.BLOCK_BYTES - 1000];
        new Random(worldRank).nextBytes(content);
        Arrays.fill(content, 0, ImageFormat.BLOCK_BYTES, (byte) 7);
        byte[] changed = new byte[1000];
        for (int changes = 0; changes <= epoch; changes++) {
            new Random(31L * changes + worldRank).nextBytes(changed);
            int block = 1 + changes % (BLOCKS - 1);
            System.arraycopy(changed, 0, content, block * ImageFormat.BLOCK_BYTES + 100, changed.length);
        }
        return content;
    }

    /** Forgets what was written: the next images are full ones. */
    void forget() {
        histories.forEach(ImageHistory::forget);
    }

    /** Forgets what one rank has written: its next image is a full one. */
    void forget(int worldRank) {
        histories.get(worldRank).forget();
    }

    EpochManifest commit(int epoch) throws IOException {
        EpochId id = new EpochId(0, epoch);
        List<RankImage> images = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            images.add(RankImage.of(rank, write(id, rank)));
        }
        EpochManifest manifest = new EpochManifest(Images.JOB, id, images);
        store.commit(manifest);
        histories.forEach(history -> history.committed(epoch));
        return manifest;
    }

    SnapshotWritten write(EpochId id, int worldRank) throws IOException {
        ImageHistory history = histories.get(worldRank);
        ImageHeader header = new ImageHeader(Images.JOB, SIZE, worldRank, id, kind, 42, 1_700_000_000_000L);
        try (SnapshotStore.PendingImage pending = store.create(id, worldRank);
                ImageWriter image = new ImageWriter(pending.channel(), header, history.base())) {
            image.section("program").write(ByteBuffer.wrap(content(worldRank, id.epoch())));
            image.section("empty");
            ImageSummary summary = image.finish();
            String file = pending.seal(summary);
            ImageLineage lineage = ImageLineage.of(new ImageBase(file, summary), id.epoch(), image.blocks());
            history.written(id.epoch(), lineage);
            return new SnapshotWritten(
                    id.epoch(), file, summary.bytes(), summary.crc32c(), lineage.fullEpoch(), 1000, 10, 20, 30);
        }
    }

    /** What a rank gets back. */
    static byte[] restored(SnapshotStore store, EpochManifest manifest, int worldRank) throws IOException {
        try (ImageReader reader = ImageReader.open(store.open(manifest, worldRank), store::openFile)) {
            reader.verifyContent();
            return reader.bytes("program");
        }
    }
}
