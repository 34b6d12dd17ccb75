package org.gridmpj.runtime;

import java.nio.file.Path;
import java.util.Map;
import org.gridmpj.job.JobSecret;
import org.jspecify.annotations.Nullable;

/**
 * All that {@link MpiProcess} needs to begin.
 *
 * @param parent whoever started this rank; knows the job
 * @param worldRank own rank
 * @param incarnation how often this rank was started before
 * @param secret the job's
 * @param transport name of the {@link org.gridmpj.transport.TransportProvider}; empty: whichever is there (a job of one)
 * @param bindHost local address that the transport binds
 * @param options transport-specific settings, e.g. {@code link=tcp}
 * @param checkpoint interval as the user wrote it, or empty when checkpoints are off
 * @param checkpointDir folder of the job's snapshots, or null when checkpoints are off
 */
public record RankContext(
        Parent parent,
        int worldRank,
        int incarnation,
        JobSecret secret,
        String transport,
        String bindHost,
        Map<String, String> options,
        String checkpoint,
        @Nullable Path checkpointDir) {
    public RankContext {
        options = Map.copyOf(options);
    }
}
