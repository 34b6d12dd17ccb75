package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.gridmpj.checkpoint.CrashPoint;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.launcher.Durations;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.jspecify.annotations.Nullable;

/**
 * The lives of a job: where each begins, when another may begin, and what the user reads about it. Confined to the job's
 * thread.
 *
 * <pre>
 *   killed ─▶ all ranks end ─▶ generation + 1, incarnations + 1 (agreed) ─▶ all start from the last epoch ─▶ "resumed in"
 * </pre>
 */
final class Recovery {
    /** How long a job waits for hosts: a switch, or a host, that is started anew is back by then. */
    private static final long PATIENCE_SECONDS = 300;

    private final String jobName;
    private final Coordination coordination;
    private final @Nullable Snapshots snapshots;
    private final Ranks ranks;
    private final JobStreams streams;
    private final Runnable changed;
    private final RestartPolicy restarts = new RestartPolicy();
    private int generation;
    private @Nullable EpochManifest resumedFrom;
    private @Nullable String resumption;

    /** Why they go back, while the ranks have not got there: another one may die meanwhile. */
    private @Nullable String unannounced;

    private long crashNanos;
    private @Nullable Long deadlineNanos;
    private volatile String awaited = "";

    /** @param changed is called when the job begins to wait for hosts, and when it does not any more */
    Recovery(
            String jobName,
            Coordination coordination,
            @Nullable Snapshots snapshots,
            Ranks ranks,
            JobStreams streams,
            Runnable changed) {
        this.jobName = jobName;
        this.coordination = coordination;
        this.snapshots = snapshots;
        this.ranks = ranks;
        this.streams = streams;
        this.changed = changed;
        this.generation = coordination.generation();
    }

    /** Number of this life, raised by each rollback. */
    int generation() {
        return generation;
    }

    /** The epoch that this life began from, or −1. */
    int resumedEpoch() {
        return resumedFrom == null ? -1 : resumedFrom.id().epoch();
    }

    /** When the job's time is over; it waits for no hosts then. */
    void endsAt(long nanos) {
        deadlineNanos = nanos;
    }

    /** Why the job waits for hosts or ZooKeeper, for people; empty if it does not. Any thread may ask. */
    String awaited() {
        return awaited;
    }

    /**
     * Starts all ranks in fresh JVMs.
     *
     * @return false, and why has been said, if rank 0 would miss input that it has read before
     */
    boolean begin(Beginning how) throws IOException {
        try {
            return beginNow(how);
        } catch (HostsAwayException e) {
            if (how == Beginning.NEW) {
                throw new UserError(1, e.getMessage() + " mpjctl hosts shows those that there are");
            }
            throw nothingIsBegun(e, "");
        }
    }

    /**
     * All ranks go back, as soon as there are hosts for them and for what they go back to. Those that are lost may be back in a
     * moment, as after a switch was started anew; and with the work of days at stake nothing is begun anew without them.
     */
    private boolean beginAgain(String cause) throws IOException {
        long endNanos = endOfPatience();
        try {
            while (true) {
                try {
                    return beginNow(Beginning.NOT_LOST);
                } catch (HostsAwayException e) {
                    String why = String.valueOf(e.getMessage());
                    waitFor(cause, why, "hosts", " (mpjctl hosts shows those that there are)");
                    if (!ranks.awaitOthers(endNanos - ranks.machine().nanoTime())) {
                        requireTime(why);
                        throw nothingIsBegun(e, "after " + PATIENCE_SECONDS + " s ");
                    }
                }
            }
        } finally {
            waitFor("");
        }
    }

    /** Nobody goes back unless that is agreed: with all hosts, those of ZooKeeper may be gone for a while. */
    private void awaitAgreement(String cause) {
        long endNanos = endOfPatience();
        try {
            while (true) {
                try {
                    int _ = coordination.generation();
                    return;
                } catch (CoordinationFailure e) {
                    String why = String.valueOf(e.getMessage());
                    requireTime(why);
                    if (!e.isSilence() || ranks.machine().nanoTime() - endNanos >= 0) {
                        throw e;
                    }
                    waitFor(cause, why, "ZooKeeper", "");
                    ranks.machine().rest(1);
                }
            }
        } finally {
            waitFor("");
        }
    }

    private long endOfPatience() {
        long endNanos = ranks.machine().nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        Long deadline = deadlineNanos;
        return deadline != null && deadline - endNanos < 0 ? deadline : endNanos;
    }

    /** @throws UserError if the job's time is over */
    private void requireTime(String why) {
        Long deadline = deadlineNanos;
        if (deadline != null && ranks.machine().nanoTime() - deadline >= 0) {
            throw new UserError(LocalJob.TIMEOUT_EXIT_CODE, "the job's time is over; it waits, since " + why);
        }
    }

    private void waitFor(String cause, String why, String whom, String hint) {
        if (!why.equals(awaited)) {
            streams.say(cause + ", and " + why + ": the job waits for " + whom + ", for up to " + PATIENCE_SECONDS
                    + " s" + hint);
            waitFor(why);
        }
    }

    private void waitFor(String why) {
        if (!why.equals(awaited)) {
            awaited = why;
            changed.run();
        }
    }

