package org.gridmpj.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Who can take a program's stacks apart and build them up again, as the engine sees it; implemented in module
 * {@code capture}.
 *
 * <pre>
 *   MPI call, a cut is wanted ─▶ obstacle() ── null ─▶ throw unwind() ─▶ frames save themselves ─▶ CutAction.copy
 *                                    └─ a text: this call goes on, the next one asks again       ─▶ entered again
 * </pre>
 */
public interface StackCapture {
    /**
     * Why the current thread cannot be captured here, naming class, line and reason; null if it can. The frames of the
     * engine and the facade that are topmost do not count: the MPI call is entered again.
     */
    @Nullable
    String obstacle();

    /** What the current thread is to throw now; {@link #obstacle} has just said null. */
    CaptureSignal unwind();
}
