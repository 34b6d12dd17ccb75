package org.gridmpj.snapshot;

/** What happens while all stacks of the program are taken apart; called back by who took them apart. */
@FunctionalInterface
public interface CutAction {
    /**
     * Copies the program's state, together with the engine's, unless the epoch was abandoned in the meantime. The frames
     * are entered again when this returns, whatever came of it: a failure is reported, not thrown.
     *
     * @param programState frames of all threads and static fields, as plain data; what {@code restore} gives back
     */
    void copy(Object programState);
}
