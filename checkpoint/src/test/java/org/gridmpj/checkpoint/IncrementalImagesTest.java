package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class IncrementalImagesTest {
    @TempDir
    Path root;

    private Path folder = Path.of("unset");
    private FileSnapshotStore store = FileSnapshotStore.at(folder);
    private IncrementalJob job = new IncrementalJob(store, ImageKind.COOPERATIVE);

    @BeforeEach
    void open() {
        folder = root.resolve("job");
        store = FileSnapshotStore.at(folder);
        job = new IncrementalJob(store, ImageKind.COOPERATIVE);
    }

    private void assertRestores(EpochManifest manifest) throws IOException {
        for (int rank = 0; rank < IncrementalJob.SIZE; rank++) {
            assertThat(IncrementalJob.restored(store, manifest, rank))
                    .as("%s, rank %d", manifest.id(), rank)
                    .isEqualTo(IncrementalJob.content(rank, manifest.id().epoch()));
        }
    }

    @Test
    void shouldWriteOnlyWhatHasChanged() throws IOException {
        EpochManifest full = job.commit(0);
        EpochManifest increment = job.commit(1);
        assertThat(full.oldestNeeded()).isEqualTo(full.id());
        assertThat(increment.oldestNeeded()).isEqualTo(full.id());
        assertThat(full.images().getFirst().bytes())
                .as("the block of sevens is compressed")
                .isBetween(5L * ImageFormat.BLOCK_BYTES, 6L * ImageFormat.BLOCK_BYTES);
        assertThat(increment.images().getFirst().bytes())
                .as("one block of seven")
                .isBetween((long) ImageFormat.BLOCK_BYTES, ImageFormat.BLOCK_BYTES + 4096L);
        assertRestores(full);
        assertRestores(increment);
    }

    @Test
    void shouldKeepWhatIsReferredToAndNotForEver() throws IOException {
        boolean lineageEnded = false;
        for (int epoch = 0; epoch < 30; epoch++) {
            EpochManifest manifest = job.commit(epoch);
            store.retain(2);
            for (EpochManifest kept : store.committed()) {
                assertRestores(kept);
            }
            assertThat(store.committed()).hasSizeBetween(Math.min(epoch + 1, 2), 11);
            assertThat(epoch - manifest.oldestNeeded().epoch()).isLessThanOrEqualTo(8);
            lineageEnded |= epoch > 0 && manifest.oldestNeeded().equals(manifest.id());
        }
        assertThat(lineageEnded).as("a full image once in a while").isTrue();
        assertThat(folder.resolve("g0-e0")).doesNotExist();
    }

    @Test
    void shouldNotReferToAnEpochThatIsNotCommitted() throws IOException {
        job.commit(0);
        job.write(new EpochId(0, 1), 0);
        store.abandon(new EpochId(0, 1));
        EpochManifest next = job.commit(2);
        assertRestores(next);
    }

    @Test
    void shouldTakeTheLineageBeforeWhenTheBaseIsMissing() throws IOException {
        job.commit(0);
        job.forget();
        EpochManifest base = job.commit(1);
        job.commit(2);
        Files.delete(folder.resolve(base.images().get(1).file()));
        SnapshotStore.Selection selection = store.latestCommitted();
        assertThat(Objects.requireNonNull(selection.manifest()).id()).isEqualTo(new EpochId(0, 0));
        assertThat(selection.skipped()).hasSize(2);
        assertThat(selection.skipped().getFirst().reason())
                .contains("increment to g0-e1/rank-1.image, which is missing");
    }

    @Test
    void shouldTellAnImagesOwnDamageFromThatOfEarlierOnes() throws IOException {
        RankImage base = job.commit(0).images().getFirst();
        RankImage image = job.commit(1).images().getFirst();
        Path file = folder.resolve(image.file());
        assertThat(ImageFile.checkApart(file, image.bytes(), image.crc32c())).isEmpty();
        Files.delete(folder.resolve(base.file()));
        assertThat(ImageFile.checkApart(file, image.bytes(), image.crc32c()))
                .isEqualTo("it is an increment to " + base.file() + ", which is missing");
        Images.flipBit(file, ImageFormat.BLOCK_BYTES / 2, 3);
        assertThatThrownBy(() -> ImageFile.checkApart(file, image.bytes(), image.crc32c()))
                .isInstanceOf(ImageCorruptException.class)
                .hasMessageContaining("checksum");
    }

    @Test
    void shouldMoveADamagedEpochAsideOnceAndKeepFew() throws IOException {
        EpochLedger ledger = new EpochLedger(store, Images.JOB, IncrementalJob.SIZE, 0);
        job.commit(0);
        for (int epoch = 1; epoch < 6; epoch++) {
            job.forget();
            EpochManifest damaged = job.commit(epoch);
            Images.flipBit(folder.resolve(damaged.images().getFirst().file()), 100_000, 3);
            EpochLedger.ResumePoint point = ledger.resumePoint();
            assertThat(point.resumeEpoch()).isZero();
            assertThat(point.skipped().getFirst().isDamaged()).isTrue();
            assertThat(folder.resolve("g0-e" + epoch)).doesNotExist();
            assertThat(folder.resolve("quarantine/g0-e" + epoch + "/reason"))
                    .content()
                    .contains("rank 0", "checksum");
            EpochLedger.ResumePoint again = ledger.resumePoint();
            assertThat(again.resumeEpoch()).isZero();
            assertThat(again.skipped().getFirst().reason()).contains("in quarantine", "checksum");
            assertThat(again.skipped().getFirst().isDamaged()).isFalse();
        }
        try (var kept = Files.list(folder.resolve("quarantine"))) {
            assertThat(kept).hasSize(2);
        }
    }
}
