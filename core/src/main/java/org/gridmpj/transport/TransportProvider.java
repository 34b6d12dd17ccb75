package org.gridmpj.transport;

import java.util.Map;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Transport}; found by ServiceLoader, chosen by name. */
public interface TransportProvider {
    /** The word after {@code --transport}. */
    String name();

    /** How it moves bytes on this very machine, for people: found out, not assumed. */
    default String ways() {
        return "the same on every machine";
    }

    /** A transport that is neither bound nor connected. */
    Transport open(Context context);

    /**
     * What a transport is given.
     *
     * @param job the job that its connections must belong to
     * @param worldRank the own rank
     * @param incarnation the own incarnation
     * @param secret authenticates every connection, both ways, before any other byte is believed
     * @param sink where frames go
     * @param options transport-specific settings by name, e.g. {@code link=tcp}
     * @param knocker reaches peers without a connection; null where nobody does: then all pairs are connected at once
     */
    record Context(
            JobSpec job,
            int worldRank,
            int incarnation,
            JobSecret secret,
            FrameSink sink,
            Map<String, String> options,
            @Nullable Knocker knocker) {
        public Context {
            options = Map.copyOf(options);
        }

        /** Where nobody reaches a peer without a connection. */
        public Context(
                JobSpec job,
                int worldRank,
                int incarnation,
                JobSecret secret,
                FrameSink sink,
                Map<String, String> options) {
            this(job, worldRank, incarnation, secret, sink, options, null);
        }
    }
}
