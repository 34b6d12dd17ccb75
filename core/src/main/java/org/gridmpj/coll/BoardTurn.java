package org.gridmpj.coll;

import java.util.concurrent.locks.ReentrantLock;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.snapshot.CaptureSignal;
import org.jspecify.annotations.Nullable;

/**
 * One call at a time on a {@link Board}: two threads in collectives of one communicator take turns, and if their order differs at
 * another rank the calls fail. After a failure in the middle all later calls fail, since the ranks' steps differ.
 *
 * <pre>
 *   begin ─▶ steps of the board ─▶ done ─▶ end
 *                 └──────────────▶ failed ─┘
 * </pre>
 */
final class BoardTurn {
    private final Board board;
    private final ReentrantLock turn = new ReentrantLock();
    private @Nullable Throwable broken;

    BoardTurn(Board board) {
        this.board = board;
    }

    /** @param what {@link BoardCall#of}, alike at all ranks */
    void begin(long what) {
        turn.lock();
        if (broken != null) {
            turn.unlock();
            throw new MpiFailure(
                    ErrorClass.OTHER,
                    board + " cannot go on: an earlier collective of this communicator has failed (" + broken + ")",
                    broken);
        }
        board.begin(what);
    }

    /** What has failed in the middle cannot go on; a thread that unwinds to be captured has not begun. */
    void failed(Throwable cause) {
        if (!(cause instanceof CaptureSignal)) {
            broken = cause;
        }
    }

    /** The whole call went by the board. */
    boolean done() {
        board.over();
        return true;
    }

    /** The next one's turn. */
    void end() {
        turn.unlock();
    }
}
