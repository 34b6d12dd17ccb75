package org.gridmpj.launcher.job;

import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/** A rank goes on in another process because somebody wants it to, while the others run on. Confined to the job's thread. */
abstract sealed class Move permits Migration, PlannedReturn {
    private final @Nullable ControlLine asker;
    private boolean over;
    private String failure = "";
    private boolean nextEnded;

    /** @param asker mpjctl, which waits for the end of it; nobody if a host is drained */
    Move(@Nullable ControlLine asker) {
        this.asker = asker;
    }

    /** Whether nothing more is to be done. */
    final boolean isOver() {
        return over;
    }

    /** Why the rank has not moved, once that is over; else an empty text. */
    final String failure() {
        return failure;
    }

    /** Whether this is an event of the process that is to take over, and not yet the rank. */
    abstract boolean isNext(int worldRank, int incarnation);

    /** Whether this is or was the process that is to take over. */
    abstract boolean isNumbered(int worldRank, int incarnation);

    /**
     * Whether the process of a move that has failed is still to end. The next try would have its number, so that its end would
     * be taken for that of the new one.
     */
    final boolean hasProcessLeft() {
        return !failure.isEmpty() && !nextEnded;
    }

    /**
     * A process has ended.
     *
     * @return whether that was the one of this move, and so concerns nobody else
     */
    final boolean exited(int worldRank, int incarnation, int status) {
        boolean wasNext = isNext(worldRank, incarnation);
        if (wasNext) {
            nextExited(status);
        }
        boolean wasLeft = hasProcessLeft() && isNumbered(worldRank, incarnation);
        nextEnded |= wasLeft;
        return wasNext || wasLeft;
    }

    /** The new process has dialled the launcher. */
    abstract void connected(ControlMessage.Hello hello, ControlLine link);

    /** The new process says something. */
    abstract void nextSaid(ControlMessage message);

    /** The new process has ended before it was the rank. */
    abstract void nextExited(int status);

    /** Time passes. */
    abstract void tick(long nowNanos);

    /** The job goes back or ends, whatever the move has come to. */
    abstract void drop(String reason);

    /** The rank is another process now. */
    final void succeeded(RankSlot now, String report) {
        over = true;
        Moves.answer(asker, now.host.isEmpty() ? "localhost" : now.host, report);
    }

    /** The rank does not move. */
    final void failed(String reason) {
        over = true;
        failure = reason;
        Moves.answer(asker, "", reason);
    }
}
