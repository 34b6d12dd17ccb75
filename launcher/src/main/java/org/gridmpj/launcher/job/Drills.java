package org.gridmpj.launcher.job;

import java.util.function.Consumer;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.SnapshotDrill;

/** Restore drills of a job: of each snapshot that is committed one rank's image is tried, unless a drill is under way. */
interface Drills {
    /**
     * What was done about an image that was damaged at one host.
     *
     * @param words for people; empty if the snapshot cannot be used
     * @param isWhole whether the image is whole there again; if not, what is written from now on should not refer to it
     */
    record Remedy(String words, boolean isWhole) {
        static final Remedy NONE = new Remedy("", false);
    }

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
                    events.accept(new JobEvent.Drilled(result, rank, "", Remedy.NONE));
                }
            }

            @Override
            public void end() {
                drill.end();
            }
        };
    }
}
