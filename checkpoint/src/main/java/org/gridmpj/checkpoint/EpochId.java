package org.gridmpj.checkpoint;

import java.util.Comparator;

/**
 * One epoch of one timeline of a job. A rollback raises the generation, so that what the abandoned timeline still writes
 * has other names; a later generation is further in the job's life whatever its epoch.
 *
 * @param generation how often the job had been rolled back when the snapshot was taken
 * @param epoch number of the snapshot; goes on counting after a rollback
 */
public record EpochId(int generation, int epoch) implements Comparable<EpochId> {
    private static final Comparator<EpochId> IN_TIME =
            Comparator.comparingInt(EpochId::generation).thenComparingInt(EpochId::epoch);

    public EpochId {
        if (generation < 0 || epoch < 0) {
            throw new IllegalArgumentException("generation " + generation + ", epoch " + epoch);
        }
    }

    @Override
    public int compareTo(EpochId other) {
        return IN_TIME.compare(this, other);
    }

    @Override
    public String toString() {
        return "snapshot " + epoch + " of generation " + generation;
    }
}
