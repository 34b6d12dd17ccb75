package org.gridmpj.checkpoint;

import java.nio.file.Path;
import java.util.Map;
import org.gridmpj.capture.frames.ProgramCapture;
import org.gridmpj.capture.frames.ProgramResumption;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.runtime.Bootstrap;
import org.gridmpj.runtime.Parent;
import org.gridmpj.runtime.RankContext;

/** Takes a program back to the epoch that the launcher has named, if it has named one. */
public final class TransparentResumption implements ProgramResumption {
    private final Map<String, String> environment;

    /** For ServiceLoader. */
    public TransparentResumption() {
        this(System.getenv());
    }

    TransparentResumption(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public boolean resume(ProgramCapture capture) {
        RankContext context = Bootstrap.launched();
        String folder = environment.getOrDefault("GRIDMPJ_CHECKPOINT_DIR", "");
        if (context == null || folder.isEmpty()) {
            return false;
        }
        Parent parent = context.parent();
        if (parent.resumeEpoch() == ControlMessage.Welcome.ARRIVING) {
            RankCheckpointHook.transparent(capture, environment)
                    .arrive(
                            parent,
                            context.worldRank(),
                            FileSnapshotStore.at(Path.of(folder)),
                            RankCheckpointHook::positions);
            return true;
        }
        if (parent.resumeEpoch() < 0) {
            return false;
        }
        RankCheckpointHook.transparent(capture, environment)
                .resume(
                        parent,
                        context.worldRank(),
                        FileSnapshotStore.at(Path.of(folder)),
                        RankCheckpointHook::positions);
        return true;
    }
}
