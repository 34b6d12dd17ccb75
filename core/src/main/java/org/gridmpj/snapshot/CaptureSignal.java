package org.gridmpj.snapshot;

/**
 * Unwinds a program thread so that its frames can save themselves: thrown by an MPI call, before it has had any effect
 * that its {@code CallJournal} does not know, and caught by nobody but the frames' own handlers. The engine and the facade
 * let it through. Without a stack trace, since it is control flow.
 */
public final class CaptureSignal extends Error {
    private static final long serialVersionUID = 1L;

    public CaptureSignal() {
        super("a program thread is being captured", null, false, false);
    }
}
