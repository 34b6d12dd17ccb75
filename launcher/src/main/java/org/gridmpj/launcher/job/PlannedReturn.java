package org.gridmpj.launcher.job;

import java.io.IOException;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * A rank of a job with {@code --ft local} goes on in another process: it is ended just after a snapshot, and goes back alone, as
 * after a death (docs/design/0018). Confined to the job's thread.
 *
 * <pre>
 *   CheckpointNow ─▶ committed, or not in time ─▶ may it go back alone? ─▶ SIGKILL ─▶ reaped ─▶ a LoneReturn ─▶ caught up
 *                                                  └─ no: nothing has changed
 * </pre>
 */
final class PlannedReturn extends Move {
    /** What mpjctl waits for is this, the end of a process, and a return. */
    private static final long SNAPSHOT_NANOS = 20_000_000_000L;

    private final Migration.Job job;
    private final LoneReturns returns;
    private final int worldRank;
    /** As the user has said it. */
    private final String host;

    private final int afterEpoch;
    private final long untilNanos = System.nanoTime() + SNAPSHOT_NANOS;
    private @Nullable RankSlot ended;
    private @Nullable LoneReturn returning;

    private PlannedReturn(
            Migration.Job job, LoneReturns returns, @Nullable ControlLink asker, int worldRank, String host) {
        super(asker);
        this.job = job;
        this.returns = returns;
        this.worldRank = worldRank;
        this.host = host;
        this.afterEpoch = returns.snapshots().latestEpoch();
    }

    /**
     * Asks for the snapshot that a rank is to go back to.
     *
     * @param host where to, as the user has said it
     * @throws IOException saying why it cannot be moved
     */
    static PlannedReturn begin(
            Migration.Job job, LoneReturns returns, @Nullable ControlLink asker, int worldRank, String host)
            throws IOException {
        job.ranks().movable(worldRank);
        job.places().placeFor(worldRank, host);
        String why = returns.busy();
        if (why != null) {
            throw new IOException(why);
        }
        job.ranks().tell(new ControlMessage.CheckpointNow("rank " + worldRank + " moves"));
        return new PlannedReturn(job, returns, asker, worldRank, host);
    }

    @Override
    void tick(long nowNanos) {
        if (isOver()) {
            return;
        }
        RankSlot before = ended;
        if (before == null) {
            if (returns.snapshots().latestEpoch() > afterEpoch) {
                leave("");
            } else if (nowNanos - untilNanos > 0) {
                leave("no snapshot was committed within " + SNAPSHOT_NANOS / 1_000_000_000L + " s"
                        + returns.snapshots().givenUp());
            }
            return;
        }
        LoneReturn now = returns.of(worldRank);
        if (now != null) {
            returning = now;
        } else if (returning != null) {
            job.writeStatus().run();
            succeeded(job.ranks().slot(worldRank), returning.report());
        } else if (!before.running()) {
            failed("its program has ended");
        }
    }

    /** @param late why the rank goes back to an earlier snapshot than it should; empty if it does not */
    private void leave(String late) {
        @Nullable String why;
        try {
            RankSlot slot = job.ranks().movable(worldRank);
            why = returns.leave(slot, job.places().placeFor(worldRank, host));
            ended = why == null ? slot : null;
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        }
        if (why != null) {
            String reason = why + (late.isEmpty() ? "" : "; " + late);
            job.streams().say("rank " + worldRank + " stays where it is: " + reason);
            failed(reason);
        } else if (!late.isEmpty()) {
            job.streams()
                    .say("rank " + worldRank + " moves with the state of snapshot "
                            + returns.snapshots().latestEpoch() + ": "
                            + late);
        }
    }

    @Override
    void drop(String reason) {
        if (!isOver()) {
            failed((ended == null ? "" : "its process was ended, but it did not go back alone: ") + reason);
        }
    }
}
