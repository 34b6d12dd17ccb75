package org.gridmpj.launcher.job;

import java.util.function.Consumer;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.SnapshotDrill;

/** Restore drills of a job: of each snapshot that is committed one rank's image is tried, unless a drill is under way. */
interface Drills {
    /** An epoch is committed. */
    void begin(EpochManifest manifest);

    /** Ends the drill that is under way, and is the end of all drills. Any thread may call. */
    void end();

    /**
     * Drills on this host, one rank after the other.
     *
     * @param events hears how they went
     */
    static Drills here(RestoreDrill drill, Consumer<JobEvent> events) {
        return new Drills() {
            private int nextRank;

            @Override
            public void begin(EpochManifest manifest) {
                int rank = nextRank % manifest.size();
                nextRank = rank + 1;
                drill.begin(rank, said -> {
                    SnapshotDrill.Result result = SnapshotDrill.Result.parse(said);
                    if (result != null) {
                        events.accept(new JobEvent.Drilled(result, rank, "", ""));
                    }
                });
            }

            @Override
            public void end() {
                drill.end();
            }
        };
    }
}
