package org.gridmpj.pt2pt;

import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * A started operation (MPI standard, 3.7), also a collective one. State is guarded by the progress lock; completion is
 * published by a write with release or stronger.
 */
public abstract class Request {
    /** Who is to be woken at completion; set only by a thread about to block. Guarded by the progress lock. */
    private @Nullable Thread waiter;

    /** Whether the operation is complete (and, for a persistent one, not started again). */
    public abstract boolean isComplete();

    /** False for a persistent request between completion and the next start. */
    public abstract boolean isActive();

    /** What the operation received; valid once complete. */
    public abstract MessageStatus status();

    /** Moves the operation on as far as it will go without blocking; called under the progress lock. */
    protected abstract void advance();

    /** A collective begins, perhaps once more: called under the progress lock, for others may just have completed it. */
    protected void rewind() {}

    /**
     * {@link #advance} has thrown: the operation is to complete with this failure. Called under the progress lock.
     *
     * <p>The default puts the failure in the status; an operation that keeps its completion elsewhere overrides it.
     */
    protected void fail(MpiFailure failure) {
        status().failure = failure;
    }

    /** Whether a thread that waits for this may unwind to be captured. */
    protected boolean isCapturable() {
        return true;
    }

    /**
     * A thread that waits for this asks whether it can unwind, to wait anew later: what others see of its waiting is taken back. False if
     * it is too late.
     */
    protected boolean letGo() {
        return true;
    }

    /** It cannot unwind: what {@link #letGo} has taken back is seen again. */
    protected void takeUp() {}

    /** Whether this waits for others that have made a cut which this rank has not. */
    protected boolean isOvertaken() {
        return false;
    }

    /** The completion has been seen by await or test (and the like): a persistent request is inactive from here on. */
    void consume() {}

    void setWaiter(@Nullable Thread thread) {
        waiter = thread;
    }

    @Nullable
    Thread waiter() {
        return waiter;
    }
}
