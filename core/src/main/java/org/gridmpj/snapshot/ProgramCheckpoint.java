package org.gridmpj.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the program's state; implemented in module {@code checkpoint}, found by ServiceLoader by the runner that can take
 * the program's stacks apart.
 *
 * <pre>
 *   runner                                 checkpoint
 *     begin(capture) ─────────────────────▶   null: call main; else state: enter its frames
 *     all threads unwound: copy(state) ───▶   one graph of program and engine, in memory
 *     … frames entered again …                written in the background
 * </pre>
 */
public interface ProgramCheckpoint extends CutAction {
    /**
     * Called once, by the thread that is to run main, before it does.
     *
     * @param capture asked by the engine from MPI.Init on
     * @return the program state that an earlier {@link #copy} was given, whose MPI calls may be entered again now; null for
     *     a fresh start
     */
    @Nullable
    Object begin(StackCapture capture);
}
