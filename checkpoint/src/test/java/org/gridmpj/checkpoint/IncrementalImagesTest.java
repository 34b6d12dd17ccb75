package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    /** Epochs 4 and 3, which are kept, with 2 and 1, of which rank 0's images are needed; those of rank 1 need epoch 0. */
    private void keepEpochsForOneRanksSake() throws IOException {
        job.commit(0);
        job.forget(0);
        job.commit(1);
        job.commit(2);
        job.forget(1);
        job.commit(3);
        job.commit(4);
        store.retain(2);
        assertThat(folder.resolve("g0-e0")).doesNotExist();
        assertThat(folder.resolve("g0-e1/manifest")).exists();
    }

    @Test
    void shouldNotTakeForASnapshotWhatIsKeptForTheSakeOfLaterOnes() throws IOException {
        keepEpochsForOneRanksSake();
        EpochLedger ledger = new EpochLedger(store, Images.JOB, IncrementalJob.SIZE, 0);
        assertThat(store.restorable())
                .extracting(manifest -> manifest.id().epoch())
                .containsExactly(4, 3);

        store.quarantine(new EpochId(0, 4), "does not restore");
        assertThat(ledger.drillFailed(new EpochId(0, 2), "an earlier image is missing"))
                .as("a drill that was under way when it had its turn")
                .isEqualTo(EpochLedger.Drilled.PAST);
        assertRestores(Objects.requireNonNull(ledger.resumePoint().manifest()));

        store.quarantine(new EpochId(0, 3), "does not restore");
        EpochLedger.ResumePoint point = ledger.resumePoint();
        assertThat(point.manifest()).isNull();
        assertThat(point.skipped()).noneMatch(SnapshotStore.Skipped::isDamaged);
        assertThat(point.skipped().getLast().reason()).contains("later ones", "snapshot 0 of generation 0", "not kept");
        assertThat(ledger.passedOver())
                .as("nothing to wait for, before the job begins anew")
                .isEmpty();
    }

    /** A host's folder has the manifests of epochs whose images it keeps: what these refer to is there, without one. */
    @Test
    void shouldFindAnEpochAlthoughWhatItRefersToHasNoManifestHere() throws IOException {
        keepEpochsForOneRanksSake();
        Files.delete(folder.resolve("g0-e1/manifest"));

        EpochManifest found = Objects.requireNonNull(store.find(4));
        assertThat(found.oldestNeeded().epoch()).isLessThan(4);
        assertRestores(found);
        assertThat(store.committed().getFirst()).isEqualTo(found);
    }

    @Test
    void shouldRemoveWhatIsKeptForTheSakeOfLaterOnesWithThem() throws IOException {
        keepEpochsForOneRanksSake();
        store.quarantine(new EpochId(0, 4), "does not restore");
        store.quarantine(new EpochId(0, 3), "does not restore");
        job.forget();
        for (int epoch = 5; epoch < 7; epoch++) {
            assertRestores(job.commit(epoch));
            store.retain(2);
        }
        assertThat(store.committed())
                .extracting(manifest -> manifest.id().epoch())
                .containsExactly(6, 5);
        assertThat(folder.resolve("g0-e2")).doesNotExist();
        assertThat(folder.resolve("g0-e1")).doesNotExist();
    }

    /** As a launcher that dies in the middle of it leaves it. */
    @Test
    void shouldRemoveFirstWhatOthersMayBeIncrementsTo() throws IOException {
        job.commit(0);
        job.commit(1);
        List<String> removed = new ArrayList<>();
        FileSnapshotStore watched =
                FileSnapshotStore.at(folder, (FolderForce) forced -> removed.add(forced.toString()));
        job.forget();
        job.commit(2);
        job.commit(3);
        watched.retain(2);
        assertThat(removed)
                .containsSubsequence(
                        folder.resolve("g0-e0").toString(),
                        folder.resolve("g0-e1").toString());
    }
}