    private static UserError nothingIsBegun(HostsAwayException away, String when) {
        return new UserError(
                1,
                when + "nothing is begun, since " + away.getMessage()
                        + ". When that is mended (mpjctl hosts shows which hosts there are) resume the job again"
                        + (away.otherwise().isEmpty() ? "" : "; " + away.otherwise()));
    }

    private boolean beginNow(Beginning how) throws IOException {
        EpochManifest from = null;
        boolean resume = how != Beginning.NEW;
        ranks.reach(resume);
        if (resume && snapshots != null) {
            snapshots.beginGeneration(generation);
            from = snapshots.resumePoint(
                    skipped -> how == Beginning.LATEST || (how == Beginning.NOT_LOST && skipped.isUnknown()));
        }
        if (!streams.hasInput(from == null ? null : from.images().getFirst())) {
            streams.say((from == null ? "no snapshot is left" : from.id() + " is the last one that is left")
                    + ", and the input that rank 0 read since is not kept for so long: the job is given up");
            return false;
        }
        resumedFrom = from;
        ranks.prepare(generation, from);
        if (resume && snapshots != null) {
            snapshots.begin();
            CrashPoint.hit("rollback.prepared");
        }
        ranks.start(generation, from);
        return true;
    }

    /** Whether a rank that has died may come back alone: not for ever, if the job makes no progress. */
    boolean mayReturnAlone() {
        return restarts.again(ranks.mpiCalls(), snapshots == null ? 0 : snapshots.committedCount());
    }

    /**
     * All ranks go back to the last committed epoch, in fresh JVMs.
     *
     * @param crash whether something has gone wrong: not for ever, if the job makes no progress
     * @return whether they do, rather than that the job is given up
     */
    boolean rollback(String cause, boolean crash) throws IOException {
        String causes = cause;
        if (unannounced == null) {
            crashNanos = ranks.machine().nanoTime();
        } else {
            causes = unannounced + ", then " + cause;
        }
        ranks.kill();
        int committed = snapshots == null ? 0 : snapshots.committedCount();
        CrashPoint.hit("rollback.killed");
        if (crash && !restarts.again(ranks.mpiCalls(), committed)) {
            streams.say(cause + ", for the " + RestartPolicy.MAX_FRUITLESS
                    + "rd time in a row without any progress: the job is given up");
            return false;
        }
        if (!raise(cause) || !beginAgain(cause)) {
            return false;
        }
        unannounced = causes;
        resumption = causes
                + (resumedFrom == null
                        ? ": no snapshot yet, started again from the beginning in "
                        : ": back to snapshot " + resumedEpoch() + lost() + ", resumed in ");
        return true;
    }

    private boolean raise(String cause) {
        awaitAgreement(cause);
        if (!coordination.raiseGeneration(generation)) {
            streams.say(cause + "; another launcher has taken job " + jobName + " over: this one ends");
            return false;
        }
        generation++;
        CrashPoint.hit("rollback.generation");
        for (int rank = 0; rank < ranks.size(); rank++) {
            int incarnation = coordination.incarnation(rank);
            if (!coordination.raiseIncarnation(rank, incarnation)) {
                throw new CoordinationFailure("rank " + rank + " was started anew by another launcher", null);
            }
        }
        CrashPoint.hit("rollback.incarnations");
        return true;
    }

    /**
     * All ranks go on from the epoch that was just committed, some of them elsewhere; nothing has gone wrong, so this does
     * not count as a failure.
     */
    boolean relocate(String cause) throws IOException {
        crashNanos = ranks.machine().nanoTime();
        ranks.kill();
        if (!raise(cause) || !beginAgain(cause)) {
            return false;
        }
        resumption = cause + ": snapshot " + resumedEpoch() + ", resumed in ";
        return true;
    }

    /** What is said when all ranks are back, but for the time that it took; null if nothing is. */
    @Nullable
    String resumption() {
        return resumption;
    }

    private String lost() {
        return snapshots == null ? "" : snapshots.lost(crashNanos);
    }

    /** Whether all ranks have their state back, or this life began without one. */
    boolean areRanksBack() {
        return resumedFrom == null || ranks.allRestored();
    }

    private static String unasked(int worldRank, int epoch) {
        return "rank " + worldRank + " has not asked for its state of snapshot " + epoch
                + " (isResumed, retrieveLocalVar)";
    }

    /** A rank goes on as others do, which have asked for their state. */
    void goesOnUnasked(int worldRank, int epoch) {
        streams.say(unasked(worldRank, epoch)
                + " as others have: it goes on without it, and without what was on its way to it");
    }

    /** A rank does not go on from its image, nor does another: that is said once, in place of a resumption. */
    void beginsAnew(int worldRank, int epoch) {
        String what = unasked(worldRank, epoch) + " and runs from its beginning again";
        if (resumption == null) {
            streams.say(what);
        } else {
            resumption = (unannounced == null ? "" : unannounced + ": ") + what + ", after ";
        }
    }

    /** Says once per rollback that the job runs again: when all ranks have their state back, or began anew. */
    void announce() {
        if (resumption != null && areRanksBack()) {
            streams.say(resumption + Durations.seconds(ranks.machine().nanoTime() - crashNanos));
            resumption = null;
            unannounced = null;
        }
    }
}
