package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.gridmpj.checkpoint.FileSnapshotStore;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.UserFolders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's part; the ranks are processes that do nothing, and the test says what they would. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class PlannedReturnTest {
    private static final int SIZE = 4;
    private static final int RANK = 2;
    private static final long LATER_NANOS = 21_000_000_000L;

    @TempDir
    Path root;

    private final List<ControlMessage> told = new ArrayList<>();
    private final List<ControlMessage> toldNext = new ArrayList<>();
    private IdleRanks idle;
    private LinkedBlockingQueue<JobEvent> events;
    private Ranks ranks;
    private Snapshots snapshots;
    private Recovery recovery;
    private LoneReturns returns;
    private Migration.Job job;
    private RankSlot before;

    @BeforeEach
    void begin() throws IOException {
        idle = new IdleRanks(root, SIZE);
        events = idle.events;
        ranks = idle.ranks;
        snapshots = new Snapshots(
                FileSnapshotStore.at(snapshotFolder()),
                "idle",
                SIZE,
                0,
                new Announcements(idle.coordination, Runnable::run, text -> {}),
                null,
                System::nanoTime,
                idle.streams::say);
        recovery = new Recovery("idle", idle.coordination, snapshots, ranks, idle.streams, () -> {});
        returns = new LoneReturns(
                ranks, idle.places, idle.coordination, idle.members, idle.streams, events::add, recovery, snapshots);
        job = idle.moving();
        ranks.prepare(0, null);
        ranks.start(0, null);
        before = ranks.slot(RANK);
        before.connect(new KeptLine(told), events::add);
        idle.meet();
    }

    @AfterEach
    void end() {
        returns.allGoBack();
        Successor next = before.successor;
        if (next != null) {
            next.slot.process.destroyForcibly();
        }
        idle.close();
    }

    private Path snapshotFolder() throws IOException {
        return UserFolders.createOwnerOnly(idle.folder.path().resolve("snapshots"));
    }

    private void commit(int epoch) throws IOException {
        for (int rank = 0; rank < SIZE; rank++) {
            String file = "g0-e" + epoch + "/rank-" + rank + ".image";
            Path image = snapshotFolder().resolve(file);
            Files.createDirectories(image.getParent());
            Files.write(image, new byte[1]);
            snapshots.written(
                    0, rank, new ControlMessage.SnapshotWritten(epoch, file, 1, 0, epoch, 0, 0, 0, 0), ranks.all());
        }
        assertThat(snapshots.latestEpoch()).isEqualTo(epoch);
    }

    private PlannedReturn plan() throws IOException {
        return PlannedReturn.begin(job, returns, null, RANK, "localhost");
    }

    /** The launcher reaps the process of the rank. */
    private void reap() throws InterruptedException {
        while (true) {
            if (events.take() instanceof JobEvent.Exited exited && exited.worldRank() == RANK) {
                before.exitStatus = exited.status();
                return;
            }
        }
    }

    /** The successor does what it does before it is told what to take over. */
    private Successor prepare(PlannedReturn move) {
        Successor next = Objects.requireNonNull(before.successor);
        ControlMessage.Hello hello = new ControlMessage.Hello(RANK, next.slot.incarnation, next.slot.process.pid());
        assertThat(move.isNext(RANK, hello.incarnation())).isTrue();
        move.connected(hello, new KeptLine(toldNext));
        move.nextSaid(new ControlMessage.Bound("127.0.0.1", 9, "here"));
        assertThat(told).noneMatch(ControlMessage.CheckpointNow.class::isInstance);
        move.nextSaid(new ControlMessage.Prepared());
        assertThat(told).anyMatch(ControlMessage.CheckpointNow.class::isInstance);
        return next;
    }

    @Test
    void shouldEndTheRankWhenItsSuccessorIsPreparedAndALaterSnapshotIsCommitted() throws Exception {
        commit(1);
        PlannedReturn move = plan();
        commit(2);
        move.tick(System.nanoTime());
        assertThat(before.leaving).isFalse();
        Successor next = prepare(move);
        move.tick(System.nanoTime());
        assertThat(before.leaving).isFalse();
        assertThat(before.process.isAlive()).isTrue();

        commit(3);
        move.tick(System.nanoTime());
        assertThat(before.leaving).isTrue();
        reap();
        assertThat(returns.begin("it", before)).isNull();
        move.tick(System.nanoTime());
        assertThat(move.isNext(RANK, next.slot.incarnation)).isFalse();
        assertThat(returns.isNext(RANK, next.slot.incarnation)).isTrue();
        arrive();
        assertThat(ranks.slot(RANK)).isSameAs(next.slot);
        move.tick(System.nanoTime());
        assertThat(move.isOver()).isFalse();
        assertThatThrownBy(this::plan).hasMessage("rank 2 went back alone and has not caught up: try again");

        LoneReturn itsReturn = Objects.requireNonNull(returns.of(RANK));
        returns.caughtUp(new ControlMessage.CaughtUp(RANK, 4));
        move.tick(System.nanoTime());
        assertThat(move.isOver()).isTrue();
        assertThat(move.failure()).isEmpty();
        assertThat(itsReturn.report())
                .startsWith("rank 2 has moved from process " + before.process.pid() + " to process "
                        + next.slot.process.pid() + ": it alone went back to snapshot 3 (");
        assertThat(toldNext.stream().filter(ControlMessage.GoBack.class::isInstance))
                .containsExactly(new ControlMessage.GoBack(3));
    }

    @Test
    void shouldGoBackInItsSuccessorWhenItDiesMeanwhile() throws Exception {
        commit(1);
        PlannedReturn move = plan();
        Successor next = Objects.requireNonNull(before.successor);
        before.process.destroyForcibly();
        reap();
        assertThat(returns.begin("it has died", before)).isNull();
        assertThat(move.isNext(RANK, next.slot.incarnation)).isFalse();
        // not prepared yet: what it says now goes to its return
        returns.connected(
                new ControlMessage.Hello(RANK, next.slot.incarnation, next.slot.process.pid()), new KeptLine(toldNext));
        returns.nextSaid(RANK, new ControlMessage.Bound("127.0.0.1", 9, "here"));
        returns.brought(RANK, "");
        assertThat(toldNext).noneMatch(ControlMessage.GoBack.class::isInstance);
        returns.nextSaid(RANK, new ControlMessage.Prepared());
        assertThat(toldNext).contains(new ControlMessage.GoBack(1));
        move.tick(System.nanoTime());
        returns.nextSaid(RANK, new ControlMessage.Arrived());
        returns.restored(RANK);
        String report = Objects.requireNonNull(returns.of(RANK)).report();
        assertThat(report).startsWith("it has died: it alone goes back to snapshot 1");
        returns.caughtUp(new ControlMessage.CaughtUp(RANK, 2));
        move.tick(System.nanoTime());
        assertThat(move.isOver()).isTrue();
        assertThat(move.failure()).isEmpty();
    }

    @Test
    void shouldEndTheSuccessorWhenTheRankStays() throws Exception {
        commit(1);
        PlannedReturn move = plan();
        Successor next = prepare(move);
        RankSlot other = ranks.slot(0);
        other.process.destroyForcibly();
        assertThat(returns.begin("rank 0", List.of(other))).isNull();
        move.tick(System.nanoTime());
        assertThat(move.failure()).isEqualTo("rank 0 went back alone and has not caught up: try again");
        assertThat(before.successor).isNull();
        assertThat(before.process.isAlive()).isTrue();
        assertThat(next.slot.process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(move.isNext(RANK, next.slot.incarnation)).isFalse();
    }

    @Test
    void shouldStayWhenTheSuccessorEndsOrCannotBePrepared() throws Exception {
        commit(1);
        PlannedReturn move = plan();
        move.nextExited(3);
        assertThat(move.failure()).isEqualTo("the new process has ended with status 3");
        assertThat(before.successor).isNull();
        move = plan();
        move.nextSaid(new ControlMessage.NotMoved("", "it has no room"));
        assertThat(move.failure()).isEqualTo("it has no room");
        move = plan();
        move.tick(System.nanoTime() + 61_000_000_000L);
        assertThat(move.failure()).isEqualTo("the new process is not ready after 60 s");
        assertThat(before.leaving).isFalse();
        assertThat(before.process.isAlive()).isTrue();
    }

    /** What the launcher hears of the next process once it is told what to take over. */
    private void arrive() throws IOException {
        returns.brought(RANK, "");
        returns.nextSaid(RANK, new ControlMessage.Arrived());
        assertThat(ranks.slot(RANK)).isNotSameAs(before);
        returns.restored(RANK);
    }

    @Test
    void shouldNotCountAsADeathWithoutProgress() throws Exception {
        commit(1);
        while (recovery.mayReturnAlone()) {
            assertThat(before.running()).isTrue();
        }
        prepare(plan());
        assertThat(returns.leave(before)).isNull();
        reap();
        assertThat(returns.begin("it", before)).isNull();
        arrive();
        returns.caughtUp(new ControlMessage.CaughtUp(RANK, 2));

        assertThat(returns.begin("it", List.of(ranks.slot(0)))).isEqualTo("it dies again and again");
    }

    @Test
    void shouldNotLetARankGoOnBackAloneWhenWhatItNeedsIsLost() throws Exception {
        commit(1);
        ControlMessage.NotAlone own = new ControlMessage.NotAlone(1, false, "it has cancelled a send");
        ControlMessage.NotAlone lost = new ControlMessage.NotAlone(1, true, "rank 3 cannot log what it sends");
        assertThat(returns.notAlone(3, own)).isNull();
        assertThat(returns.begin("it", List.of(ranks.slot(0)))).isNull();
        assertThat(returns.notAlone(1, own)).isNull();
        assertThat(returns.notAlone(3, lost))
                .isEqualTo("rank 3 cannot log what it sends, while rank 0 goes back alone");
    }

    @Test
    void shouldTakeWhatIsLostForAnObstacleWhenNobodyGoesBack() throws Exception {
        commit(1);
        assertThat(returns.notAlone(3, new ControlMessage.NotAlone(1, true, "rank 3 cannot log what it sends")))
                .isNull();
        assertThat(returns.begin("it", List.of(ranks.slot(0))))
                .isEqualTo("since its snapshot rank 3 cannot log what it sends");
    }

    @Test
    void shouldEndNothingWhenTheRankMayNotGoBackAlone() throws Exception {
        PlannedReturn move = plan();
        prepare(move);
        commit(1);
        returns.notAlone(RANK, new ControlMessage.NotAlone(1, false, "it has cancelled a send"));
        move.tick(System.nanoTime());
        assertThat(move.isOver()).isTrue();
        assertThat(move.failure()).isEqualTo("since its snapshot it has cancelled a send");
        assertThat(before.leaving).isFalse();
        assertThat(before.process.isAlive()).isTrue();
    }

    @Test
    void shouldEndNothingWithoutASnapshotAndSayWhyThereIsNone() throws Exception {
        PlannedReturn move = plan();
        prepare(move);
        snapshots.failed(0, 1, new ControlMessage.SnapshotFailed(0, "a socket"), ranks.all());
        move.tick(System.nanoTime());
        assertThat(move.isOver()).isFalse();
        move.tick(System.nanoTime() + LATER_NANOS);
        assertThat(move.failure())
                .isEqualTo("there is no snapshot yet; no snapshot was committed within 20 s (rank 1: a socket)");
        assertThat(before.process.isAlive()).isTrue();
    }

    @Test
    void shouldTakeTheLastSnapshotWhenNoLaterOneComes() throws Exception {
        commit(1);
        PlannedReturn move = plan();
        prepare(move);
        move.tick(System.nanoTime() + LATER_NANOS);
        assertThat(before.leaving).isTrue();
        reap();
        assertThat(returns.begin("it", before)).isNull();
        assertThat(move.failure()).isEmpty();
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        assertThatThrownBy(() -> PlannedReturn.begin(job, returns, null, SIZE, ""))
                .hasMessage("there is no rank 4");
        assertThatThrownBy(() -> PlannedReturn.begin(job, returns, null, RANK, "h9"))
                .hasMessageStartingWith("all ranks of this job are on the launcher's host");
        assertThat(told).noneMatch(ControlMessage.CheckpointNow.class::isInstance);
        assertThat(before.successor).isNull();
    }

    @Test
    void shouldNotBeTakenForTheNextTryWhenItsProcessEndsLate() throws Exception {
        commit(1);
        PlannedReturn move = plan();
        int incarnation = Objects.requireNonNull(before.successor).slot.incarnation;
        move.nextSaid(new ControlMessage.NotMoved("", "it has no room"));
        assertThat(move.isOver()).isTrue();
        assertThat(move.hasProcessLeft()).isTrue();
        assertThat(move.exited(RANK, before.incarnation, 137)).isFalse();

        JobEvent.Exited exited;
        do {
            exited = events.poll(30, TimeUnit.SECONDS) instanceof JobEvent.Exited next ? next : null;
        } while (exited == null || exited.incarnation() != incarnation);
        assertThat(move.exited(RANK, incarnation, exited.status())).isTrue();
        assertThat(move.hasProcessLeft()).isFalse();
        assertThat(move.exited(RANK, incarnation, exited.status()))
                .as("of a later process")
                .isFalse();
    }

    @Test
    void shouldHaveNoProcessLeftWhenThatIsWhyItFailed() throws Exception {
        commit(1);
        PlannedReturn move = plan();
        Successor next = Objects.requireNonNull(before.successor);
        assertThat(move.exited(RANK, next.slot.incarnation, 3)).isTrue();
        assertThat(move.failure()).isEqualTo("the new process has ended with status 3");
        assertThat(move.hasProcessLeft()).isFalse();
    }
}
