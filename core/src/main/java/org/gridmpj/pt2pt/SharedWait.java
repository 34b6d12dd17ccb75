package org.gridmpj.pt2pt;

import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * Waiting for what other ranks of this host write into memory that they share with this one. No link announces it: who waits
 * looks, and before it blocks it says so in that memory, where the writers see it and nudge.
 *
 * <pre>
 *   writer: data, fence, does anybody sleep? ──▶ {@link BesideChannels#nudge}
 *   waiter: {@link #sleep}, fence, is the data there? ──▶ blocks
 * </pre>
 *
 * Used again and again by the one thread that waits. Others may ask {@link #isComplete} meanwhile, under the progress lock.
 */
public abstract class SharedWait extends Request {
    private final MessageStatus status = new MessageStatus();

    @Override
    public final boolean isActive() {
        return true;
    }

    @Override
    public final MessageStatus status() {
        return status;
    }

    /** Under the lock: fails if a rank has gone without which this cannot complete. */
    @Override
    protected abstract void advance();

    /** Tells the writers that this rank is about to block. Under the progress lock; a full fence follows. */
    protected abstract void sleep();

    /** Takes it back. */
    protected abstract void awake();

    /** Why it cannot complete, if so; it then is complete. */
    protected final @Nullable MpiFailure failure() {
        return status.failure;
    }
}
