package org.gridmpj.coll;

import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.SharedWait;

/** Waiting for what other ranks say on a {@link Board}. Set by the thread that waits, before others can ask. */
final class BoardWait extends SharedWait {
    /** What the ranks are to have said. */
    private enum Kind {
        ALL_POSTED,
        ANY_POSTED,
        ALL_FINISHED,
        MEETING
    }

    private final Board board;
    private Kind kind = Kind.ALL_POSTED;
    private long ranks;
    private long step;

    BoardWait(Board board) {
        this.board = board;
    }

    void forPosts(long ofRanks, long inStep, boolean all) {
        kind = all ? Kind.ALL_POSTED : Kind.ANY_POSTED;
        ranks = ofRanks;
        step = inStep;
    }

    void forFinished(long byRanks, long below) {
        kind = Kind.ALL_FINISHED;
        ranks = byRanks;
        step = below;
    }

    /** Until all have come to the call, or never will. */
    void forMeeting() {
        kind = Kind.MEETING;
        ranks = board.others();
    }

    private boolean has(int rank) {
        return kind == Kind.ALL_FINISHED ? board.hasFinished(rank, step) : board.hasPosted(rank, step);
    }

    private boolean isThere() {
        if (kind == Kind.MEETING) {
            return board.isMeetingOver();
        }
        boolean any = kind == Kind.ANY_POSTED;
        for (long left = ranks; left != 0; left &= left - 1) {
            if (has(Long.numberOfTrailingZeros(left)) == any) {
                return any;
            }
        }
        return !any;
    }

    @Override
    public boolean isComplete() {
        return failure() != null || isThere();
    }

    @Override
    protected void advance() {
        if (kind == Kind.MEETING) {
            board.arriveAgain();
        }
        for (long left = ranks; left != 0; left &= left - 1) {
            int rank = Long.numberOfTrailingZeros(left);
            MpiFailure gone = board.communicator()
                    .pointToPoint()
                    .besideChannels()
                    .departureOf(board.communicator().group().worldRank(rank), board);
            // it may have said so before it went: asked in this order
            if (gone != null && (kind == Kind.MEETING || !has(rank)) && !isThere()) {
                fail(gone);
                return;
            }
        }
    }

    /** The failure of the wait, if it has failed. */
    void rethrow() {
        MpiFailure failure = failure();
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    protected void sleep() {
        board.sayAsleep();
    }

    @Override
    protected void awake() {
        board.sayAwake();
    }

    @Override
    protected boolean isCapturable() {
        return kind == Kind.MEETING;
    }

    @Override
    protected boolean letGo() {
        return board.withdraw();
    }

    @Override
    protected void takeUp() {
        board.arriveAgain();
    }

    @Override
    protected boolean isOvertaken() {
        return kind == Kind.MEETING && board.isTooEarly();
    }

    @Override
    public String toString() {
        return board.toString();
    }
}
