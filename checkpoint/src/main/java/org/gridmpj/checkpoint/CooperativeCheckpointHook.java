package org.gridmpj.checkpoint;

import java.nio.file.Path;
import java.util.Map;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.runtime.ProgramOutput;
import org.gridmpj.snapshot.CheckpointHook;
import org.gridmpj.snapshot.SnapshotEngine;

/**
 * Cooperative snapshots of the program in this JVM, as the environment of a launched rank asks for them: GRIDMPJ_CHECKPOINT
 * is the interval, GRIDMPJ_CHECKPOINT_DIR the folder of the job's snapshots. Without them it does nothing.
 */
public final class CooperativeCheckpointHook implements CheckpointHook {
    private final Map<String, String> environment;
    private final ProgramSnapshots snapshots;

    /** For ServiceLoader. */
    public CooperativeCheckpointHook() {
        this(System.getenv(), ProgramSnapshots.ofThisProcess());
    }

    CooperativeCheckpointHook(Map<String, String> environment, ProgramSnapshots snapshots) {
        this.environment = environment;
        this.snapshots = snapshots;
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
        snapshots.attach(
                engine,
                FileSnapshotStore.at(Path.of(folder)),
                interval,
                System::nanoTime,
                System::currentTimeMillis,
                () -> new StreamPositions(
                        ProgramOutput.stdoutBytes(), ProgramOutput.stderrBytes(), ProgramOutput.stdinBytes()));
    }

    @Override
    public void onControl(ControlMessage message) {
        if (message instanceof ControlMessage.CheckpointNow) {
            snapshots.request();
        }
    }

    @Override
    public void detaching() {
        snapshots.detach();
    }
}
