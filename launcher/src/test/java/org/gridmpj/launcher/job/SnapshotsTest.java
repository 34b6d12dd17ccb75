package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.gridmpj.checkpoint.EpochId;
import org.gridmpj.checkpoint.FileSnapshotStore;
import org.gridmpj.checkpoint.SnapshotDrill;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.coordination.FolderCoordination;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotsTest {
    @TempDir
    Path folder;

    private final List<String> said = new ArrayList<>();

    private void commit(Snapshots snapshots, int epoch, long stdinBytes) throws IOException {
        write(snapshots, epoch, 0, 1, stdinBytes);
        assertThat(snapshots.latestEpoch()).isEqualTo(epoch);
    }

    private Snapshots snapshots() throws IOException {
        return snapshots(1, System::nanoTime);
    }

    private Snapshots snapshots(int size, LongSupplier nanoTime) throws IOException {
        return new Snapshots(
                FileSnapshotStore.at(folder),
                "job",
                size,
                0,
                new Announcements(new FolderCoordination(folder), Runnable::run, text -> {}),
                null,
                nanoTime,
                said::add);
    }

    private void write(Snapshots snapshots, int epoch, int worldRank, long bytes, long stdinBytes) throws IOException {
        String file = "g0-e" + epoch + "/rank-" + worldRank + ".image";
        Path image = folder.resolve(file);
        Files.createDirectories(image.getParent());
        try (RandomAccessFile sized = new RandomAccessFile(image.toFile(), "rw")) {
            sized.setLength(bytes);
        }
        snapshots.written(
                0, worldRank, new ControlMessage.SnapshotWritten(epoch, file, bytes, 0, epoch, 0, 0, 0, stdinBytes));
    }

    private static JobEvent.Drilled drilled(SnapshotDrill.Verdict verdict, int epoch, String problem, String remedy) {
        return new JobEvent.Drilled(
                new SnapshotDrill.Result(verdict, new EpochId(0, epoch), problem),
                0,
                remedy.isEmpty() ? "" : "b",
                remedy.isEmpty() ? Drills.Remedy.NONE : new Drills.Remedy(remedy, true));
    }

    @Test
    void shouldKeepTheInputSinceTheOlderOfTheTwoEpochsThatAreKept() throws IOException {
        Snapshots snapshots = snapshots();
        assertThat(snapshots.keptStdin()).isZero();
        commit(snapshots, 0, 10);
        assertThat(snapshots.keptStdin()).isZero();
        commit(snapshots, 1, 20);
        assertThat(snapshots.keptStdin()).isEqualTo(10);
        commit(snapshots, 2, 30);
        assertThat(snapshots.keptStdin()).isEqualTo(20);
    }

    @Test
    void shouldKeepTheInputSinceTheEpochBeforeWhenADrillPutsTheLastOneAside() throws IOException {
        try (IdleRanks idle = new IdleRanks(Files.createDirectory(folder.resolve("ranks")), 1)) {
            Snapshots snapshots = snapshots();
            commit(snapshots, 0, 10);
            commit(snapshots, 1, 20);
            snapshots.drilled(drilled(SnapshotDrill.Verdict.DAMAGED, 1, "another content", ""), idle.ranks);
            assertThat(snapshots.isLatestAside()).isTrue();
            commit(snapshots, 2, 30);
            assertThat(snapshots.isLatestAside()).isFalse();
            assertThat(FileSnapshotStore.at(folder).committed())
                    .extracting(manifest -> manifest.id().epoch())
                    .containsExactly(2, 0);
            assertThat(snapshots.keptStdin()).isEqualTo(10);
        }
    }

    @Test
    void shouldKeepWhatIsWholeAtAnotherHost() throws IOException {
        try (IdleRanks idle = new IdleRanks(Files.createDirectory(folder.resolve("ranks")), 1)) {
            Snapshots snapshots = snapshots();
            commit(snapshots, 0, 10);
            snapshots.drilled(
                    drilled(SnapshotDrill.Verdict.DAMAGED, 0, "block 3 differs", "it was copied there again"),
                    idle.ranks);
            assertThat(said)
                    .containsExactly(
                            "snapshot 0: the image of rank 0 at host b was damaged (block 3 differs); it was copied"
                                    + " there again");
            assertThat(snapshots.drilled()).startsWith("epoch 0, rank 0 at host b: was damaged");
            assertThat(snapshots.isLatestAside()).isFalse();
            assertThat(FileSnapshotStore.at(folder).committed()).hasSize(1);
        }
    }

    @Test
    void shouldKeepWhatIsOfAnotherProgramAndSayItOnce() throws IOException {
        try (IdleRanks idle = new IdleRanks(Files.createDirectory(folder.resolve("ranks")), 1)) {
            Snapshots snapshots = snapshots();
            commit(snapshots, 0, 10);
            snapshots.drilled(drilled(SnapshotDrill.Verdict.OTHER_PROGRAM, 0, "another class", ""), idle.ranks);
            commit(snapshots, 1, 20);
            snapshots.drilled(drilled(SnapshotDrill.Verdict.OTHER_PROGRAM, 1, "another class", ""), idle.ranks);
            assertThat(said).singleElement().asString().contains("snapshot 0 is whole, but rank 0", "another class");
            assertThat(snapshots.drilled()).contains("epoch 1, rank 0", "another class");
            assertThat(snapshots.isLatestAside()).isFalse();
            assertThat(FileSnapshotStore.at(folder).committed()).hasSize(2);
        }
    }

    @Test
    void shouldAskTheRanksOfAnotherLifeForTheSnapshotThatThoseBeforeHaveNotTaken() throws IOException {
        try (IdleRanks idle = new IdleRanks(Files.createDirectory(folder.resolve("ranks")), 1)) {
            List<ControlMessage> told = new ArrayList<>();
            idle.ranks.prepare(0, null);
            idle.ranks.start(0, null);
            RankSlot rank = idle.ranks.slot(0);
            rank.connect(new KeptLine(told), idle.events::add);
            ControlMessage.CheckpointNow now = new ControlMessage.CheckpointNow("the job is to end");
            Snapshots snapshots = snapshots();
            snapshots.remind(idle.ranks);
            assertThat(told).as("nobody wants one").isEmpty();

            snapshots.want("the job is to end", idle.ranks);
            snapshots.remind(idle.ranks);
            assertThat(told).containsExactly(now, now);

            commit(snapshots, 0, 0);
            told.clear();
            snapshots.remind(idle.ranks);
            assertThat(told).as("it is there").isEmpty();
            rank.process.destroyForcibly();
        }
    }

    @Test
    void shouldSayWhoseImageASnapshotWaitsFor() throws IOException {
        try (IdleRanks idle = new IdleRanks(Files.createDirectory(folder.resolve("ranks")), 3)) {
            idle.ranks.prepare(0, null);
            idle.ranks.start(0, null);
            AtomicLong nanos = new AtomicLong();
            Snapshots snapshots = snapshots(3, nanos::get);
            LongConsumer tickAt = seconds -> {
                nanos.set(TimeUnit.SECONDS.toNanos(seconds));
                snapshots.tick(nanos.get(), idle.ranks.all());
            };
            tickAt.accept(0);
            write(snapshots, 7, 0, 20_000_000, 0);
            tickAt.accept(1000);
            tickAt.accept(1061);
            assertThat(said).isEmpty();
            assertThat(snapshots.unfinished()).isEmpty();
            tickAt.accept(1062);
            String late = "snapshot 7 is not complete after 62 s: the image of rank 1, and of 1 more, is missing";
            assertThat(said).singleElement().asString().startsWith(late);
            assertThat(snapshots.unfinished()).isEqualTo(late);
            write(snapshots, 7, 1, 20_000_000, 0);
            tickAt.accept(1070);
            assertThat(said).as("once").hasSize(1);
            write(snapshots, 7, 2, 20_000_000, 0);
            assertThat(snapshots.latestEpoch()).isEqualTo(7);
            assertThat(said.getLast()).isEqualTo("snapshot 7 is complete, after 70.0 s");
            assertThat(snapshots.unfinished()).isEmpty();

            tickAt.accept(2000);
            write(snapshots, 8, 1, 1, 0);
            tickAt.accept(2000);
            tickAt.accept(2060);
            assertThat(said.getLast())
                    .startsWith("snapshot 8 is not complete after 60 s: the image of rank 0, and of 1");
            snapshots.failed(0, 0, new ControlMessage.SnapshotFailed(8, "the disk is full"));
            assertThat(snapshots.unfinished()).isEqualTo("snapshot 8 was given up: rank 0: the disk is full");
        }
    }

    @Test
    void shouldShowWhatTheJobWouldGoBackToAndWhyNoLaterOneCameAbout() throws IOException {
        Snapshots snapshots = snapshots();
        assertThat(snapshots.usableEpoch()).isEqualTo(-1);
        commit(snapshots, 0, 0);
        commit(snapshots, 1, 0);
        assertThat(snapshots.usableEpoch()).isEqualTo(1);
        try (IdleRanks idle = new IdleRanks(Files.createDirectory(folder.resolve("ranks")), 1)) {
            snapshots.drilled(drilled(SnapshotDrill.Verdict.DAMAGED, 1, "another content", ""), idle.ranks);
        }
        assertThat(snapshots.latestEpoch()).isEqualTo(1);
        assertThat(snapshots.usableEpoch()).as("not one in quarantine").isZero();

        snapshots.failed(0, 0, new ControlMessage.SnapshotFailed(2, "the disk there has not taken it within 300 s"));
        assertThat(snapshots.unfinished())
                .isEqualTo("snapshot 2 was given up: rank 0: the disk there has not taken it within 300 s");
        commit(snapshots, 3, 0);
        assertThat(snapshots.unfinished()).isEmpty();
        assertThat(snapshots.usableEpoch()).isEqualTo(3);
    }
}
