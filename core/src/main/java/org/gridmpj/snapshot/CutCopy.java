package org.gridmpj.snapshot;

import java.io.IOException;

/** Copies state while the engine stands still; see {@link SnapshotEngine#cut}. */
@FunctionalInterface
public interface CutCopy {
    /**
     * Writes the copy; under the engine's progress lock, unless it is for practice.
     *
     * @param engineState plain data that shares objects with the program's state: both belong into one graph
     * @throws IOException if it cannot be made; the epoch is abandoned on all ranks
     */
    void copy(int epoch, Object engineState) throws IOException;
}
