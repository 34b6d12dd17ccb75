package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.job.control.ControlMessage.SnapshotFailed;
import org.gridmpj.job.control.ControlMessage.SnapshotWritten;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.testkit.InMemoryNetwork;
import org.gridmpj.testkit.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole jobs in one JVM: run, cut, thrown away at any moment, resumed from the images in a fresh cluster. The oracle is
 * the same program without a crash.
 */
@Timeout(120)
class CrashAndResumeTest {
    /** Length of the engine's section when no message is in it, with room for a longer prefix. */
    private static final int EMPTY_QUEUE_BYTES = 40;

    private static final int STEPS = 20;

    /** More for a long run: {@code -Dgridmpj.seeds=1000}. */
    private static final int SEEDS = Integer.getInteger("gridmpj.seeds", 16);

    private static final AtomicInteger RESUMPTIONS = new AtomicInteger();
    private static final AtomicInteger IMAGES_WITH_MESSAGES = new AtomicInteger();

    @TempDir
    Path folder;

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    /** The launcher of a job: takes reports of the living generation only. */
    private final class Job {
        private final RandomProgram program;
        private final EpochLedger ledger;
        private final long[] digests;
        private final AtomicInteger committed = new AtomicInteger();
        private volatile int living;

        Job(RandomProgram program) {
            this.program = program;
            ledger = new EpochLedger(store(), Images.JOB, program.size(), 0);
            digests = new long[program.size()];
        }

        void run(int generation, RandomProgram.Fate fate) throws IOException {
            ledger.beginGeneration(generation);
            living = generation;
            int resumeEpoch = ledger.resumePoint().resumeEpoch();
            RESUMPTIONS.addAndGet(resumeEpoch >= 0 ? 1 : 0);
            InMemoryNetwork.Behaviour behaviour = InMemoryNetwork.Behaviour.adverse(program.seed() * 7 + generation);
            LocalCluster.of(program.size(), new InMemoryNetwork(behaviour)).run(process -> {
                ProgramSnapshots snapshots = new ProgramSnapshots(true);
                snapshots.attach(
                        new JobEngine(
                                process.snapshots(),
                                generation,
                                resumeEpoch,
                                (rank, message) -> report(generation, rank, message)),
                        store(),
                        CheckpointInterval.parse("1h"),
                        System::nanoTime,
                        () -> 0,
                        () -> new StreamPositions(0, 0, 0));
                digests[process.world().rank()] = program.run(process, snapshots, fate);
                snapshots.detach();
            });
        }

        private synchronized void report(int generation, int rank, ControlMessage message) {
            if (generation != living) {
                return;
            }
            if (message instanceof SnapshotWritten written) {
                EpochLedger.Outcome outcome = ledger.written(rank, written);
                if (outcome instanceof EpochLedger.Outcome.Committed done) {
                    committed.incrementAndGet();
                    countMessages(done.manifest());
                }
            } else if (message instanceof SnapshotFailed failed) {
                ledger.failed(rank, failed);
            }
        }

        /** From here on the old generation is not heard, though its writers may still be at it. */
        synchronized void declareDead() {
            living = -1;
        }
    }

    private void countMessages(EpochManifest manifest) {
        for (RankImage image : manifest.images()) {
            try (ImageReader reader = ImageReader.open(store().open(manifest, image.worldRank()))) {
                SectionEntry unexpected = reader.sections().stream()
                        .filter(section -> section.name().equals("engine/unexpected-messages"))
                        .findFirst()
                        .orElseThrow();
                IMAGES_WITH_MESSAGES.addAndGet(unexpected.lengthBytes() > EMPTY_QUEUE_BYTES ? 1 : 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The runs above prove little if no message was ever on its way at a cut. */
    @AfterAll
    static void shouldHaveResumedWithMessagesOnTheirWay() {
        assertThat(RESUMPTIONS).hasValueGreaterThan(SEEDS / 4);
        assertThat(IMAGES_WITH_MESSAGES).hasValueGreaterThan(SEEDS);
    }

    private FileSnapshotStore store() {
        return FileSnapshotStore.at(folder);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldEndWithTheSameResultWhenKilledAnywhere(long seed) throws IOException {
        Random random = new Random(seed);
        RandomProgram program = new RandomProgram(seed, 1 + random.nextInt(5), STEPS);
        long[] expected = new long[program.size()];
        LocalCluster.of(program.size()).run(process -> {
            expected[process.world().rank()] = program.run(process, new ProgramSnapshots(false), (rank, step) -> {});
        });
        Job job = new Job(program);
        int crashes = 1 + random.nextInt(3);
        for (int generation = 0; generation < crashes; generation++) {
            int victim = random.nextInt(program.size());
            int fatalStep = random.nextInt(STEPS);
            try {
                job.run(generation, (rank, step) -> {
                    if (rank == victim && step == fatalStep) {
                        job.declareDead();
                        throw new Killed();
                    }
                });
            } catch (AssertionError e) {
                assertThat(e).as("seed %d", seed).hasRootCauseInstanceOf(Killed.class);
            }
        }
        job.run(crashes, (rank, step) -> {});
        assertThat(job.digests)
                .as("seed %d, %d snapshots", seed, job.committed.get())
                .isEqualTo(expected);
    }

    @Test
    void shouldFailOnTheRankWithPendingOperationsAndLetTheOthersGo() {
        AtomicReference<MpiFailure> failure = new AtomicReference<>();
        AtomicInteger failedReports = new AtomicInteger();
        EpochLedger ledger = new EpochLedger(store(), Images.JOB, 2, 0);
        LocalCluster.of(2).run(process -> {
            ProgramSnapshots snapshots = new ProgramSnapshots(true);
            snapshots.attach(
                    new JobEngine(process.snapshots(), 0, -1, (rank, message) -> {
                        if (message instanceof SnapshotFailed failed) {
                            failedReports.addAndGet(rank);
                            ledger.failed(rank, failed);
                        } else if (message instanceof SnapshotWritten written) {
                            ledger.written(rank, written);
                        }
                    }),
                    store(),
                    CheckpointInterval.parse("1h"),
                    System::nanoTime,
                    () -> 0,
                    () -> new StreamPositions(0, 0, 0));
            long context = process.world().pointToPointContext();
            var type = TypeMap.of(BaseType.INT);
            int[] token = {7};
            if (process.world().rank() == 1) {
                var request = process.pointToPoint().ireceive(token, 0, 1, type, 0, context, 5, false);
                assertThatThrownBy(() -> snapshots.takeNow(3)).isInstanceOfSatisfying(MpiFailure.class, failure::set);
                process.pointToPoint().await(request);
            } else {
                assertThat(snapshots.takeNow(3)).isTrue();
                process.pointToPoint().send(SendMode.STANDARD, token, 0, 1, type, 1, context, 5);
            }
            assertThat(snapshots.takeNow(4)).isTrue();
            snapshots.detach();
        });
        MpiFailure told = Objects.requireNonNull(failure.get(), "rank 1 was told nothing");
        assertThat(told.errorClass()).isEqualTo(ErrorClass.PENDING);
        assertThat(told).hasMessageContaining("rank 1").hasMessageContaining("tag 5");
        // Rank 0 may report too: its folder went while it was writing.
        assertThat(failedReports).hasValue(1);
        assertThat(committedEpochs(ledger)).containsExactly(new EpochId(0, 1));
    }

    private static List<EpochId> committedEpochs(EpochLedger ledger) {
        try {
            return ledger.committed().stream().map(EpochManifest::id).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
