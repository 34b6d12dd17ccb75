package org.gridmpj.checkpoint;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.gridmpj.capture.frames.ProgramCapture;
import org.gridmpj.capture.frames.ProgramStatics;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.runtime.Bootstrap;
import org.gridmpj.runtime.Parent;
import org.gridmpj.runtime.RankContext;
import org.gridmpj.snapshot.SnapshotEngine;
import org.jspecify.annotations.Nullable;

/**
 * The transparent snapshots of the program in this JVM: from MPI.Init to MPI.Finalize, and the way back to one.
 *
 * <pre>
 *   before main ── fresh ────▶ main … MPI.Init: attach ─▶ snapshots … MPI.Finalize: detach
 *        └──────── resume ───▶ image verified ─▶ MPI.Init on the program's behalf: attach ─▶ graph read
 *                              ─▶ statics set, engine adopts ─▶ frames entered
 * </pre>
 *
 * <p>Guarded by its own monitor.
 */
final class TransparentSnapshots {
    private static final Duration LINK_PATIENCE = Duration.ofSeconds(2);

    private final ProgramCapture capture;
    private final Path jobFolder;
    private @Nullable SnapshotEngine engine;
    private @Nullable TransparentTaker taker;
    private @Nullable EpochCoordinator coordinator;
    private @Nullable SnapshotClock clock;
    private boolean resuming;
    private boolean arriving;
    /** What the parent tells a process that takes its rank over. */
    private final LinkedBlockingQueue<ControlMessage> arrival = new LinkedBlockingQueue<>();

    private int nextEpoch;

    /** @param jobFolder where the image is when the rank moves */
    TransparentSnapshots(ProgramCapture capture, Path jobFolder) {
        this.capture = capture;
        this.jobFolder = jobFolder;
    }

    /** Whether the engine that is about to be connected is to wait for its state. */
    synchronized boolean isResuming() {
        return resuming;
    }

    /** Whether this process takes its rank over from another one. */
    synchronized boolean isArriving() {
        return arriving;
    }

    /** MPI.Init: from here on the program can be captured. */
    synchronized void attach(
            SnapshotEngine connected,
            SnapshotStore store,
            CheckpointInterval interval,
            LongSupplier nanoClock,
            LongSupplier wallClockMillis,
            Supplier<StreamPositions> positions) {
        SnapshotClock ticking =
                new SnapshotClock(interval, nanoClock, connected.job().generation());
        nextEpoch = Math.max(nextEpoch, connected.resumeEpoch() + 1);
        EpochCoordinator coordinating = connected.worldRank() == 0
                ? new EpochCoordinator(connected::requestCut, ticking, nanoClock, nextEpoch)
                : null;
        TransparentTaker taking = new TransparentTaker(
                connected,
                store,
                ticking,
                positions,
                wallClockMillis,
                ProgramStatics::initialized,
                coordinating,
                () -> isArriving() || !isResuming(), // who arrives has time: its rank runs elsewhere meanwhile
                capture::practise);
        capture.onCut(taking);
        connected.captureWith(capture, taking);
        if (coordinating != null && !resuming) {
            coordinating.start();
        }
        engine = connected;
        taker = taking;
        coordinator = coordinating;
        clock = ticking;
    }

    /** Something of the parent's. Does not block. */
    void onControl(ControlMessage message) {
        EpochCoordinator coordinating;
        SnapshotClock asked;
        TransparentTaker taking;
        synchronized (this) {
            taking = taker;
            coordinating = coordinator;
            asked = clock;
        }
        if (taking != null && message instanceof ControlMessage.EpochCommitted(int epoch)) {
            taking.committed(epoch);
        }
        if (taking != null && message instanceof ControlMessage.SnapshotFailed(int epoch, String _)) {
            taking.givenUp(epoch);
        }
        if (taking != null && message instanceof ControlMessage.CheckpointNow now && now.isFull()) {
            taking.nextIsFull();
        }
        switch (message) {
            case ControlMessage.CheckpointNow now when asked != null -> asked.request();
            case ControlMessage.Lived life when asked != null -> asked.lived(life);
            case ControlMessage.EpochCommitted(int epoch) when coordinating != null -> coordinating.committed(epoch);
            case ControlMessage.SnapshotFailed(int epoch, String reason)
            when coordinating != null -> coordinating.abandoned(epoch);
            case ControlMessage.CopyAhead(String file)
            when taking != null -> taking.departure().copyAhead(jobFolder.resolve(file));
            case ControlMessage.CopyAhead(String file) -> notInMpi(file);
            case ControlMessage.Depart(String file)
            when taking != null -> taking.departure().depart(jobFolder.resolve(file));
            case ControlMessage.Depart(String file) -> notInMpi(file);
            case ControlMessage.Stay stay
            when taking != null -> taking.departure().stay();
            case ControlMessage.PeerGoesBack back when coordinating != null -> coordinating.hold();
            case ControlMessage.CaughtUp caughtUp
            when coordinating != null -> {
                coordinating.beginWith(caughtUp.nextEpoch());
                coordinating.goOn();
            }
            case ControlMessage.GoBack back -> arrival.add(back);
            case ControlMessage.Rehearse rehearse -> arrival.add(rehearse);
            case ControlMessage.Arrive arrive -> arrival.add(arrive);
            case ControlMessage.Go go -> arrival.add(go);
            default -> {}
        }
    }

