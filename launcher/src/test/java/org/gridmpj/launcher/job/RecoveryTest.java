package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.gridmpj.checkpoint.EpochId;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.FileSnapshotStore;
import org.gridmpj.checkpoint.ImageCorruptException;
import org.gridmpj.checkpoint.ImageSite;
import org.gridmpj.checkpoint.ImagesUnknownException;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class RecoveryTest {
    private static final int SIZE = 3;
    private static final int RANK = 1;

    @TempDir
    Path root;

    private IdleRanks job;
    private Recovery recovery;
    private List<Process> before;

    @BeforeEach
    void begin() throws IOException {
        job = new IdleRanks(root, SIZE);
        recovery = new Recovery("idle", job.coordination, null, job.ranks, job.streams, () -> {});
        recovery.begin(Beginning.NEW);
        before = processes();
    }

    @AfterEach
    void end() {
        job.close();
        before.forEach(Process::destroyForcibly);
    }

    private List<Process> processes() {
        return Stream.of(job.ranks.all()).map(slot -> slot.process).toList();
    }

    private void rollBack() throws Exception {
        job.ranks.slot(RANK).process.destroyForcibly().waitFor();
        assertThat(recovery.rollback("rank 1 was killed", true)).isTrue();
    }

    @Test
    void shouldStartEachRankInAFreshProcessAndLeaveNoneOfTheLifeBefore() throws Exception {
        rollBack();
        assertThat(before).noneMatch(Process::isAlive);
        assertThat(processes())
                .hasSize(SIZE)
                .doesNotContainAnyElementsOf(before)
                .allMatch(Process::isAlive);
    }

    @Test
    void shouldRaiseGenerationAndIncarnationsSoThatNobodyOfTheLifeBeforeIsLetIn() throws Exception {
        rollBack();
        assertThat(recovery.generation()).isEqualTo(1);
        assertThat(job.coordination.generation()).isEqualTo(1);
        assertThat(job.ranks.job().generation()).isEqualTo(1);
        for (RankSlot slot : job.ranks.all()) {
            assertThat(slot.life).isEqualTo(1);
            assertThat(slot.incarnation).isEqualTo(1);
            assertThat(job.coordination.incarnation(slot.worldRank)).isEqualTo(1);
        }
    }

    @Test
    void shouldNotGoBackWhenAnotherLauncherHasTakenTheJobOver() throws Exception {
        assertThat(job.coordination.raiseGeneration(0)).isTrue();
        assertThat(recovery.rollback("rank 1 was killed", true)).isFalse();
        assertThat(recovery.generation()).isZero();
        assertThat(processes()).noneMatch(Process::isAlive);
    }

    @Test
    void shouldNameAlsoARankThatDiedBeforeTheOthersWereBack() throws Exception {
        rollBack();
        job.ranks.slot(2).process.destroyForcibly().waitFor();
        assertThat(recovery.rollback("rank 2 was killed", true)).isTrue();
        assertThat(recovery.resumption()).startsWith("rank 1 was killed, then rank 2 was killed: no snapshot yet");
        recovery.announce();
        assertThat(recovery.rollback("rank 0 is to move", false)).isTrue();
        assertThat(recovery.resumption()).startsWith("rank 0 is to move: no snapshot yet");
    }

    /** Images at hosts that may be away. */
    private static final class Away implements ImageSite {
        boolean isAway;
        boolean isKnownToComeBack;

        @Override
        public void require(RankImage image) {
            // all are there when they are written
        }

        @Override
        public void verify(EpochManifest manifest, RankImage image) throws IOException {
            if (isAway && isKnownToComeBack) {
                throw new ImagesUnknownException("rank " + image.worldRank() + " may be whole at host b");
            }
            if (isAway) {
                throw new ImageCorruptException("both hosts of rank " + image.worldRank() + " are away");
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

    /** What the program has in files is of the earlier time by then. */
    @Test
    void shouldNotGoForwardToASnapshotThatIsThereAgainWhenItHasGoneOnFromAnEarlierState() throws Exception {
        Away hosts = new Away();
        commitAt(hosts, () -> {});
        hosts.isAway = true;
        assertThatThrownBy(() -> recovery.begin(Beginning.LATEST))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("snapshot 0 of generation 0 cannot be read now: both hosts of rank 0 are away")
                .hasMessageContaining("--earlier it goes on from its beginning");
        hosts.isAway = false;
        rollBack();
        assertThat(recovery.resumedEpoch()).as("nothing is lost").isZero();

        hosts.isAway = true;
        rollBack();
        assertThat(recovery.resumedEpoch()).isEqualTo(-1);
        hosts.isAway = false;
        rollBack();
        assertThat(recovery.resumedEpoch()).isEqualTo(-1);
    }

    private void commitAt(Away hosts, Runnable changed) throws IOException {
        Snapshots snapshots = new Snapshots(
                FileSnapshotStore.at(Files.createDirectory(root.resolve("snapshots")), hosts),
                "idle",
                SIZE,
                0,
                new Announcements(job.coordination, Runnable::run, text -> {}),
                null,
                System::nanoTime,
                text -> {});
        recovery = new Recovery("idle", job.coordination, snapshots, job.ranks, job.streams, changed);
        for (int rank = 0; rank < SIZE; rank++) {
            String file = "g0-e0/rank-" + rank + ".image";
            snapshots.written(
                    0, rank, new ControlMessage.SnapshotWritten(0, file, 1, 2, 0, 0, 0, 0, 0), job.ranks.all());
        }
        assertThat(snapshots.latestEpoch()).isZero();
    }

    /** The same job, and whether other hosts come is for the test to say. */
    private void beginAtHosts(Away hosts, LongPredicate comeWithin, Runnable changed) throws IOException {
        end();
        Path folder = Files.createDirectory(root.resolve("hosts"));
        job = new IdleRanks(folder, SIZE, here -> (RankPlaces) Proxy.newProxyInstance(
                RankPlaces.class.getClassLoader(), new Class<?>[] {RankPlaces.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("awaitOthers")) {
                        return comeWithin.test((long) arguments[0]);
                    }
                    return method.invoke(here, arguments);
                }));
        recovery = new Recovery("idle", job.coordination, null, job.ranks, job.streams, () -> {});
        recovery.begin(Beginning.NEW);
        before = processes();
        commitAt(hosts, changed);
        hosts.isAway = true;
        hosts.isKnownToComeBack = true;
    }

    @Test
    void shouldWaitForTheHostsOfTheLastSnapshotAndGoBackToItWhenTheyAreThere() throws Exception {
        Away hosts = new Away();
        List<Long> waits = new ArrayList<>();
        List<String> awaited = new ArrayList<>();
        beginAtHosts(
                hosts,
                nanos -> {
                    assertThat(processes()).as("nothing is begun").noneMatch(Process::isAlive);
                    assertThat(nanos).isBetween(TimeUnit.SECONDS.toNanos(200), TimeUnit.SECONDS.toNanos(300));
                    waits.add(nanos);
                    hosts.isAway = waits.size() == 1; // at first others come, which have it not
                    return true;
                },
                () -> awaited.add(recovery.awaited()));
        rollBack();
        assertThat(waits).hasSize(2);
        assertThat(awaited)
                .containsExactly("snapshot 0 of generation 0 cannot be read now: rank 0 may be whole at host b", "");
        assertThat(recovery.resumedEpoch()).isZero();
        assertThat(processes()).allMatch(Process::isAlive);
    }

    @Test
    void shouldWaitForZooKeeperBeforeAllGoBack() throws Exception {
        AtomicInteger silent = new AtomicInteger();
        Coordination quiet = (Coordination) Proxy.newProxyInstance(
                Coordination.class.getClassLoader(),
                new Class<?>[] {Coordination.class},
                (proxy, method, arguments) -> {
                    if (silent.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        throw new CoordinationFailure("ZooKeeper at h0:2181 has not answered", null, true);
                    }
                    return method.invoke(job.coordination, arguments);
                });
        List<String> awaited = new ArrayList<>();
        recovery = new Recovery("idle", quiet, null, job.ranks, job.streams, () -> awaited.add(recovery.awaited()));
        silent.set(2);
        rollBack();
        assertThat(awaited).containsExactly("ZooKeeper at h0:2181 has not answered", "");
        assertThat(recovery.generation()).isEqualTo(1);
        assertThat(processes()).allMatch(Process::isAlive);

        silent.set(Integer.MAX_VALUE);
        recovery.endsAt(job.ranks.machine().nanoTime());
        assertThatThrownBy(this::rollBack)
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.exitCode()).isEqualTo(LocalJob.TIMEOUT_EXIT_CODE));
        assertThat(job.coordination.generation()).isEqualTo(1);
    }

    @Test
    void shouldEndAndKeepAllWhenTheHostsOfTheLastSnapshotDoNotComeBack() throws Exception {
        beginAtHosts(new Away(), nanos -> false, () -> {});
        assertThatThrownBy(this::rollBack)
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.exitCode()).isEqualTo(1))
                .hasMessage(
                        "after 300 s nothing is begun, since snapshot 0 of generation 0 cannot be read now: rank 0 may"
                                + " be whole at host b. When that is mended (mpjctl hosts shows which hosts there are) resume the"
                                + " job again; with --earlier it goes on from its beginning instead");
        assertThat(recovery.awaited()).isEmpty();
        assertThat(processes()).noneMatch(Process::isAlive);
    }

    @Test
    void shouldNotWaitForHostsForLongerThanTheJobHasTime() throws Exception {
        List<Long> waits = new ArrayList<>();
        beginAtHosts(
                new Away(),
                nanos -> {
                    waits.add(nanos);
                    job.skip(Duration.ofNanos(nanos));
                    return false;
                },
                () -> {});
        recovery.endsAt(job.ranks.machine().nanoTime() + TimeUnit.SECONDS.toNanos(20));
        assertThatThrownBy(this::rollBack)
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.exitCode()).isEqualTo(LocalJob.TIMEOUT_EXIT_CODE))
                .hasMessageStartingWith("the job's time is over; it waits, since snapshot 0 of");
        assertThat(waits)
                .singleElement()
                .satisfies(nanos -> assertThat(nanos).isBetween(0L, TimeUnit.SECONDS.toNanos(20)));
    }

    @Test
    void shouldNotTakeTheEndOfAConnectionForADeath() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        job.ranks
                .slot(RANK)
                .connect(
                        new ControlLine() {
                            @Override
                            public void send(ControlMessage message) {
                                // nobody is there
                            }

                            @Override
                            public @Nullable ControlMessage receive() {
                                return null;
                            }

                            @Override
                            public void close() {
                                closed.countDown();
                            }
                        },
                        job.events::add);
        closed.await();
        assertThat(job.events).isEmpty();
        assertThat(processes()).allMatch(Process::isAlive);
    }
}
