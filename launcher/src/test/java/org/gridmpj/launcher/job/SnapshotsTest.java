package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        String file = "g0-e" + epoch + "/rank-0.image";
        Path image = folder.resolve(file);
        Files.createDirectories(image.getParent());
        Files.write(image, new byte[1]);
        snapshots.written(0, 0, new ControlMessage.SnapshotWritten(epoch, file, 1, 0, epoch, 0, 0, 0, stdinBytes));
        assertThat(snapshots.latestEpoch()).isEqualTo(epoch);
    }

    private Snapshots snapshots() throws IOException {
        return new Snapshots(
                FileSnapshotStore.at(folder),
                "job",
                1,
                0,
                new Announcements(new FolderCoordination(folder), Runnable::run, text -> {}),
                null,
                System::nanoTime,
                said::add);
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
        assertThat(snapshots.lastGivenUp())
                .isEqualTo("snapshot 2 was given up: rank 0: the disk there has not taken it within 300 s");
        commit(snapshots, 3, 0);
        assertThat(snapshots.lastGivenUp()).isEmpty();
        assertThat(snapshots.usableEpoch()).isEqualTo(3);
    }
}
