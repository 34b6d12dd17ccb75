package org.gridmpj.snapshot;

import java.nio.file.Path;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * The module {@code checkpoint} as the engine sees it; found by ServiceLoader, absent when checkpoints are off.
 *
 * <p>Calls come from the thread that is in the MPI call, except {@link #onControl}, which comes from the thread that reads
 * the control connection and must not block.
 */
public interface CheckpointHook {
    /** Whether the engine that is about to be connected is to hold all that comes until it has adopted a state. */
    default boolean holdsUntilAdopted() {
        return false;
    }

    /** Whether this process takes its rank over from another one: then it is linked with the peers when that is decided. */
    default boolean arrives() {
        return false;
    }

    /** Whether snapshots are transparent, at all ranks of the job alike: the program's threads are captured in MPI calls, and nowhere else. */
    default boolean isTransparent() {
        return false;
    }

    /** Where logs of messages spill to, if one rank alone may go back to a snapshot; else null, and nothing is logged. */
    default @Nullable Path messageLogFolder() {
        return null;
    }

    /**
     * This process waits until its rank needs another one: does once what a restore begins with, so that it is in the caches of the
     * system and of this JVM then. In the thread of the JVM's own main, before there is a connection to the parent.
     */
    default void rehearse(int worldRank) {
        // nothing to be done ahead
    }

    /** MPI.Init is about to return: the engine is connected. A resuming rank restores its state from here on. */
    void attached(SnapshotEngine engine);

    /** Something of the parent's that concerns snapshots: CheckpointNow, EpochCommitted. */
    void onControl(ControlMessage message);

    /** MPI.Finalize has been called. Waits until images under way are written. */
    void detaching();
}