    private void notInMpi(String file) {
        RankContext context = Bootstrap.launched();
        if (context != null) {
            context.parent().report(new ControlMessage.NotMoved(file, "it is not between MPI.Init and MPI.Finalize"));
        }
    }

    /** MPI.Finalize: waits until images are written. */
    void detach() {
        TransparentTaker finishing;
        synchronized (this) {
            finishing = taker;
            if (coordinator != null) {
                coordinator.stop();
                nextEpoch = coordinator.nextEpoch();
            }
            taker = null;
            engine = null;
            coordinator = null;
            clock = null;
        }
        if (finishing != null) {
            finishing.finish();
        }
    }

    /**
     * Goes back to an epoch, in the thread that is to run main, before any class of the program is initialised.
     *
     * @throws MpiFailure if the image cannot be used; the parent has been told
     */
    void resume(Parent parent, int worldRank, SnapshotStore store, Supplier<StreamPositions> positions) {
        int epoch = parent.resumeEpoch();
        SnapshotPhaseEvent restoring = SnapshotPhaseEvent.begun("restore", worldRank);
        try (TransparentImage image = TransparentImage.open(store, parent.job(), worldRank, epoch)) {
            CrashPoint.hit("restore.verified");
            ProgramStatics.skipInitializers(image.initializedClasses());
            SnapshotEngine connected = connect();
            TransparentImage.State state = image.state(connected);
            capture.restore(state.program(), ClassLoader.getSystemClassLoader());
            state.settle().run();
            connected.goesBackTo(epoch, false);
            connected.adopt(state.engine(), image.inFlight());
            restoring.done(epoch, image.bytes());
        } catch (IOException | RuntimeException | LinkageError e) {
            throw failure(parent, worldRank, epoch, e);
        }
        StreamPositions now = positions.get();
        parent.report(new ControlMessage.Restored(epoch, now.stdout(), now.stderr(), now.stdin()));
        CrashPoint.hit("restore.thawed");
        synchronized (this) {
            resuming = false;
            if (coordinator != null) {
                coordinator.start();
            }
        }
    }

