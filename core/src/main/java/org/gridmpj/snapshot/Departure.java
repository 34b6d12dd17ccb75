package org.gridmpj.snapshot;

import java.util.Map;
import java.util.function.Supplier;

/** What a rank does that leaves its process alone; see {@link SnapshotEngine#depart}. */
@FunctionalInterface
public interface Departure {
    /**
     * Makes the image and waits for the decision, with this rank standing still; under the engine's progress lock. Returns
     * if the rank stays: it goes on as if nothing had been. Does not throw.
     *
     * @param engineState gives plain data that shares objects with the program's state: both belong into one graph
     * @param channels gives what the channels hold, by name
     */
    void leave(Supplier<Object> engineState, Supplier<Map<String, byte[]>> channels);
}
