package org.gridmpj.checkpoint;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.gridmpj.capture.frames.ProgramCapture;
import org.gridmpj.job.control.ControlMessage.SnapshotFailed;
import org.gridmpj.job.control.ControlMessage.SnapshotWritten;
import org.gridmpj.snapshot.CutAction;
import org.gridmpj.snapshot.CutCopy;
import org.gridmpj.snapshot.CutListener;
import org.gridmpj.snapshot.InFlightFrames;
import org.gridmpj.snapshot.SnapshotEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rank's part in a transparent snapshot of the job.
 *
 * <pre>
 *   program's thread, unwound              whoever polls                        background thread
 *   ┌ the program stands still ─────┐
 *   │ markers out; one graph of      │
 *   │ program and engine → memory    │
 *   └ frames are entered again ──────┘
 *     the program goes on                  frames before markers: logged
 *                                          all markers are in: complete ──────▶ write, force, verify, rename, report
 * </pre>
 *
 * <p>One epoch at a time. {@link #copy} comes from the program's thread, the listener's methods from any under the engine's
 * progress lock; what they share is guarded by the monitor.
 */
final class TransparentTaker implements CutAction, CutListener {
    /**
     * So long the program has its core to itself once it goes on: its frames are entered again by code that is not compiled yet, and
     * other ranks may wait for its first message.
     */
    private static final long HEAD_START_NANOS = 30_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(TransparentTaker.class);

    private final SnapshotEngine engine;
    private final SnapshotStore store;
    private final SnapshotClock clock;
    private final Supplier<StreamPositions> streams;
    private final LongSupplier wallClockMillis;
    private final Supplier<String[]> initializedClasses;
    private final @Nullable EpochCoordinator coordinator;
    private final ImageScribe scribe;
    private final ImageHistory history = new ImageHistory();
    private final WriteRate rate = WriteRate.ofThisProcess();
    private final StateGraph graph = new StateGraph();
    private final RankDeparture departure;
    private @Nullable Cut open;
    private int abandonedEpoch = -1;

    /** What was copied while the program stood still. */
    @SuppressWarnings("ArrayRecordComponent") // handed over once, compared by nobody
    private record Cut(
            ImageHeader header,
            StateGraph.Copy state,
            StreamPositions streams,
            String[] classes,
            Map<String, Long> frameClasses,
            long stallNanos) {
        int epoch() {
            return header.id().epoch();
        }
    }

    /**
     * The snapshots of a rank.
     *
     * @param initializedClasses names of the program's classes that are initialised: theirs are not to run again
     * @param coordinator rank 0's
     * @param hasTime not while the job waits for this process to be made again of an image
     * @param look at the program's threads, for practice
     */
    TransparentTaker(
            SnapshotEngine engine,
            SnapshotStore store,
            SnapshotClock clock,
            Supplier<StreamPositions> streams,
            LongSupplier wallClockMillis,
            Supplier<String[]> initializedClasses,
            @Nullable EpochCoordinator coordinator,
            BooleanSupplier hasTime,
            Runnable look) {
        this.engine = engine;
        this.store = store;
        this.clock = clock;
        this.streams = streams;
        this.wallClockMillis = wallClockMillis;
        this.initializedClasses = initializedClasses;
        this.coordinator = coordinator;
        scribe = new ImageScribe(engine.worldRank());
        // not a virtual thread: to look at the stack of the first one takes 3 ms while the program stands still
        Thread _ = Thread.ofPlatform()
                .daemon()
                .name("snapshot-ahead")
                .start(() -> graph.prepare(hasTime, () -> practise(look)));
        departure = new RankDeparture(engine, scribe, streams, wallClockMillis, initializedClasses, coordinator);
    }

    private void practise(Runnable look) {
        try {
            look.run();
            SnapshotPhaseEvent _ = SnapshotPhaseEvent.begun("copy", engine.worldRank());
            ImageHeader _ = ImageHeader.of(engine, 0, ImageKind.TRANSPARENT, 0, wallClockMillis.getAsLong());
            StreamPositions _ = streams.get();
            String[] _ = initializedClasses.get();
            StateGraph.practise(engine);
        } catch (RuntimeException e) {
            LOG.debug("no practice: the first snapshot will say what is wrong", e);
        }
    }

    @Override
    public void copy(Object programState) {
        // only an epoch that was abandoned can still be at the desk, whose memory is needed now
        scribe.awaitIdle();
        if (departure.leave(programState)) {
            return;
        }
        if (engine.cut(new Copying(programState))) {
            CrashPoint.hit("take.copied");
        }
    }

    /**
     * The copy of a cut. Not a lambda: no start-up cache keeps one that refers to an event, and the first snapshot would make its five
     * classes while the program stands still.
     */
    private final class Copying implements CutCopy {
        private final Object programState;
        private final long startNanos = System.nanoTime();
        private final SnapshotPhaseEvent phase = SnapshotPhaseEvent.begun("copy", engine.worldRank());

        Copying(Object programState) {
            this.programState = programState;
        }

        @Override
        public void copy(int epoch, Object engineState) throws IOException {
            StateGraph.Copy copy = graph.copy(new Object[] {programState, engineState}, engine);
            ImageHeader header =
                    ImageHeader.of(engine, epoch, ImageKind.TRANSPARENT, epoch, wallClockMillis.getAsLong());
            Cut cut = new Cut(
                    header,
                    copy,
                    streams.get(),
                    initializedClasses.get(),
                    ProgramCapture.frameClasses(programState),
                    System.nanoTime() - startNanos);
            phase.done(epoch, copy.lengthBytes());
            synchronized (TransparentTaker.this) {
                open = cut;
            }
        }
    }

    @Override
    public void complete(int epoch, InFlightFrames inFlight) {
        Cut cut;
        synchronized (this) {
            cut = open;
            open = null;
            if (cut == null || cut.epoch() != epoch || epoch <= abandonedEpoch) {
                return;
            }
        }
        // the desk is free since the copy
        scribe.submit(() -> write(cut, inFlight));
    }

    @Override
    public void abandoned(int epoch, String reason, boolean here) {
        synchronized (this) {
            abandonedEpoch = Math.max(abandonedEpoch, epoch);
            if (open != null && open.epoch() <= epoch) {
                open = null;
            }
        }
        // the engine's lock is held: the report may have to wait for the connection, and the coordinator's monitor asks
        // for that lock
        Thread.ofVirtual().start(() -> {
            if (here) {
                engine.report(new SnapshotFailed(epoch, reason));
            }
            if (coordinator != null) {
                coordinator.abandoned(epoch);
            }
        });
    }

    /** How this rank leaves its process alone. */
    RankDeparture departure() {
        return departure;
    }

    private synchronized boolean isAbandoned(int epoch) {
        return epoch <= abandonedEpoch;
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
        graph.close();
        departure.close();
    }

    private void write(Cut cut, InFlightFrames inFlight) {
        int epoch = cut.epoch();
        LockSupport.parkNanos(HEAD_START_NANOS);
        long startNanos = System.nanoTime();
        SnapshotPhaseEvent writing = SnapshotPhaseEvent.begun("write", engine.worldRank());
        try (SnapshotStore.PendingImage pending =
                        store.create(cut.header().id(), cut.header().worldRank());
                ImageWriter image =
                        new ImageWriter(PacedChannel.of(pending.channel(), rate), cut.header(), history.base())) {
            CrashPoint.hit("image.begun");
            ImageSummary summary = writeSections(cut, inFlight, image);
            if (isAbandoned(epoch)) {
                return;
            }
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
            LOG.info("snapshot {}: stall {} µs", epoch, cut.stallNanos() / 1000);
            if (coordinator != null && clock.isAuto()) {
                engine.report(clock.pace());
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("image of epoch {} was not written", epoch, e);
            engine.abandonCut(
                    epoch,
                    "the image could not be written: " + (e instanceof ImageCorruptException ? e.getMessage() : e)
                            + ". Make room, or give another folder with --checkpoint-dir");
        }
    }

    private static ImageSummary writeSections(Cut cut, InFlightFrames inFlight, ImageWriter image) throws IOException {
        image.section(TransparentImage.CLASSES_SECTION)
                .write(String.join("\n", cut.classes()).getBytes(StandardCharsets.UTF_8));
        image.section(TransparentImage.FRAMES_SECTION).write(ClassFiles.encode(cut.frameClasses()));
        ByteBuffer positions = ByteBuffer.allocate(3 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        positions.putLong(cut.streams().stdout());
        positions.putLong(cut.streams().stderr());
        positions.putLong(cut.streams().stdin());
        image.section(SnapshotTaker.STREAMS_SECTION).write(positions.flip());
        image.section(TransparentImage.STATE_SECTION);
        cut.state().writeTo(image);
        image.section(TransparentImage.IN_FLIGHT_SECTION);
        inFlight.writeTo(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                image.write(new byte[] {(byte) b});
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                image.write(ByteBuffer.wrap(bytes, offset, length));
            }
        });
        return image.finish();
    }
}
