package org.gridmpj.checkpoint;

import java.io.IOException;
import java.io.InvalidClassException;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.gridmpj.capture.frames.ProgramCapture;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.job.control.ControlMessage.RestoreFailed;
import org.gridmpj.job.control.ControlMessage.Restored;
import org.gridmpj.job.control.ControlMessage.Unasked;
import org.gridmpj.snapshot.SnapshotEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cooperative snapshots of one rank: what {@code Ateam} and {@code UserProgWrapper} call.
 *
 * <pre>
 *   detached ── attach ──▶ fresh ─────────────────────────────▶ take … ── detach ──▶ detached
 *                  └─────▶ resuming ── first question ──▶ taken back ─▶ take …
 *                          image verified                variables built, engine thawed
 *                             └── take, or detach ──▶ fresh: it has not asked
 * </pre>
 *
 * Detached, everything is allowed and nothing happens. Guarded by its own monitor but for {@link #take}, which blocks in
 * communication and is called by one thread at a time, being collective.
 */
public final class ProgramSnapshots {
    private static final Logger LOG = LoggerFactory.getLogger(ProgramSnapshots.class);
    private static final ProgramSnapshots OF_THIS_PROCESS = new ProgramSnapshots(
            !System.getenv().getOrDefault("GRIDMPJ_CHECKPOINT", "").isEmpty() && ProgramCapture.installed() == null);

    private final RegisteredVariables variables = new RegisteredVariables();
    private final boolean expected;
    private @Nullable SnapshotEngine engine;
    private @Nullable Supplier<StreamPositions> streams;
    private volatile @Nullable SnapshotTaker taker;
    private @Nullable RestoredImage image;
    private @Nullable Map<String, @Nullable Object> restored;
    private int snapshotId = -1;
    /** Epochs go on counting when MPI.Init is called again after MPI.Finalize. */
    private int nextEpoch;

    /** @param expected whether checkpoints are on, so that questions before MPI.Init are errors */
    ProgramSnapshots(boolean expected) {
        this.expected = expected;
    }

    /** Those of the rank that this JVM is. */
    public static ProgramSnapshots ofThisProcess() {
        return OF_THIS_PROCESS;
    }

    /** Whether this run continues an earlier one. */
    public synchronized boolean isResumed() {
        return restored() != null;
    }

    /** The program's id of the snapshot that this run continues, or −1. */
    public synchronized int snapshotId() {
        return restored() == null ? -1 : snapshotId;
    }

    /** Registers a value. */
    public void register(String name, @Nullable Object value) {
        variables.put(name, value);
    }

    /** Registers something that gives the value at each snapshot. */
    public void registerSource(String name, Supplier<?> current) {
        variables.putSource(name, current);
    }

    /** The value of a variable in the snapshot. */
    public synchronized @Nullable Object retrieve(String name) {
        Map<String, @Nullable Object> values = restored();
        if (values == null) {
            throw new MpiFailure(
                    ErrorClass.ARG,
                    "retrieveLocalVar(\"" + name
                            + "\"): this run was not resumed from a snapshot; ask isResumed() first");
        }
        if (!values.containsKey(name)) {
            throw new MpiFailure(
                    ErrorClass.ARG,
                    "retrieveLocalVar(\"" + name + "\"): the snapshot has no variable of this name; it has "
                            + values.keySet());
        }
        return values.get(name);
    }

    /** Takes a snapshot if one is due; collective. */
    public boolean take(int id) {
        return take(id, false);
    }

    /** Takes a snapshot in any case, unless checkpoints are off; collective. */
    public boolean takeNow(int id) {
        return take(id, true);
    }

    private boolean take(int id, boolean always) {
        if (id < 0) {
            throw new MpiFailure(ErrorClass.ARG, "takeSnapshot(" + id + "): the id of a snapshot is not negative");
        }
        SnapshotTaker present = taker;
        if (present == null && expected) {
            throw outsideOfMpi("takeSnapshot");
        }
        reportUnlessAsked();
        return present != null && present.take(id, variables, always);
    }

    /**
     * MPI.Init: connects with the engine, and opens the image if the job is to resume.
     *
     * @throws MpiFailure if the image cannot be used; the parent has been told
     */
    synchronized void attach(
            SnapshotEngine connected,
            SnapshotStore store,
            CheckpointInterval interval,
            LongSupplier nanoClock,
            LongSupplier wallClockMillis,
            Supplier<StreamPositions> positions) {
        int resumeEpoch = connected.resumeEpoch();
        if (resumeEpoch >= 0 && restored == null) {
            SnapshotPhaseEvent restoring = SnapshotPhaseEvent.begun("restore", connected.worldRank());
            try {
                RestoredImage opened = RestoredImage.open(store, connected.job(), connected.worldRank(), resumeEpoch);
                restoring.done(resumeEpoch, opened.bytes());
                image = opened;
                snapshotId = opened.snapshotId();
            } catch (IOException e) {
                throw restoreFailure(connected, resumeEpoch, e);
            }
            CrashPoint.hit("restore.verified");
        }
        engine = connected;
        streams = positions;
        taker = new SnapshotTaker(
                connected,
                store,
                new SnapshotClock(interval, nanoClock, connected.job().generation()),
                positions,
                wallClockMillis,
                Math.max(nextEpoch, resumeEpoch + 1));
    }

    /** Somebody wants a snapshot at the next opportunity. Does not block: called by the thread of the control connection. */
    void request() {
        SnapshotTaker present = taker;
        if (present != null) {
            present.request();
        }
    }

    /** The launcher says how long the job has run. Does not block. */
    void lived(ControlMessage.Lived life) {
        SnapshotTaker present = taker;
        if (present != null) {
            present.lived(life);
        }
    }

    /** The launcher has committed an epoch. Does not block. */
    void committed(int epoch) {
        SnapshotTaker present = taker;
        if (present != null) {
            present.committed(epoch);
        }
    }

    /** The launcher has given up an epoch. Does not block. */
    void givenUp(int epoch) {
        SnapshotTaker present = taker;
        if (present != null) {
            present.givenUp(epoch);
        }
    }

    /** The next image is to refer to no earlier one. Does not block. */
    void nextIsFull() {
        SnapshotTaker present = taker;
        if (present != null) {
            present.nextIsFull();
        }
    }

    /** MPI.Finalize: waits until images are written. */
    void detach() {
        SnapshotTaker finishing;
        synchronized (this) {
            reportUnlessAsked();
            finishing = taker;
            taker = null;
            engine = null;
            closeImage();
        }
        if (finishing != null) {
            finishing.finish();
            synchronized (this) {
                nextEpoch = finishing.nextEpoch();
            }
        }
    }

    /** The variables of the snapshot; takes program and engine back at the first question. Null in a fresh run. */
    private @Nullable Map<String, @Nullable Object> restored() {
        SnapshotEngine connected = engine;
        RestoredImage opened = image;
        if (connected == null && restored == null && expected) {
            throw outsideOfMpi("the question whether this run is a resumed one");
        }
        if (restored == null && connected != null && opened != null) {
            Map<String, @Nullable Object> values;
            try {
                values = opened.variables(Thread.currentThread().getContextClassLoader());
                connected.thaw(opened.engineSections());
            } catch (IOException | ClassNotFoundException | RuntimeException e) {
                throw restoreFailure(connected, opened.id().epoch(), e);
            }
            restored = values;
            variables.putRestored(values);
            closeImage();
            StreamPositions now = positions();
            connected.report(new Restored(opened.id().epoch(), now.stdout(), now.stderr(), now.stdin()));
            CrashPoint.hit("restore.thawed");
        }
        return restored;
    }

    /** A program that goes on without a question for its state is told of. */
    private synchronized void reportUnlessAsked() {
        SnapshotEngine connected = engine;
        RestoredImage unasked = image;
        if (connected != null && unasked != null) {
            int epoch = unasked.id().epoch();
            closeImage();
            StreamPositions now = positions();
            connected.report(new Unasked(epoch, now.stdout(), now.stderr(), now.stdin()));
        }
    }

    private StreamPositions positions() {
        return streams == null ? new StreamPositions(0, 0, 0) : streams.get();
    }

    private void closeImage() {
        if (image != null) {
            try {
                image.close();
            } catch (IOException e) {
                // It was only read.
                LOG.debug("closing an image", e);
            }
            image = null;
        }
    }

    private static MpiFailure restoreFailure(SnapshotEngine engine, int epoch, Exception cause) {
        String reason = cause instanceof ImageCorruptException ? String.valueOf(cause.getMessage()) : cause.toString();
        // the image is sound, its checksums have been compared: its values are of other classes
        boolean isOtherProgram = cause instanceof InvalidClassException || cause instanceof ClassNotFoundException;
        return RestoreFailure.told(
                engine::report,
                engine.job().jobName(),
                engine.worldRank(),
                new RestoreFailed(epoch, isOtherProgram, reason),
                cause);
    }

    private static MpiFailure outsideOfMpi(String what) {
        return new MpiFailure(ErrorClass.NOT_INITIALIZED, what + " has its place between MPI.Init and MPI.Finalize");
    }
}
