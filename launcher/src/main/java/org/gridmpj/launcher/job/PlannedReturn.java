package org.gridmpj.launcher.job;

import java.io.IOException;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * A rank of a job with {@code --ft local} goes on in another process: when that is prepared the rank is ended just after a
 * snapshot, and goes back alone, as after a death (docs/design/0018). Confined to the job's thread.
 *
 * <pre>
 *   a successor ─▶ Prepared ─▶ CheckpointNow ─▶ committed, or not in time ─▶ may it go back alone? ─▶ SIGKILL ─▶ reaped
 *        └─ ends: nothing has changed                                          └─ no: nothing has changed          │
 *                                                                      over ◀─ caught up ◀─ a LoneReturn in it ◀─┘
 * </pre>
 */
final class PlannedReturn extends Move {
    private static final long PREPARED_NANOS = 60_000_000_000L;
    /** What mpjctl waits for is this, the end of a process, and a return. */
    private static final long SNAPSHOT_NANOS = 20_000_000_000L;

    private static final int NOT_ASKED = Integer.MIN_VALUE;

    private final Migration.Job job;
    private final LoneReturns returns;
    private final RankSlot before;
    private final Successor successor;
    private int afterEpoch = NOT_ASKED;
    private long untilNanos;
    private @Nullable LoneReturn returning;

    private PlannedReturn(
            Migration.Job job, LoneReturns returns, @Nullable ControlLine asker, RankSlot before, Successor successor) {
        super(asker);
        this.job = job;
        this.returns = returns;
        this.before = before;
        this.successor = successor;
        this.untilNanos = job.ranks().machine().nanoTime() + PREPARED_NANOS;
    }

    /**
     * Starts the process in which a rank is to go on.
     *
     * @param host where to, as the user has said it
     * @throws IOException saying why it cannot be moved
     */
    static PlannedReturn begin(
            Migration.Job job, LoneReturns returns, @Nullable ControlLine asker, int worldRank, String host)
            throws IOException {
        RankSlot before = job.ranks().movable(worldRank);
        String place = job.places().placeFor(worldRank, host);
        String why = returns.busy();
        if (why != null) {
            throw new IOException(why);
        }
        int incarnation = before.incarnation + 1;
        RankPlaces.Beside beside = job.places().startAt(worldRank, incarnation, before.life, place);
        Successor successor = Successor.of(before, incarnation, beside, job.ranks(), job.streams(), job.events());
        before.successor = successor;
        return new PlannedReturn(job, returns, asker, before, successor);
    }

    @Override
    boolean isNext(int worldRank, int incarnation) {
        return !isOver() && returning == null && returns.of(worldRank) == null && successor.is(worldRank, incarnation);
    }

    @Override
    boolean isNumbered(int worldRank, int incarnation) {
        return successor.is(worldRank, incarnation);
    }

    @Override
    void connected(ControlMessage.Hello hello, ControlLine link) {
        successor.connected(hello, link, job.ranks());
    }

    @Override
    void nextSaid(ControlMessage message) {
        if (message instanceof ControlMessage.NotMoved not) {
            stay(not.reason());
        } else if (!successor.said(message, job.ranks())) {
            stay("the new process has sent an unexpected " + message.getClass().getSimpleName());
        } else if (successor.isPrepared() && afterEpoch == NOT_ASKED) {
            afterEpoch = returns.snapshots().latestEpoch();
            untilNanos = job.ranks().machine().nanoTime() + SNAPSHOT_NANOS;
            job.ranks().tell(new ControlMessage.CheckpointNow("rank " + before.worldRank + " moves"));
        }
    }

    @Override
    void nextExited(int status) {
        stay("the new process has ended with status " + status);
    }

    @Override
    void tick(long nowNanos) {
        if (isOver()) {
            return;
        }
        LoneReturn now = returns.of(before.worldRank);
        if (now != null) {
            // it was ended for this, or has died by itself: one way or the other it goes back in its successor
            returning = now;
        } else if (returning != null) {
            job.writeStatus().run();
            succeeded(job.ranks().slot(before.worldRank), returning.report());
        } else if (!before.running()) {
            stay("its program has ended");
        } else if (!before.leaving) {
            leaveIfDue(nowNanos);
        }
    }

    private void leaveIfDue(long nowNanos) {
        boolean late = nowNanos - untilNanos > 0;
        String busy = returns.busy();
        if (busy != null) {
            // the table that the new process has is not that of those that go back
            stay(busy);
        } else if (!successor.isPrepared()) {
            if (late) {
                stay("the new process is not ready after " + PREPARED_NANOS / 1_000_000_000L + " s");
            }
        } else if (returns.snapshots().latestEpoch() > afterEpoch) {
            leave("");
        } else if (late) {
            leave("no snapshot was committed within " + SNAPSHOT_NANOS / 1_000_000_000L + " s"
                    + returns.snapshots().givenUp());
        }
    }

    /** @param late why the rank goes back to an earlier snapshot than it should; empty if it does not */
    private void leave(String late) {
        @Nullable String why;
        try {
            RankSlot slot = job.ranks().movable(before.worldRank);
            why = slot.equals(before) ? returns.leave(slot) : "it is another process now";
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        }
        if (why != null) {
            stay(why + (late.isEmpty() ? "" : "; " + late));
        } else if (!late.isEmpty()) {
            job.streams()
                    .say("rank " + before.worldRank + " moves with the state of snapshot "
                            + returns.snapshots().latestEpoch() + ": "
                            + late);
        }
    }

    /** The move is off: the process that is the rank goes on. */
    private void stay(String reason) {
        before.successor = null;
        successor.slot.process.destroyForcibly();
        job.streams().say("rank " + before.worldRank + " stays where it is: " + reason);
        failed(reason);
    }

    @Override
    void drop(String reason) {
        if (isOver()) {
            return;
        }
        boolean hasGone = before.leaving || returning != null || returns.of(before.worldRank) != null;
        if (!hasGone) {
            stay(reason);
            return;
        }
        if (returning == null) {
            // or its return ends it
            successor.slot.process.destroyForcibly();
        }
        failed("its process was ended, but it did not go back alone: " + reason);
    }
}
