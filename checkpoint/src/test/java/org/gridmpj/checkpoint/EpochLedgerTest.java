package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.gridmpj.job.control.ControlMessage.SnapshotFailed;
import org.gridmpj.job.control.ControlMessage.SnapshotWritten;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EpochLedgerTest {
    private static final int SIZE = 3;

    @TempDir
    Path folder;

    private FileSnapshotStore store = FileSnapshotStore.at(Path.of("unset"));

    @BeforeEach
    void open() {
        store = FileSnapshotStore.at(folder);
    }

    private EpochLedger ledger() {
        return new EpochLedger(store, Images.JOB, SIZE, 0);
    }

    private EpochLedger.Outcome report(EpochLedger ledger, int generation, int epoch, int worldRank)
            throws IOException {
        return ledger.written(worldRank, Images.store(store, SIZE, worldRank, new EpochId(generation, epoch)));
    }

    private EpochLedger.Outcome reportAll(EpochLedger ledger, int generation, int epoch) throws IOException {
        report(ledger, generation, epoch, 2);
        report(ledger, generation, epoch, 0);
        return report(ledger, generation, epoch, 1);
    }

    @Test
    void shouldCommitWhenTheLastRankHasReported() throws IOException {
        EpochLedger ledger = ledger();
        assertThat(report(ledger, 0, 0, 2)).isEqualTo(new EpochLedger.Outcome.Open(2));
        assertThat(report(ledger, 0, 0, 0)).isEqualTo(new EpochLedger.Outcome.Open(1));
        assertThat(ledger.resumePoint().resumeEpoch()).isEqualTo(-1);
        assertThat(report(ledger, 0, 0, 1)).isInstanceOfSatisfying(EpochLedger.Outcome.Committed.class, committed -> {
            assertThat(committed.manifest().id()).isEqualTo(new EpochId(0, 0));
            assertThat(committed.manifest().images().get(1).stdoutBytes()).isEqualTo(10);
        });
        assertThat(ledger.resumePoint().resumeEpoch()).isZero();
    }

    @Test
    void shouldNotCommitWhenTheLastRankHasNotReported() throws IOException {
        EpochLedger ledger = ledger();
        assertThat(report(ledger, 0, 0, 0)).isEqualTo(new EpochLedger.Outcome.Open(2));
        assertThat(report(ledger, 0, 0, 1)).isEqualTo(new EpochLedger.Outcome.Open(1));
        assertThat(ledger.resumePoint().resumeEpoch()).isEqualTo(-1);
    }

    @Test
    void shouldKeepTheLastTwoWhenMoreAreCommitted() throws IOException {
        EpochLedger ledger = ledger();
        for (int epoch = 0; epoch < 4; epoch++) {
            assertThat(reportAll(ledger, 0, epoch)).isInstanceOf(EpochLedger.Outcome.Committed.class);
        }
        assertThat(ledger.committed())
                .extracting(EpochManifest::id)
                .containsExactly(new EpochId(0, 3), new EpochId(0, 2));
    }

    @Test
    void shouldAbandonTheEpochWhenARankFails() throws IOException {
        EpochLedger ledger = ledger();
        reportAll(ledger, 0, 0);
        report(ledger, 0, 1, 0);
        assertThat(ledger.failed(1, new SnapshotFailed(1, "No space left on device")))
                .isEqualTo(new EpochLedger.Outcome.Abandoned(1, "rank 1: No space left on device"));
        // The third rank was still writing: its image goes too, and nothing is said twice.
        assertThat(report(ledger, 0, 1, 2)).isEqualTo(new EpochLedger.Outcome.Open(0));
        assertThat(ledger.failed(0, new SnapshotFailed(1, "too"))).isEqualTo(new EpochLedger.Outcome.Open(0));
        assertThat(Files.exists(folder.resolve("g0-e1"))).isFalse();
        assertThat(ledger.resumePoint().resumeEpoch()).isZero();
        assertThat(reportAll(ledger, 0, 2)).isInstanceOf(EpochLedger.Outcome.Committed.class);
    }

    @Test
    void shouldAbandonWhenAnImageHasGone() throws IOException {
        EpochLedger ledger = ledger();
        report(ledger, 0, 0, 0);
        report(ledger, 0, 0, 1);
        Files.delete(folder.resolve("g0-e0").resolve("rank-0.image"));
        assertThat(report(ledger, 0, 0, 2)).isInstanceOf(EpochLedger.Outcome.Abandoned.class);
        assertThat(ledger.resumePoint().resumeEpoch()).isEqualTo(-1);
    }

    @Test
    void shouldNotCommitAnEpochBehindALaterOne() throws IOException {
        EpochLedger ledger = ledger();
        report(ledger, 0, 1, 0);
        report(ledger, 0, 1, 1);
        assertThat(reportAll(ledger, 0, 2)).isInstanceOf(EpochLedger.Outcome.Committed.class);
        assertThat(report(ledger, 0, 1, 2))
                .isEqualTo(new EpochLedger.Outcome.Abandoned(1, "a later one is committed already"));
        assertThat(Files.exists(folder.resolve("g0-e1"))).isFalse();
        assertThat(ledger.resumePoint().resumeEpoch()).isEqualTo(2);
        ledger.beginGeneration(1);
        assertThat(reportAll(ledger, 1, 0)).isInstanceOf(EpochLedger.Outcome.Committed.class);
    }

    @Test
    void shouldVoidOpenEpochsWhenAGenerationBegins() throws IOException {
        EpochLedger ledger = ledger();
        reportAll(ledger, 0, 0);
        report(ledger, 0, 1, 0);
        report(ledger, 0, 1, 1);
        ledger.beginGeneration(1);
        assertThat(Files.exists(folder.resolve("g0-e1"))).isFalse();
        assertThat(report(ledger, 1, 1, 2)).isEqualTo(new EpochLedger.Outcome.Open(2));
        report(ledger, 1, 1, 0);
        assertThat(report(ledger, 1, 1, 1)).isInstanceOf(EpochLedger.Outcome.Committed.class);
        assertThat(ledger.resumePoint().resumeEpoch()).isEqualTo(1);
    }

    @Test
    void shouldGoToTheOneBeforeWhenAnEpochHasFailedTwice() throws IOException {
        EpochLedger ledger = ledger();
        reportAll(ledger, 0, 0);
        reportAll(ledger, 0, 1);
        assertThat(ledger.resumePoint().resumeEpoch()).isEqualTo(1);
        assertThat(ledger.restoreFailed(2, "class Foo is gone")).isFalse();
        // The other ranks meet the same: one attempt counts once.
        assertThat(ledger.restoreFailed(0, "class Foo is gone")).isFalse();
        ledger.beginGeneration(1);
        assertThat(ledger.resumePoint().resumeEpoch()).isEqualTo(1);
        assertThat(ledger.restoreFailed(1, "class Foo is gone")).isTrue();
        ledger.beginGeneration(2);
        EpochLedger.ResumePoint point = ledger.resumePoint();
        assertThat(point.resumeEpoch()).isZero();
        assertThat(point.skipped()).hasSize(1);
        assertThat(point.skipped().getFirst().reason()).contains("rank 1: class Foo is gone");
    }

    @Test
    void shouldGoToTheOneBeforeWhenADrillPutsAnEpochAsideWhileRanksGoBackToIt() throws IOException {
        EpochLedger ledger = ledger();
        reportAll(ledger, 0, 0);
        reportAll(ledger, 0, 1);
        EpochLedger.ResumePoint point = ledger.resumePoint();
        assertThat(point.resumeEpoch()).isEqualTo(1);
        assertThat(ledger.drillFailed(new EpochId(0, 1), "another content")).isEqualTo(EpochLedger.Drilled.PUT_ASIDE);
        assertThat(ledger.drillFailed(new EpochId(0, 1), "another content")).isEqualTo(EpochLedger.Drilled.PAST);
        assertThat(ledger.restoreFailed(2, "its image is not there")).isTrue();
        ledger.beginGeneration(1);
        assertThat(ledger.resumePoint().resumeEpoch()).isZero();
    }

    private static SnapshotWritten incrementTo(int fullEpoch, SnapshotWritten written) {
        return new SnapshotWritten(
                written.epoch(),
                written.file(),
                written.bytes(),
                written.crc32c(),
                fullEpoch,
                written.stallNanos(),
                written.stdoutBytes(),
                written.stderrBytes(),
                written.stdinBytes());
    }

    /** Increments are by rank: of an epoch that others need, the images of some ranks may lack what they are increments to. */
    @Test
    void shouldMoveNothingThatALaterEpochRefersTo() throws IOException {
        EpochLedger ledger = ledger();
        reportAll(ledger, 0, 0);
        for (int epoch = 1; epoch <= 3; epoch++) {
            for (int rank = 0; rank < SIZE; rank++) {
                // rank 0's images are increments to that of epoch 1, the others are full
                SnapshotWritten written = Images.store(store, SIZE, rank, new EpochId(0, epoch));
                ledger.written(rank, rank == 0 ? incrementTo(1, written) : written);
            }
        }
        assertThat(store.committed())
                .extracting(manifest -> manifest.id().epoch())
                .containsExactly(3, 2, 1);
        assertThat(ledger.drillFailed(new EpochId(0, 1), "an earlier image is missing"))
                .isEqualTo(EpochLedger.Drilled.PAST);
        assertThat(ledger.drillFailed(new EpochId(0, 2), "block 3 differs")).isEqualTo(EpochLedger.Drilled.REFERRED_TO);
        assertThat(store.committed()).hasSize(3);
        assertThat(ledger.drillFailed(new EpochId(0, 3), "block 3 differs")).isEqualTo(EpochLedger.Drilled.PUT_ASIDE);
        assertThat(ledger.resumePoint().resumeEpoch()).isEqualTo(2);
    }

    /** As on hosts that go and come back: what cannot be had now is not damaged. */
    private static final class Elsewhere implements ImageSite {
        @Nullable
        EpochId away;

        @Override
        public void require(RankImage image) {
            // all are there when they are written
        }

        @Override
        public void verify(EpochManifest manifest, RankImage image) throws IOException {
            if (manifest.id().equals(away)) {
                throw new ImageCorruptException("the host of rank " + image.worldRank() + " is away");
            }
        }

        @Override
        public boolean isOwnFolder() {
            return false;
        }

        @Override
        public void sweep(int generation, Set<EpochId> committed) {
            // nothing is left
        }

        @Override
        public void removed(EpochId id) {
            // nobody is told
        }
    }

    @Test
    void shouldNotGoForwardToAnEpochThatIsThereAgainOnceTheJobHasGoneOnFromAnEarlierOne() throws IOException {
        Elsewhere hosts = new Elsewhere();
        store = FileSnapshotStore.at(folder, hosts);
        EpochLedger ledger = ledger();
        reportAll(ledger, 0, 0);
        reportAll(ledger, 0, 1);
        hosts.away = new EpochId(0, 1);
        assertThat(ledger.resumePoint().resumeEpoch()).isZero();
        hosts.away = null;
        assertThat(ledger.resumePoint().resumeEpoch()).as("nobody has gone on").isEqualTo(1);
        assertThat(ledger.begin()).isEmpty();

        hosts.away = new EpochId(0, 1);
        assertThat(ledger.resumePoint().resumeEpoch()).isZero();
        assertThat(ledger.begin()).containsExactly(new EpochId(0, 1));
        hosts.away = null;
        assertThat(ledger.resumePoint().resumeEpoch()).isZero();
        assertThat(ledger.begin()).isEmpty();
    }

    /** What it is an increment to comes back with no host: nobody is to wait for that. */
    @Test
    void shouldNotWaitForAnEpochThatIsKeptForTheSakeOfLaterOnes() throws IOException {
        Elsewhere hosts = new Elsewhere();
        store = FileSnapshotStore.at(folder, hosts);
        EpochLedger ledger = ledger();
        reportAll(ledger, 0, 0);
        for (int epoch = 1; epoch <= 3; epoch++) {
            for (int rank = 0; rank < SIZE; rank++) {
                // from epoch 1 on rank 0's images are increments to the one there, where the others' are to epoch 0
                SnapshotWritten written = Images.store(store, SIZE, rank, new EpochId(0, epoch));
                int fullEpoch = rank == 0 ? 1 : epoch == 1 ? 0 : epoch;
                ledger.written(rank, incrementTo(fullEpoch, written));
            }
        }
        hosts.away = new EpochId(0, 1);
        store.quarantine(new EpochId(0, 3), "does not restore");
        store.quarantine(new EpochId(0, 2), "does not restore");
        assertThat(ledger.resumePoint().resumeEpoch()).isEqualTo(-1);
        assertThat(ledger.passedOver()).isEmpty();
    }

    @Test
    void shouldStartAgainWhenNoEpochIsLeft() throws IOException {
        EpochLedger ledger = ledger();
        reportAll(ledger, 0, 0);
        store.quarantine(new EpochId(0, 0), "bad");
        assertThat(ledger.resumePoint().resumeEpoch()).isEqualTo(-1);
        assertThat(ledger.restoreFailed(0, "nothing was resumed")).isFalse();
    }

    @Test
    void shouldGoOnWhenTheLauncherWasKilled() throws IOException {
        reportAll(ledger(), 0, 0);
        report(ledger(), 0, 1, 0);
        EpochLedger next = new EpochLedger(store, Images.JOB, SIZE, 0);
        next.beginGeneration(1);
        assertThat(next.resumePoint().resumeEpoch()).isZero();
        assertThat(reportAll(next, 1, 1)).isInstanceOf(EpochLedger.Outcome.Committed.class);
    }
}
