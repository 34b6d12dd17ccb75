package org.gridmpj.pt2pt;

/**
 * A started operation (MPI standard, 3.7), also a collective one. State is guarded by the progress lock; completion is
 * published by a volatile write.
 */
public abstract class Request {
    /** Whether the operation is complete (and, for a persistent one, not started again). */
    public abstract boolean isComplete();

    /** False for a persistent request between completion and the next start. */
    public abstract boolean isActive();

    /** What the operation received; valid once complete. */
    public abstract MessageStatus status();

    /** Moves the operation on as far as it will go without blocking; called under the progress lock. */
    protected abstract void advance();
}
