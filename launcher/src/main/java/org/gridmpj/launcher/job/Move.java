package org.gridmpj.launcher.job;

/** A rank goes on in another process because somebody wants it to, while the others run on. Confined to the job's thread. */
sealed interface Move permits Migration, PlannedReturn {
    /** Whether nothing more is to be done. */
    boolean isOver();

    /** Why the rank has not moved, once that is over; else an empty text. */
    String failure();

    /** Time passes. */
    void tick(long nowNanos);

    /** The job goes back or ends, whatever the move has come to. */
    void drop(String reason);
}