    /**
     * Takes this rank over from another process, in the thread that is to run main, before any class of the program is
     * initialised. That process may go on until {@link ControlMessage.Go}; or it has died, and this one goes back to an epoch
     * alone.
     *
     * @param store of the job
     * @throws MpiFailure if the image cannot be used; the parent has been told
     */
    void arrive(Parent parent, int worldRank, SnapshotStore store, Supplier<StreamPositions> positions) {
        synchronized (this) {
            arriving = true;
        }
        SnapshotPhaseEvent restoring = SnapshotPhaseEvent.begun("arrive", worldRank);
        SnapshotEngine connected = connect();
        CrashPoint.hit("arrive.prepared");
        parent.report(new ControlMessage.Prepared());
        ControlMessage from = told();
        while (from instanceof ControlMessage.Rehearse(String ahead)) {
            rehearse(parent, worldRank, ahead, connected);
            from = told();
        }
        int epoch = from instanceof ControlMessage.GoBack(int committed) ? committed : ControlMessage.Welcome.ARRIVING;
        boolean alone = from instanceof ControlMessage.GoBack;
        try (TransparentImage image = arrivalImage(from, store, parent.job(), worldRank)) {
            ProgramStatics.skipInitializers(image.initializedClasses());
            TransparentImage.State state = image.state(connected);
            capture.restore(state.program(), ClassLoader.getSystemClassLoader());
            state.settle().run();
            EpochCoordinator coordinating;
            synchronized (this) {
                coordinating = coordinator;
            }
            if (alone) {
                if (coordinating != null) {
                    // until all ranks have caught up, and this one knows which epoch is the next
                    coordinating.hold();
                }
                connected.goesBackTo(epoch, true);
                connected.adopt(state.engine(), image.inFlight());
            } else {
                connected.takeOver(image.channels());
                connected.adopt(state.engine(), new byte[0]);
                if (coordinating != null) {
                    coordinating.beginWith(image.nextEpoch());
                }
            }
            restoring.done(0, image.bytes());
        } catch (IOException | RuntimeException | LinkageError e) {
            throw cannotTakeOver(parent, worldRank, e);
        }
        CrashPoint.hit("arrive.restored");
        parent.report(new ControlMessage.Arrived());
        ControlMessage _ = told();
        CrashPoint.hit("arrive.decided");
        // for the stall that is shown to be true; the program would wait for its peers anyway
        boolean _ = connected.awaitLinks(LINK_PATIENCE);
        StreamPositions now = positions.get();
        parent.report(new ControlMessage.Restored(epoch, now.stdout(), now.stderr(), now.stdin()));
        synchronized (this) {
            resuming = false;
            arriving = false;
            if (coordinator != null) {
                coordinator.start();
            }
        }
    }

    private void rehearse(Parent parent, int worldRank, String ahead, SnapshotEngine connected) {
        connected.rehearse();
        try {
            TransparentImage.rehearse(jobFolder.resolve(ahead), parent.job(), worldRank);
        } catch (IOException | RuntimeException e) {
            throw cannotTakeOver(parent, worldRank, e);
        }
        CrashPoint.hit("arrive.rehearsed");
        parent.report(new ControlMessage.Prepared());
    }

    private static MpiFailure cannotTakeOver(Parent parent, int worldRank, Throwable cause) {
        parent.report(new ControlMessage.NotMoved("", "the new process cannot take it over: " + cause));
        return new MpiFailure(
                ErrorClass.OTHER,
                "rank " + worldRank + " of job " + parent.job().jobName() + " cannot be taken over by this process: "
                        + cause + ". The process before goes on",
                cause);
    }

    private TransparentImage arrivalImage(ControlMessage from, SnapshotStore store, JobSpec job, int worldRank)
            throws IOException {
        return switch (from) {
            case ControlMessage.Arrive(String file) ->
                TransparentImage.openSolitary(jobFolder.resolve(file), job, worldRank);
            case ControlMessage.GoBack(int epoch) -> TransparentImage.open(store, job, worldRank, epoch);
            default -> throw new IOException("rank " + worldRank + " was told to go without an image");
        };
    }

    private ControlMessage told() {
        try {
            return arrival.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MpiFailure(ErrorClass.OTHER, "interrupted while the rank was taken over", e);
        }
    }

    /** Does what the program did when it called MPI.Init. */
    private SnapshotEngine connect() {
        synchronized (this) {
            resuming = true;
        }
        try {
            Class.forName("mpi.MPI", true, ClassLoader.getSystemClassLoader())
                    .getMethod("Init", String[].class)
                    .invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException e) {
            throw new MpiFailure(ErrorClass.OTHER, "the ranks cannot be connected again: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new MpiFailure(ErrorClass.INTERN, "there is no MPI.Init on the class path", e);
        }
        SnapshotEngine connected;
        synchronized (this) {
            connected = engine;
        }
        if (connected == null) {
            throw new MpiFailure(ErrorClass.INTERN, "MPI.Init has not attached the snapshots");
        }
        return connected;
    }

    private static MpiFailure failure(Parent parent, int worldRank, int epoch, Throwable cause) {
        boolean isOtherProgram = TransparentImage.isOfAnotherProgram(cause);
        String reason = isOtherProgram || cause instanceof ImageCorruptException
                ? String.valueOf(cause.getMessage())
                : cause.toString();
        return RestoreFailure.told(
                parent::report,
                parent.job().jobName(),
                worldRank,
                new ControlMessage.RestoreFailed(epoch, isOtherProgram, reason),
                cause);
    }
}
