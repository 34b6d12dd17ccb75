package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.job.control.ControlMessage.SnapshotFailed;
import org.gridmpj.job.control.ControlMessage.SnapshotWritten;
import org.gridmpj.snapshot.SnapshotEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rank's part in a snapshot of the job.
 *
 * <pre>
 *   program's thread                                                   background thread
 *   agree: rank 0 says which epoch, or that none is due
 *   wait until the image before is written (rank 0: then none is due)
 *   ┌ the program stands still ──────────────────────────────┐
 *   │ markers out, markers in (Chandy and Lamport 1985)       │
 *   │ freeze the engine; copy the variables; stream positions │
 *   │ release: frames behind the markers go on                │
 *   └──────────────────────────────────────────────────────────┘────▶  write, force, verify, rename, report
 * </pre>
 *
 * <p>A rank that cannot make its image (pending operations, a value that is not Serializable) plays its part in the
 * markers all the same, so that no other rank waits for ever; it reports the epoch as failed, and then tells its program.
 *
 * <p>Used by one thread at a time: snapshots are collective.
 */
final class SnapshotTaker {
    /** The section with the stream positions: three numbers of 8 bytes, in the order out, err, in. */
    static final String STREAMS_SECTION = "streams";

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotTaker.class);
    private static final long NONE = -1;

    private final SnapshotEngine engine;
    private final SnapshotStore store;
    private final SnapshotClock clock;
    private final Supplier<StreamPositions> streams;
    private final LongSupplier wallClockMillis;
    private final ImageScribe scribe;
    private final ImageHistory history = new ImageHistory();
    private final WriteRate rate = WriteRate.ofThisProcess();
    private final CopyArea area = new CopyArea();
    private int nextEpoch;

    /** @param nextEpoch number of the first snapshot that this run takes */
    SnapshotTaker(
            SnapshotEngine engine,
            SnapshotStore store,
            SnapshotClock clock,
            Supplier<StreamPositions> streams,
            LongSupplier wallClockMillis,
            int nextEpoch) {
        this.engine = engine;
        this.store = store;
        this.clock = clock;
        this.streams = streams;
        this.wallClockMillis = wallClockMillis;
        this.nextEpoch = nextEpoch;
        scribe = new ImageScribe(engine.worldRank());
    }

    /** The parent says how long the job has run and how often it has failed. */
    void lived(ControlMessage.Lived life) {
        clock.lived(life);
    }

    /**
     * Takes a snapshot if rank 0 finds it due.
     *
     * @param always whether it is due in any case
     * @return whether this rank's image is on its way
     */
    boolean take(int snapshotId, RegisteredVariables variables, boolean always) {
        List<String> pending = engine.pendingOperations();
        SnapshotPhaseEvent agreeing = SnapshotPhaseEvent.begun("agree", engine.worldRank());
        long agreed = engine.agree(proposal(pending.isEmpty(), always));
        agreeing.done((int) agreed, 0);
        if (agreed == NONE) {
            if (!pending.isEmpty()) {
                throw pendingFailure(snapshotId, pending);
            }
            return false;
        }
        int epoch = (int) agreed;
        nextEpoch = epoch + 1;
        clock.taken();
        CrashPoint.hit("take.agreed");
        scribe.awaitIdle();
        try {
            Cut cut = cut(epoch, snapshotId, variables, pending);
            scribe.submit(() -> write(cut));
            return true;
        } catch (NotThisTime failure) {
            engine.report(new SnapshotFailed(epoch, String.valueOf(failure.getMessage())));
            return false;
        } catch (MpiFailure failure) {
            engine.report(new SnapshotFailed(epoch, String.valueOf(failure.getMessage())));
            throw failure;
        } catch (OutOfMemoryError e) {
            engine.report(new SnapshotFailed(
                    epoch, "there is no memory for the copy of the program's state (" + e.getMessage() + ")"));
            return false;
        }
    }

    /** A snapshot is wanted as soon as may be. */
    void request() {
        clock.request();
    }

    /** The launcher has committed an epoch: the next image is an increment to it. */
    void committed(int epoch) {
        history.committed(epoch);
    }

    /** The launcher has given up an epoch. */
    void givenUp(int epoch) {
        history.abandoned(epoch);
    }

    /** The next image is to refer to no earlier one. */
    void nextIsFull() {
        history.forget();
    }

    /** Waits until nothing is being written. */
    void finish() {
        scribe.awaitIdle();
        area.close();
    }

    /** Number of the next snapshot. */
    int nextEpoch() {
        return nextEpoch;
    }

    private long proposal(boolean possible, boolean always) {
        if (engine.worldRank() != 0 || !possible) {
            return NONE;
        }
        if (always) {
            return nextEpoch;
        }
        return clock.isDue() && !scribe.isBusy() ? nextEpoch : NONE;
    }

    /** What was copied while the program stood still. */
    private record Cut(
            ImageHeader header,
            ProgramState program,
            Map<String, byte[]> engineSections,
            StreamPositions streams,
            long stallNanos) {}

    private Cut cut(int epoch, int snapshotId, RegisteredVariables variables, List<String> pending) {
        long startNanos = System.nanoTime();
        SnapshotPhaseEvent marking = SnapshotPhaseEvent.begun("markers", engine.worldRank());
        try {
            engine.exchangeMarkers(epoch);
        } catch (MpiFailure failure) {
            throw new NotThisTime(failure);
        }
        marking.done(epoch, 0);
        CrashPoint.hit("take.markers");
        SnapshotPhaseEvent copying = SnapshotPhaseEvent.begun("copy", engine.worldRank());
        Map<String, byte[]> sections;
        ProgramState program;
        StreamPositions positions;
        try {
            if (!pending.isEmpty()) {
                throw pendingFailure(snapshotId, pending);
            }
            sections = freeze();
            program = ProgramState.copy(variables.current(), area);
            positions = streams.get();
        } finally {
            engine.release();
        }
        copying.done(epoch, program.bytes());
        CrashPoint.hit("take.copied");
        ImageHeader header =
                ImageHeader.of(engine, epoch, ImageKind.COOPERATIVE, snapshotId, wallClockMillis.getAsLong());
        return new Cut(header, program, sections, positions, System.nanoTime() - startNanos);
    }

    private Map<String, byte[]> freeze() {
        try {
            return new TreeMap<>(engine.freeze());
        } catch (MpiFailure failure) {
            throw new NotThisTime(failure);
        }
    }

    /** Another rank's doing: this rank's program is not to blame and goes on. */
    private static final class NotThisTime extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotThisTime(MpiFailure cause) {
            super(cause.getMessage(), cause);
        }
    }

    private void write(Cut cut) {
        int epoch = cut.header().id().epoch();
        long startNanos = System.nanoTime();
        SnapshotPhaseEvent writing = SnapshotPhaseEvent.begun("write", engine.worldRank());
        try (SnapshotStore.PendingImage pending =
                        store.create(cut.header().id(), cut.header().worldRank());
                ImageWriter image =
                        new ImageWriter(PacedChannel.of(pending.channel(), rate), cut.header(), history.base())) {
            CrashPoint.hit("image.begun");
            ImageSummary summary = writeSections(cut, image);
            String file = pending.seal(summary);
            writing.done(epoch, summary.bytes());
            ImageLineage lineage = ImageLineage.of(new ImageBase(file, summary), epoch, image.blocks());
            history.written(epoch, lineage);
            clock.measured(cut.stallNanos(), System.nanoTime() - startNanos);
            engine.report(new SnapshotWritten(
                    epoch,
                    file,
                    summary.bytes(),
                    summary.crc32c(),
                    lineage.fullEpoch(),
                    cut.stallNanos(),
                    cut.streams().stdout(),
                    cut.streams().stderr(),
                    cut.streams().stdin()));
            CrashPoint.hit("image.reported");
            if (engine.worldRank() == 0 && clock.isAuto()) {
                engine.report(clock.pace());
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("image of epoch {} was not written", epoch, e);
            engine.report(new SnapshotFailed(
                    epoch,
                    "the image could not be written: " + reason(e)
                            + ". Make room, or give another folder with --checkpoint-dir"));
        }
    }

    private static ImageSummary writeSections(Cut cut, ImageWriter image) throws IOException {
        for (Map.Entry<String, byte[]> section : cut.engineSections().entrySet()) {
            image.section(section.getKey()).write(section.getValue());
        }
        ByteBuffer positions = ByteBuffer.allocate(3 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        positions.putLong(cut.streams().stdout());
        positions.putLong(cut.streams().stderr());
        positions.putLong(cut.streams().stdin());
        image.section(STREAMS_SECTION).write(positions.flip());
        cut.program().write(image);
        return image.finish();
    }

    private MpiFailure pendingFailure(int snapshotId, List<String> pending) {
        return new MpiFailure(
                ErrorClass.PENDING,
                "takeSnapshot(" + snapshotId + ") on rank " + engine.worldRank() + " of job "
                        + engine.job().jobName() + " while " + pending.size()
                        + (pending.size() == 1 ? " operation is" : " operations are") + " not complete: "
                        + String.join("; ", pending)
                        + ". No snapshot was taken; complete them first (Wait, Waitall), or free persistent requests");
    }

    private static @Nullable String reason(Exception e) {
        return e instanceof ImageCorruptException ? e.getMessage() : e.toString();
    }
}
