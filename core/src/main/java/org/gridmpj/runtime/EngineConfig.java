package org.gridmpj.runtime;

import java.time.Duration;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a rank's engine.
 *
 * @param pointToPoint protocols and waiting; null for those that suit the host, once the IP table tells how many ranks
 *     share it
 * @param connectTimeout for all peers together, in MPI.Init
 * @param drainTimeout in MPI.Finalize, after all ranks have said goodbye
 */
public record EngineConfig(@Nullable PointToPointConfig pointToPoint, Duration connectTimeout, Duration drainTimeout) {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

    /** What a job gets that asks for nothing. */
    public static EngineConfig defaults() {
        return new EngineConfig(null, CONNECT_TIMEOUT, DRAIN_TIMEOUT);
    }

    /** With settings of the point-to-point part instead of those that suit the host. */
    public EngineConfig withPointToPoint(PointToPointConfig settings) {
        return new EngineConfig(settings, connectTimeout, drainTimeout);
    }
}
