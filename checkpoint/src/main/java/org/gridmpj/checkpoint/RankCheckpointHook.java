package org.gridmpj.checkpoint;

import java.nio.file.Path;
import java.util.Map;
import org.gridmpj.capture.frames.ProgramCapture;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.runtime.ProgramOutput;
import org.gridmpj.snapshot.CheckpointHook;
import org.gridmpj.snapshot.SnapshotEngine;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots of the program in this JVM, as the environment of a launched rank asks for them: GRIDMPJ_CHECKPOINT is the
 * interval, GRIDMPJ_CHECKPOINT_DIR the folder of the job's snapshots. Without them it does nothing. Transparent where the
 * agent has made the program capturable, else cooperative.
 */
public final class RankCheckpointHook implements CheckpointHook {
    @SuppressWarnings("NonFinalStaticField") // one program in a process, and one agent that may capture it
    private static @Nullable TransparentSnapshots ofThisProcess;

    private final Map<String, String> environment;
    private final ProgramSnapshots cooperative;
    private final @Nullable TransparentSnapshots transparent;
    /** It may come before the engine is attached. */
    private volatile ControlMessage.@Nullable Lived lived;

    private volatile ControlMessage.@Nullable CheckpointNow asked;

    /** For ServiceLoader. */
    public RankCheckpointHook() {
        this(System.getenv(), ProgramSnapshots.ofThisProcess());
    }

    RankCheckpointHook(Map<String, String> environment, ProgramSnapshots cooperative) {
        this.environment = environment;
        this.cooperative = cooperative;
        ProgramCapture capture = ProgramCapture.installed();
        this.transparent = capture == null ? null : transparent(capture, environment);
    }

    /** The transparent snapshots of this process: before MPI.Init as well as in it. */
    static synchronized TransparentSnapshots transparent(ProgramCapture capture, Map<String, String> environment) {
        TransparentSnapshots snapshots = ofThisProcess;
        if (snapshots == null) {
            snapshots = new TransparentSnapshots(capture, Path.of(environment.getOrDefault("GRIDMPJ_JOB_DIR", ".")));
            ofThisProcess = snapshots;
        }
        return snapshots;
    }

    static StreamPositions positions() {
        return new StreamPositions(
                ProgramOutput.stdoutBytes(), ProgramOutput.stderrBytes(), ProgramOutput.stdinBytes());
    }

    @Override
    public boolean holdsUntilAdopted() {
        return transparent != null && transparent.isResuming();
    }

    @Override
    public boolean arrives() {
        return transparent != null && transparent.isArriving();
    }

    @Override
    public boolean isTransparent() {
        return transparent != null;
    }

    @Override
    public @Nullable Path messageLogFolder() {
        String folder = environment.getOrDefault("GRIDMPJ_CHECKPOINT_DIR", "");
        boolean wanted = "local".equals(environment.get("GRIDMPJ_FT"));
        return wanted && transparent != null && !folder.isEmpty() ? Path.of(folder) : null;
    }

    @Override
    public void rehearse(int worldRank) {
        String folder = environment.getOrDefault("GRIDMPJ_CHECKPOINT_DIR", "");
        if (!folder.isEmpty()) {
            SnapshotDrill.rehearse(Path.of(folder), worldRank);
        }
    }

    @Override
    public void attached(SnapshotEngine engine) {
        String folder = environment.getOrDefault("GRIDMPJ_CHECKPOINT_DIR", "");
        if (folder.isEmpty()) {
            return;
        }
        CheckpointInterval interval;
        try {
            interval = CheckpointInterval.parse(environment.getOrDefault("GRIDMPJ_CHECKPOINT", ""));
        } catch (IllegalArgumentException e) {
            throw new MpiFailure(ErrorClass.ARG, "GRIDMPJ_CHECKPOINT: " + e.getMessage(), e);
        }
        SnapshotStore store = FileSnapshotStore.at(Path.of(folder));
        if (environment.containsKey("GRIDMPJ_CONTROL")) {
            ProcessSignals.leaveToParent();
        }
        if (transparent != null) {
            transparent.attach(
                    engine,
                    store,
                    interval,
                    System::nanoTime,
                    System::currentTimeMillis,
                    RankCheckpointHook::positions);
        } else {
            cooperative.attach(
                    engine,
                    store,
                    interval,
                    System::nanoTime,
                    System::currentTimeMillis,
                    RankCheckpointHook::positions);
        }
        hear(lived);
        hear(asked);
    }

    /** What the parent said before there was anybody to hear it. */
    private void hear(@Nullable ControlMessage early) {
        if (early != null) {
            onControl(early);
        }
    }

    @Override
    public void onControl(ControlMessage message) {
        if (message instanceof ControlMessage.Lived life) {
            lived = life;
        } else if (message instanceof ControlMessage.CheckpointNow now) {
            asked = now;
        }
        if (transparent != null) {
            transparent.onControl(message);
        } else if (message instanceof ControlMessage.Lived life) {
            cooperative.lived(life);
        } else if (message instanceof ControlMessage.CheckpointNow now) {
            if (now.isFull()) {
                cooperative.nextIsFull();
            }
            cooperative.request();
        } else if (message instanceof ControlMessage.EpochCommitted(int epoch)) {
            cooperative.committed(epoch);
        } else if (message instanceof ControlMessage.SnapshotFailed(int epoch, String _)) {
            cooperative.givenUp(epoch);
        }
    }

    @Override
    public void detaching() {
        if (transparent != null) {
            transparent.detach();
        } else {
            cooperative.detach();
        }
    }
}
