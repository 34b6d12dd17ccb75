package org.gridmpj.launcher.job;

import java.util.function.Consumer;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.SnapshotDrill;

/** Restore drills of a job: of each snapshot that is committed one rank's image is tried, unless a drill is under way. */
interface Drills {
    /** An epoch is committed. */
    void begin(EpochManifest manifest);

    /** Is the end of all drills; nobody hears of one that is under way. Any thread may call. */
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
                if (drill.begin(rank, said -> heard(said, rank))) {
                    nextRank++;
                }
            }

            private void heard(String said, int rank) {
                SnapshotDrill.Result result = SnapshotDrill.Result.parse(said);
                if (result != null) {
                    events.accept(new JobEvent.Drilled(result, rank, "", ""));
                }
            }

            @Override
            public void end() {
                drill.end();
            }
        };
    }
}
