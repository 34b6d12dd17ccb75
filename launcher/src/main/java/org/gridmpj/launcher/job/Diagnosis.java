package org.gridmpj.launcher.job;

import java.util.Arrays;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why a job ends: from what its ranks say before they end, how their processes end, and what does not happen.
 * Confined to the job's thread.
 */
final class Diagnosis {
    private static final int SIGNAL_BASE = 128;
    private static final int HIGHEST_SIGNAL = 64;
    private static final long CONNECT_NANOS = 60_000_000_000L;
    private static final int IDLE_BEATS_OF_A_HANG = 2;
    /** After an exception: a rank that fails only because another is gone often reports first. */
    private static final long SETTLE_NANOS = 200_000_000L;

    private final JobRequest request;
    private final Ranks ranks;
    private @Nullable JobFailure pending;
    private long pendingUntilNanos;

    Diagnosis(JobRequest request, Ranks ranks) {
        this.request = request;
        this.ranks = ranks;
    }

    /** All ranks begin anew: what was found out does not matter any more. */
    void forget() {
        pending = null;
    }

    boolean isPending() {
        return pending != null;
    }

    /** A rank says how it ends; returns the job's end if that is one at once. */
    @Nullable
    JobFailure ending(RankSlot slot, ControlMessage.Ending ending) {
        slot.ends(ending);
        return switch (ending.kind()) {
            case EXIT -> null; // the process status, which comes next, has the code
            case ABORT ->
                new JobFailure(
                        ending.exitCode(),
                        "rank " + slot.worldRank + " (" + place(slot) + ") called MPI.Abort(" + ending.exitCode() + ")"
                                + (ending.text().isEmpty() ? "" : ": " + ending.text()));
            case UNCAUGHT -> {
                settle(new JobFailure(
                        ending.exitCode(),
                        "rank " + slot.worldRank + " (" + place(slot) + ") ended the job with an uncaught exception: "
                                + ending.text(),
                        true));
                yield null;
            }
        };
    }

    /** Takes the failure to its end a little later: what caused it may have a report of its own under way. */
    private void settle(JobFailure failure) {
        if (pending == null) {
            pending = failure;
            pendingUntilNanos = ranks.machine().nanoTime() + SETTLE_NANOS;
        } else if (pending.isSecondary() && !failure.isSecondary()) {
            pending = failure;
        }
    }

    /** The signal that killed a rank's process, or 0. */
    static int signal(RankSlot slot, int status) {
        int signal = slot.ending == null ? status - SIGNAL_BASE : 0;
        return signal > 0 && signal <= HIGHEST_SIGNAL ? signal : 0;
    }

    /** A rank was killed and the job cannot go back. */
    static JobFailure killed(RankSlot slot, int signal) {
        return new JobFailure(SIGNAL_BASE + signal, killedBy(slot, signal) + ", " + place(slot) + ": the job ends");
    }

    static String killedBy(RankSlot slot, int signal) {
        return "rank " + slot.worldRank
                + (slot.leaving ? " was ended to go on elsewhere" : " was killed (signal " + signal + ")");
    }

    /** A rank's process has ended by itself with a status other than 0; null if the reason is known already. */
    @Nullable
    JobFailure exited(RankSlot slot, int status) {
        ControlMessage.Ending ending = slot.ending;
        if (ending != null && ending.kind() != ControlMessage.EndKind.EXIT) {
            return null;
        }
        if (slot.link == null) {
            return new JobFailure(
                    status,
                    "the JVM of rank " + slot.worldRank + " ended with code " + status + " before the program began"
                            + (request.jvmOptions().isEmpty()
                                    ? ""
                                    : " (its options: --jvm " + request.jvmOptions() + ")"));
        }
        return new JobFailure(
                status,
                "rank " + slot.worldRank + " (" + place(slot) + ") ended the job with System.exit(" + status + ")");
    }

    /** What has become a failure by the passing of time. */
    @Nullable
    JobFailure overdue(long nowNanos, long deadlineNanos) {
        if (pending != null && nowNanos >= pendingUntilNanos) {
            return pending;
        }
        if (nowNanos > deadlineNanos) {
            return new JobFailure(LocalJob.TIMEOUT_EXIT_CODE, "the job's time is over" + whereRanksAre());
        }
        if (nowNanos - ranks.beganNanos() > CONNECT_NANOS) {
            for (RankSlot slot : ranks.all()) {
                if (slot.running() && slot.link == null) {
                    return new JobFailure(
                            1,
                            "the JVM of rank " + slot.worldRank + " has not come up within "
                                    + CONNECT_NANOS / 1_000_000_000L + " s");
                }
            }
        }
        return null;
    }

    /** A rank's process has ended: that the others wait for it shows only in what they say from now on. */
    void left() {
        for (RankSlot slot : ranks.all()) {
            slot.idleBeats = 0;
        }
    }

    /** A rank has left without Finalize, and all that are still there wait: they would wait for ever. */
    @Nullable
    JobFailure abandoned() {
        RankSlot left = null;
        for (RankSlot slot : ranks.all()) {
            if (slot.running()) {
                boolean waitsForAll = slot.bound != null;
                if (!waitsForAll && slot.idleBeats < IDLE_BEATS_OF_A_HANG) {
                    return null;
                }
            } else if (!slot.finalized) {
                left = slot;
            }
        }
        if (left == null || Arrays.stream(ranks.all()).noneMatch(RankSlot::running)) {
            return null;
        }
        return new JobFailure(
                1,
                "rank " + left.worldRank + " has ended without MPI.Finalize while the others wait for it"
                        + whereRanksAre());
    }

    private String whereRanksAre() {
        StringBuilder text = new StringBuilder();
        for (RankSlot slot : ranks.all()) {
            if (slot.running()) {
                ControlMessage.Heartbeat beat = slot.heartbeat;
                String where = beat.where().isEmpty() ? "" : " in " + beat.where();
                text.append(text.isEmpty() ? ": " : ", ")
                        .append("rank ")
                        .append(slot.worldRank)
                        .append(' ')
                        .append(slot.bound != null ? "waiting in MPI.Init" : beat.state() + where);
            }
        }
        return text.toString();
    }

    private static String place(RankSlot slot) {
        return (slot.host.isEmpty() ? "this host" : "host " + slot.host) + ", pid " + slot.process.pid();
    }
}
