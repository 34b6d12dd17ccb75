package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.job.control.ControlMessage.RestoreFailed;
import org.gridmpj.job.control.ControlMessage.Restored;
import org.gridmpj.job.control.ControlMessage.SnapshotFailed;
import org.gridmpj.job.control.ControlMessage.SnapshotWritten;
import org.gridmpj.job.control.ControlMessage.Unasked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProgramSnapshotsTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

    private final AtomicLong nanos = new AtomicLong();

    private static final class Body implements Serializable {
        private static final long serialVersionUID = 1L;

        final double[] position = {1, 2, 3};

        @Nullable
        Body neighbour;
    }

    private static final class Unserializable {}

    private FileSnapshotStore store() {
        return FileSnapshotStore.at(folder);
    }

    private ProgramSnapshots attached(LoneEngine engine) {
        ProgramSnapshots snapshots = new ProgramSnapshots(true);
        attach(snapshots, engine);
        return snapshots;
    }

    private void attach(ProgramSnapshots snapshots, LoneEngine engine) {
        snapshots.attach(
                engine,
                store(),
                CheckpointInterval.parse("1s"),
                nanos::get,
                () -> 1_700_000_000_000L,
                () -> new StreamPositions(11, 22, 33));
    }

    /** What the launcher does. */
    private EpochLedger.Outcome commit(LoneEngine engine) {
        return new EpochLedger(store(), Images.JOB, 1, engine.job().generation())
                .written(0, engine.report(SnapshotWritten.class));
    }

    /** Takes a snapshot of the registered variables, and gives a fresh process that resumes from it. */
    private ProgramSnapshots crashed(ProgramSnapshots snapshots, LoneEngine engine, int id) {
        assertThat(snapshots.takeNow(id)).isTrue();
        snapshots.detach();
        assertThat(commit(engine)).isInstanceOf(EpochLedger.Outcome.Committed.class);
        return attached(new LoneEngine(
                engine.job().generation() + 1,
                engine.report(SnapshotWritten.class).epoch()));
    }

    /** That of a process that is to go on from a snapshot of this variable. */
    private LoneEngine resuming(Object x) {
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots before = attached(engine);
        before.register("x", x);
        before.takeNow(0);
        before.detach();
        commit(engine);
        return new LoneEngine(1, 0);
    }

    private static <T> T value(ProgramSnapshots snapshots, String name, Class<T> type) {
        return type.cast(Objects.requireNonNull(snapshots.retrieve(name), name));
    }

    @Test
    void shouldDoNothingWhenCheckpointsAreOff() {
        ProgramSnapshots off = new ProgramSnapshots(false);
        off.register("x", new int[3]);
        assertThat(off.isResumed()).isFalse();
        assertThat(off.snapshotId()).isEqualTo(-1);
        assertThat(off.take(0)).isFalse();
        assertThat(off.takeNow(0)).isFalse();
    }

    @Test
    void shouldBeAnErrorWhenAskedBeforeInit() {
        ProgramSnapshots early = new ProgramSnapshots(true);
        assertThatThrownBy(early::isResumed)
                .isInstanceOfSatisfying(
                        MpiFailure.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.NOT_INITIALIZED));
        assertThatThrownBy(() -> early.take(0)).hasMessageContaining("MPI.Init");
    }

    @Test
    void shouldTakeASnapshotOnlyWhenDue() {
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots snapshots = attached(engine);
        assertThat(snapshots.take(0)).isFalse();
        nanos.addAndGet(SECOND);
        assertThat(snapshots.take(1)).isTrue();
        assertThat(engine.calls).containsExactly("markers 0", "freeze", "release");
        snapshots.detach();
        SnapshotWritten written = engine.report(SnapshotWritten.class);
        assertThat(written.epoch()).isZero();
        assertThat(written.stdoutBytes()).isEqualTo(11);
        assertThat(written.stderrBytes()).isEqualTo(22);
        assertThat(written.stdinBytes()).isEqualTo(33);
        assertThat(written.stallNanos()).isPositive();
    }

    @Test
    void shouldTakeASnapshotAtOnceWhenTheParentWantsOne() {
        ProgramSnapshots snapshots = attached(new LoneEngine(0, -1));
        snapshots.request();
        assertThat(snapshots.take(1)).isTrue();
        assertThat(snapshots.take(2)).isFalse();
        snapshots.detach();
    }

    @Test
    void shouldGiveBackAllKindsOfValues() {
        long seed = 20051125;
        Random random = new Random(seed);
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots before = attached(engine);
        double[] big = random.doubles(300_000).toArray();
        byte[] bytes = new byte[ImageFormat.CHUNK_BYTES + 13];
        random.nextBytes(bytes);
        before.register("big", big);
        before.register("bytes", bytes);
        before.register("flags", new boolean[] {true, false, true});
        before.register("chars", "snapshot".toCharArray());
        before.register("shorts", new short[] {-1, 2, Short.MAX_VALUE});
        before.register("floats", new float[] {0.1f, Float.NaN});
        before.register("longs", new long[] {Long.MIN_VALUE, 7});
        before.register("jagged", new int[][] {{1}, {2, 3}, null, {}});
        before.register("none", null);
        before.register("empty", new int[0]);
        before.register("step", 17);
        before.register("name", "Grüße, 世界");
        ProgramSnapshots after = crashed(before, engine, 5);
        assertThat(after.isResumed()).isTrue();
        assertThat(after.snapshotId()).isEqualTo(5);
        assertThat(after.retrieve("big")).isEqualTo(big);
        assertThat(after.retrieve("bytes")).isEqualTo(bytes);
        assertThat(after.retrieve("flags")).isEqualTo(new boolean[] {true, false, true});
        assertThat(after.retrieve("chars")).isEqualTo("snapshot".toCharArray());
        assertThat(after.retrieve("shorts")).isEqualTo(new short[] {-1, 2, Short.MAX_VALUE});
        assertThat(after.retrieve("floats")).isEqualTo(new float[] {0.1f, Float.NaN});
        assertThat(after.retrieve("longs")).isEqualTo(new long[] {Long.MIN_VALUE, 7});
        assertThat(Arrays.deepEquals(value(after, "jagged", int[][].class), new int[][] {{1}, {2, 3}, null, {}}))
                .isTrue();
        assertThat(after.retrieve("none")).isNull();
        assertThat(after.retrieve("empty")).isEqualTo(new int[0]);
        assertThat(after.retrieve("step")).isEqualTo(17);
        assertThat(after.retrieve("name")).isEqualTo("Grüße, 世界");
        assertThatThrownBy(() -> after.retrieve("steps"))
                .hasMessageContaining("\"steps\"")
                .hasMessageContaining("step");
    }

    @Test
    void shouldKeepWhatIsSharedAmongVariablesShared() {
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots before = attached(engine);
        Body sun = new Body();
        Body earth = new Body();
        sun.neighbour = earth;
        earth.neighbour = sun;
        before.register("sun", sun);
        before.register("earth", earth);
        before.register("positions", new double[][] {sun.position, earth.position, sun.position});
        before.register("alias", earth.position);
        ProgramSnapshots after = crashed(before, engine, 0);
        Body restoredSun = value(after, "sun", Body.class);
        Body restoredEarth = value(after, "earth", Body.class);
        double[][] positions = value(after, "positions", double[][].class);
        assertThat(restoredSun.neighbour).isSameAs(restoredEarth);
        assertThat(restoredEarth.neighbour).isSameAs(restoredSun);
        assertThat(positions[0]).isSameAs(restoredSun.position).isSameAs(positions[2]);
        assertThat(after.retrieve("alias")).isSameAs(restoredEarth.position);
        assertThat(after.retrieve("sun")).isSameAs(restoredSun);
    }

    @Test
    void shouldSaveTheContentOfTheMomentOfTheSnapshot() {
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots before = attached(engine);
        int[] grid = {1, 2, 3};
        int[] counter = {0};
        before.register("grid", grid);
        before.registerSource("counter", () -> counter[0]);
        grid[1] = 20;
        counter[0] = 8;
        assertThat(before.takeNow(0)).isTrue();
        // The copy is made: the program may go on before the image is written.
        Arrays.fill(grid, -1);
        before.detach();
        commit(engine);
        ProgramSnapshots after = attached(new LoneEngine(1, 0));
        assertThat(after.retrieve("grid")).isEqualTo(new int[] {1, 20, 3});
        assertThat(after.retrieve("counter")).isEqualTo(8);
    }

    @Test
    void shouldKeepRestoredVariablesRegistered() {
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots first = attached(engine);
        first.register("a", new int[] {1});
        first.register("b", new int[] {2});
        assertThat(first.takeNow(1)).isTrue();
        first.detach();
        commit(engine);
        LoneEngine resumed = new LoneEngine(1, 0);
        ProgramSnapshots second = attached(resumed);
        second.register("a", new int[] {99});
        int[] a = value(second, "a", int[].class);
        assertThat(a).containsExactly(1);
        a[0] = 100;
        ProgramSnapshots third = crashed(second, resumed, 2);
        assertThat(third.retrieve("a"))
                .as("not the value registered before it was asked for")
                .isEqualTo(new int[] {100});
        assertThat(third.retrieve("b")).isEqualTo(new int[] {2});
        assertThat(third.snapshotId()).isEqualTo(2);
    }

    @Test
    void shouldGoOnCountingEpochsAfterAResumption() {
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots before = attached(engine);
        before.takeNow(0);
        before.takeNow(1);
        before.detach();
        EpochLedger ledger = new EpochLedger(store(), Images.JOB, 1, 0);
        engine.reports.forEach(report -> ledger.written(0, (SnapshotWritten) report));
        LoneEngine resumed = new LoneEngine(1, 1);
        ProgramSnapshots after = attached(resumed);
        assertThat(after.isResumed()).isTrue();
        after.takeNow(2);
        after.detach();
        assertThat(resumed.report(SnapshotWritten.class).epoch()).isEqualTo(2);
        assertThat(resumed.report(SnapshotWritten.class).file()).isEqualTo("g1-e2/rank-0.image");
    }

    @Test
    void shouldGoOnCountingEpochsWhenInitIsCalledAgain() {
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots snapshots = attached(engine);
        snapshots.takeNow(0);
        snapshots.detach();
        LoneEngine again = new LoneEngine(0, -1);
        attach(snapshots, again);
        snapshots.takeNow(1);
        snapshots.detach();
        assertThat(again.report(SnapshotWritten.class).epoch()).isEqualTo(1);
    }

    @Test
    void shouldThawTheEngineAtTheFirstQuestionOnly() {
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots before = attached(engine);
        assertThat(before.takeNow(0)).isTrue();
        before.detach();
        commit(engine);
        LoneEngine resumed = new LoneEngine(1, 0);
        ProgramSnapshots after = attached(resumed);
        assertThat(resumed.thawed).isEmpty();
        assertThat(after.isResumed()).isTrue();
        assertThat(resumed.thawed).containsOnlyKeys("engine/a", "channel/b").containsEntry("engine/a", new byte[] {1, 2
        });
        assertThat(resumed.report(Restored.class)).isEqualTo(new Restored(0, 11, 22, 33));
        resumed.thawed = Map.of();
        assertThat(after.isResumed()).isTrue();
        assertThat(after.snapshotId()).isZero();
        assertThat(resumed.thawed).as("not a second time").isEmpty();
    }

    @Test
    void shouldSayOnceThatAProgramDidNotAskBeforeItTakesASnapshotOrEnds() {
        LoneEngine forgetful = resuming(1);
        ProgramSnapshots anew = attached(forgetful);
        anew.take(1);
        anew.takeNow(2);
        assertThat(anew.isResumed()).as("it is too late").isFalse();
        anew.detach();
        assertThat(forgetful.thawed).isEmpty();
        assertThat(forgetful.reports.stream().filter(Unasked.class::isInstance))
                .containsExactly(new Unasked(0, 11, 22, 33));
        LoneEngine brief = new LoneEngine(1, 0);
        attached(brief).detach();
        assertThat(brief.reports).containsExactly(new Unasked(0, 11, 22, 33));
        LoneEngine mindful = new LoneEngine(1, 0);
        ProgramSnapshots back = attached(mindful);
        assertThat(back.isResumed()).isTrue();
        back.detach();
        assertThat(mindful.reports.stream().filter(Unasked.class::isInstance)).isEmpty();
    }

    @Test
    void shouldNameThePendingOperationsAndWriteNothing() {
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots snapshots = attached(engine);
        engine.pending.add("Irecv from rank 3, tag 7, at Life.java:41");
        assertThatThrownBy(() -> snapshots.take(4)).isInstanceOfSatisfying(MpiFailure.class, e -> {
            assertThat(e.errorClass()).isEqualTo(ErrorClass.PENDING);
            assertThat(e).hasMessageContaining("takeSnapshot(4)").hasMessageContaining("Life.java:41");
        });
        assertThat(engine.reports).isEmpty();
        assertThat(Files.exists(folder.resolve("g0-e0"))).isFalse();
        engine.pending.clear();
        assertThat(snapshots.takeNow(5)).isTrue();
        snapshots.detach();
    }

    /** One of two ranks, and rank 0 has said that there is a snapshot now. */
    private static final class SecondRank extends LoneEngine {
        private final long agreed;

        SecondRank(long agreed) {
            super(0, -1);
            this.agreed = agreed;
        }

        @Override
        public JobSpec job() {
            return new JobSpec(Images.JOB, 2, 0);
        }

        @Override
        public int worldRank() {
            return 1;
        }

        @Override
        public long agree(long valueOfRankZero) {
            return agreed;
        }
    }

    @Test
    void shouldTakePartWhenRankZeroHasSaidSoThoughNoneIsDueHere() {
        LoneEngine engine = new SecondRank(7);
        ProgramSnapshots snapshots = attached(engine);
        assertThat(snapshots.take(1)).isTrue();
        assertThat(engine.calls).containsExactly("markers 7", "freeze", "release");
        snapshots.detach();
        assertThat(engine.report(SnapshotWritten.class).epoch()).isEqualTo(7);
    }

    @Test
    void shouldSendItsMarkersWhenItsOwnOperationsArePending() {
        LoneEngine engine = new SecondRank(7);
        ProgramSnapshots snapshots = attached(engine);
        engine.pending.add("Irecv from rank 0, tag 7, at Life.java:41");
        assertThatThrownBy(() -> snapshots.take(1)).isInstanceOf(MpiFailure.class);
        assertThat(engine.calls).containsExactly("markers 7", "release");
        assertThat(engine.report(SnapshotFailed.class).epoch()).isEqualTo(7);
        snapshots.detach();
    }

    @Test
    void shouldNameVariableAndFieldWhenAValueIsNotSerializable() {
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots snapshots = attached(engine);
        Object[] cells = {null, new Object[] {"fine", new Unserializable()}};
        snapshots.register("cells", cells);
        assertThatThrownBy(() -> snapshots.takeNow(0)).isInstanceOfSatisfying(MpiFailure.class, e -> {
            assertThat(e.errorClass()).isEqualTo(ErrorClass.ARG);
            assertThat(e).hasMessageContaining("variable \"cells\": [1][1]").hasMessageContaining("Unserializable");
        });
        assertThat(engine.calls).as("frames behind the markers are let go").endsWith("release");
        assertThat(engine.report(SnapshotFailed.class).reason()).contains("cells");
        cells[1] = null;
        assertThat(snapshots.takeNow(1)).isTrue();
        snapshots.detach();
        assertThat(engine.report(SnapshotWritten.class).epoch()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAtOnceWhenTheValueItselfIsNotSerializable() {
        ProgramSnapshots snapshots = new ProgramSnapshots(false);
        assertThatThrownBy(() -> snapshots.register("engine", new Unserializable()))
                .hasMessageContaining("\"engine\"")
                .hasMessageContaining("Unserializable");
    }

    @Test
    void shouldGoOnWhenTheImageCannotBeWritten() throws IOException {
        Files.writeString(folder.resolve("file"), "no folder");
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots snapshots = new ProgramSnapshots(true);
        snapshots.attach(
                engine,
                FileSnapshotStore.at(folder.resolve("file")),
                CheckpointInterval.parse("1s"),
                nanos::get,
                () -> 0,
                () -> new StreamPositions(0, 0, 0));
        assertThat(snapshots.takeNow(0)).isTrue();
        snapshots.detach();
        assertThat(engine.report(SnapshotFailed.class).reason()).contains("could not be written");
    }

    @Test
    void shouldGoOnWhenTheDiskIsFullAndTakeTheNextWhenThereIsRoom() throws IOException {
        Configuration small =
                Configuration.unix().toBuilder().setMaxSize(1 << 20).build();
        try (FileSystem disk = Jimfs.newFileSystem(small)) {
            FileSnapshotStore tiny = FileSnapshotStore.at(disk.getPath("/job"));
            EpochLedger ledger = new EpochLedger(tiny, Images.JOB, 1, 0);
            LoneEngine engine = new LoneEngine(0, -1);
            ProgramSnapshots snapshots = new ProgramSnapshots(true);
            snapshots.attach(
                    engine,
                    tiny,
                    CheckpointInterval.parse("1s"),
                    nanos::get,
                    () -> 0,
                    () -> new StreamPositions(0, 0, 0));
            snapshots.register("state", new byte[1 << 16]);
            assertThat(snapshots.takeNow(0)).isTrue();
            byte[] incompressible = new byte[1 << 21];
            new Random(1).nextBytes(incompressible);
            snapshots.register("state", incompressible);
            assertThat(snapshots.takeNow(1)).isTrue();
            snapshots.register("state", new byte[1 << 17]);
            assertThat(snapshots.takeNow(2)).isTrue();
            snapshots.detach();
            assertThat(engine.report(SnapshotFailed.class).epoch()).isEqualTo(1);
            assertThat(engine.report(SnapshotFailed.class).reason()).contains("--checkpoint-dir");
            for (ControlMessage report : engine.reports) {
                if (report instanceof SnapshotWritten written) {
                    assertThat(ledger.written(0, written)).isInstanceOf(EpochLedger.Outcome.Committed.class);
                }
            }
            assertThat(ledger.resumePoint().resumeEpoch()).isEqualTo(2);
            assertThat(ledger.resumePoint().skipped()).isEmpty();
        }
    }

    /** Refuses to be read, as a class with another serialVersionUID does. */
    static final class Recompiled implements java.io.Serializable {
        private static final long serialVersionUID = 1;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeInt(1);
        }

        private void readObject(ObjectInputStream in) throws IOException {
            throw new InvalidClassException(Recompiled.class.getName(), "local class incompatible");
        }
    }

    @Test
    void shouldTellTheParentWhenTheProgramIsAnotherOneAndTheImageIsSound() {
        LoneEngine resumed = resuming(new Recompiled());
        ProgramSnapshots after = attached(resumed);
        assertThatThrownBy(after::isResumed).isInstanceOf(MpiFailure.class).hasMessageContaining("ends the job");
        assertThat(resumed.report(RestoreFailed.class).isOtherProgram()).isTrue();
        assertThat(resumed.report(RestoreFailed.class).reason()).contains("Recompiled");
    }

    @Test
    void shouldTellTheParentWhenTheImageIsDamaged() throws IOException {
        LoneEngine resumed = resuming(new int[100]);
        Images.flipBit(folder.resolve("g0-e0/rank-0.image"), 300, 1);
        assertThatThrownBy(() -> attached(resumed))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("snapshot 0");
        assertThat(resumed.report(RestoreFailed.class).epoch()).isZero();
    }

    @Test
    void shouldTellTheParentWhenThereIsNoSuchEpoch() {
        LoneEngine resumed = new LoneEngine(1, 7);
        assertThatThrownBy(() -> attached(resumed)).isInstanceOf(MpiFailure.class);
        assertThat(resumed.report(RestoreFailed.class).reason()).contains("no committed snapshot 7");
    }

    @Test
    void shouldWaitForTheImageUnderWayWhenASnapshotIsTakenInAnyCase() {
        LoneEngine engine = new LoneEngine(0, -1);
        ProgramSnapshots snapshots = attached(engine);
        double[] state = new double[1 << 20];
        snapshots.register("state", state);
        for (int id = 0; id < 5; id++) {
            Arrays.fill(state, id);
            assertThat(snapshots.takeNow(id)).isTrue();
        }
        snapshots.detach();
        EpochLedger ledger = new EpochLedger(store(), Images.JOB, 1, 0);
        engine.reports.forEach(report -> assertThat(ledger.written(0, (SnapshotWritten) report))
                .isInstanceOf(EpochLedger.Outcome.Committed.class));
        ProgramSnapshots after = attached(new LoneEngine(1, 4));
        assertThat(value(after, "state", double[].class)).containsOnly(4.0);
    }
}
