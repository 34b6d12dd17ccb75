package org.gridmpj.job.control;

import java.util.List;
import java.util.Locale;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.OutOfReach;
import org.gridmpj.job.RankTable;

/**
 * What a rank and its parent tell each other.
 *
 * <pre>
 *   rank                                   parent
 *    │── Hello(rank, incarnation, pid) ──────▶│   after the mutual proof of the secret
 *    │◀─ Welcome(job, resume) ────────────────│
 *    │        … the program runs, calls MPI.Init …
 *    │── Bound(host, port, hostId) ──────────▶│
 *    │◀─ Table(IP table, epoch) ──────────────│   when all ranks are bound; again after each move or restart
 *    │── Heartbeat(…) every second ──────────▶│   on a thread of its own
 *    │── Knock(from, to) ────────────────────▶│   passed on to the other rank as it is, as Goodbye is
 *    │◀─ CheckpointNow(reason) ───────────────│
 *    │── Restored(epoch, …) ─────────────────▶│   a resumed program has its state back, or does not ask for it: Unasked(epoch, …)
 *    │── SnapshotWritten(epoch, …) ──────────▶│   the rank's image is forced to disk
 *    │◀─ EpochCommitted(epoch) ───────────────│   the manifest is real
 *    │── Ending(code, kind, text) ───────────▶│   Finalize, System.exit, Abort or an uncaught exception
 *    │◀─ Farewell ────────────────────────────│   System.exit or the end of main was heard
 *    │◀─ Shutdown(code, reason) ──────────────│   the job ends: the rank halts
 * </pre>
 *
 * End of file at the rank means that its parent is dead: it halts at once, whatever its program does.
 */
public sealed interface ControlMessage {
    /** Rank → parent, first. */
    record Hello(int worldRank, int incarnation, long pid) implements ControlMessage {}

    /**
     * Parent → rank: the job, and where this process begins.
     *
     * @param job as it is for all processes of this generation, whenever they are started
     * @param resumeEpoch committed epoch to go back to, −1 for a fresh start, or {@link #ARRIVING}
     */
    record Welcome(JobSpec job, int resumeEpoch) implements ControlMessage {
        /** In the place of an epoch: this process takes the rank over from another one that still runs. */
        public static final int ARRIVING = -2;
    }

    /** Rank → parent, in MPI.Init: the transport listens here. */
    record Bound(String host, int port, String hostId) implements ControlMessage {}

    /** Parent → rank: where everybody is. */
    record Table(RankTable table) implements ControlMessage {}

    /**
     * Rank → parent, every second.
     *
     * @param mpiCalls number of MPI calls so far: a job that makes none after its restarts is not restarted for ever
     * @param state one word for people: starting, running, waiting, finalized
     * @param where the MPI call or line that the rank is in, or empty
     * @param heldDeterminants how many outcomes of operations of any source another rank holds for this one
     * @param outOfReach peers that the rank has had no link with for long; it goes on trying
     */
    record Heartbeat(long mpiCalls, String state, String where, long heldDeterminants, List<OutOfReach> outOfReach)
            implements ControlMessage {
        public Heartbeat {
            outOfReach = List.copyOf(outOfReach);
        }
    }

    /**
     * Rank → parent → rank: the first one has something for the other, with whom it has no connection, and whose turn it is to
     * dial. Nobody answers; it may be lost, and is said again then.
     */
    record Knock(int fromRank, int toRank) implements ControlMessage {}

    /**
     * Rank → parent → ranks: the first one has called Finalize and had never sent these anything. Only in jobs of which no
     * snapshot is taken, where nothing has to know when on its channel it was said.
     *
     * @param toRanks the one that it comes to, when the parent passes it on
     */
    record Goodbye(int fromRank, List<Integer> toRanks) implements ControlMessage {
        public Goodbye {
            toRanks = List.copyOf(toRanks);
        }
    }

    /** Parent → rank: take a snapshot at the next opportunity. */
    record CheckpointNow(String reason) implements ControlMessage {
        /** The reason that asks for images that refer to no earlier one. */
        public static final String FULL = "an earlier snapshot is damaged";

        /** Whether the images are to refer to no earlier one. */
        public boolean isFull() {
            return reason.equals(FULL);
        }
    }

    /**
     * mpjctl → launcher: this rank is to go on at another host.
     *
     * @param host where to, or empty to leave that to the launcher
     */
    record Move(int worldRank, String host) implements ControlMessage {}

    /**
     * Launcher → mpjctl: what became of a move.
     *
     * @param host where the rank is now; empty if it was not moved
     * @param text how it went, or why it was not moved
     */
    record Moved(String host, String text) implements ControlMessage {}

    /**
     * Rank → parent: the image of this rank for an epoch is on disk, forced and verified.
     *
     * @param fullEpoch number of the full image that it is an increment to; its own epoch if it is full
     * @param stallNanos how long the program stood still for it
     * @param stdoutBytes bytes that the program had written to System.out at the cut, since its JVM began; stderrBytes,
     *     stdinBytes likewise
     */
    record SnapshotWritten(
            int epoch,
            String file,
            long bytes,
            int crc32c,
            int fullEpoch,
            long stallNanos,
            long stdoutBytes,
            long stderrBytes,
            long stdinBytes)
            implements ControlMessage {}

    /** Rank → parent: the image could not be made; and parent → ranks: the epoch is abandoned, the job goes on. */
    record SnapshotFailed(int epoch, String reason) implements ControlMessage {}

    /** Parent → rank: all images of the epoch are committed. */
    record EpochCommitted(int epoch) implements ControlMessage {}

    /**
     * Rank → parent: the image of the epoch to resume from does not load; the parent tries the one before, or ends the job.
     *
     * @param isOtherProgram whether the image is sound, and the program on the class path not the one that it was taken of
     */
    record RestoreFailed(int epoch, boolean isOtherProgram, String reason) implements ControlMessage {}

    /**
     * Rank → parent: the program has its state of the epoch back. What it wrote since its JVM began was the way there;
     * from here on its output continues that of the cut.
     *
     * @param stdoutBytes bytes written to System.out since this JVM began; stderrBytes, stdinBytes likewise
     */
    record Restored(int epoch, long stdoutBytes, long stderrBytes, long stdinBytes) implements ControlMessage {}

    /**
     * Rank → parent: the program, which was to go on from the epoch, takes a snapshot or ends without having asked for its state. If no
     * rank's has, they run from their beginning, and so does their output; if others have, it goes on with what it has from them.
     *
     * @param stdoutBytes bytes written to System.out since this JVM began; stderrBytes, stdinBytes likewise
     */
    record Unasked(int epoch, long stdoutBytes, long stderrBytes, long stdinBytes) implements ControlMessage {}

    // ---------------------------------------------------------------- a rank moves alone

    /** New process → parent: connected as far as it can be, or rehearsed; it waits for {@link Rehearse} or {@link Arrive}. */
    record Prepared() implements ControlMessage {}

    /**
     * Parent → old process: copy the state at the next MPI call, go on, and write an image of it.
     *
     * @param file name of the image, which does not exist yet, in the folder of the job on this host
     */
    record CopyAhead(String file) implements ControlMessage {}

    /**
     * Old process → parent: the image of the state is written; the one of the departure refers to what has not changed since.
     *
     * @param file name of the image
     * @param stallNanos how long the program stood still for it
     */
    record CopiedAhead(String file, long bytes, long stallNanos) implements ControlMessage {}

    /** Parent → new process: the image that was made ahead is in the folder of the job on this host; verify it. */
    record Rehearse(String file) implements ControlMessage {}

    /**
     * Parent → old process: stand still at the next MPI call and write an image.
     *
     * @param file name of the image, which does not exist yet, in the folder of the job on this host
     */
    record Depart(String file) implements ControlMessage {}

    /**
     * Old process → parent: the image is written; this process stands still until it is told to {@link Stay}, or killed.
     *
     * @param file name of the image
     * @param stallNanos how long it has stood still so far
     * @param stdoutBytes bytes that the program has written to System.out since its JVM began; stderrBytes, stdinBytes
     *     likewise
     */
    record Departed(String file, long bytes, long stallNanos, long stdoutBytes, long stderrBytes, long stdinBytes)
            implements ControlMessage {}

    /**
     * Old or new process → parent, before the decision: this rank cannot move. The old process goes on.
     *
     * @param file name of the image that the old process was to write; empty if this is the new one
     */
    record NotMoved(String file, String reason) implements ControlMessage {}

    /** Parent → old process: the rank does not move. */
    record Stay(String reason) implements ControlMessage {}

    /** Parent → new process: the name of the image to go on from, in the folder of the job on this host. */
    record Arrive(String file) implements ControlMessage {}

    /** New process → parent: the image is read, verified and adopted: all that is missing is the decision. */
    record Arrived() implements ControlMessage {}

    /** Parent → new process: it is the rank from now on. The table with its address has gone to all. */
    record Go() implements ControlMessage {}

    // ---------------------------------------------------------------- a rank goes back alone

    /** Parent → new process, instead of {@link Arrive}: go back to this committed epoch, while the others run on. */
    record GoBack(int epoch) implements ControlMessage {}

    /**
     * Parent → the other ranks: a rank has died and goes back to a committed epoch alone. No epoch begins before
     * {@link CaughtUp}.
     *
     * @param incarnation of the process that takes its place
     */
    record PeerGoesBack(int worldRank, int incarnation, int epoch) implements ControlMessage {}

    /**
     * Rank → parent → all ranks: a rank that went back alone has sent again all that the others had of it.
     *
     * @param nextEpoch no rank has heard of this epoch or a later one
     */
    record CaughtUp(int worldRank, int nextEpoch) implements ControlMessage {}

    /**
     * Rank → parent: before a snapshot after this epoch is committed, not just one rank can go back.
     *
     * @param cutEpoch of the last cut of this rank, −1 for none
     * @param any whether no rank can go back alone, rather than this one
     */
    record NotAlone(int cutEpoch, boolean any, String reason) implements ControlMessage {}

    /** Parent → rank: the launcher knows what {@link NotAlone} said; one for each, in their order. */
    record Heard() implements ControlMessage {}

    /**
     * Parent → rank 0: what the time between two failures is estimated by.
     *
     * @param nanos how long the job has run, under all its launchers
     * @param failures how often ranks, hosts or launchers have died in that time
     */
    record Lived(long nanos, int failures) implements ControlMessage {}

    /**
     * Rank 0 → parent: how often it takes snapshots, where that is left to it.
     *
     * @param waste share of the time that stalls and lost work are expected to cost
     */
    record Pace(long intervalNanos, double waste) implements ControlMessage {
        /** "a snapshot every 29.4 s, expected waste 0.14 %", for people. */
        public String words() {
            return String.format(
                    Locale.ROOT, "a snapshot every %.1f s, expected waste %.2f %%", intervalNanos / 1e9, 100 * waste);
        }
    }

    /** Rank → parent: a rank that went back alone does something else than before. All must go back. */
    record Diverged(String what) implements ControlMessage {}

    /** How a rank ends by its own will. */
    enum EndKind {
        /** main returned, or System.exit was called, after which nothing is restarted. */
        EXIT,
        /** MPI.Abort: ends the job. */
        ABORT,
        /** An exception that nobody caught: ends the job with code 1. */
        UNCAUGHT
    }

    /** Rank → parent, last: why this process is about to end. */
    record Ending(EndKind kind, int exitCode, String text) implements ControlMessage {}

    /**
     * Parent → rank: the {@link Ending} of a process that exits was heard. It wakes the rank's reading thread, which does not
     * block in a system call from then on: a JVM that exits waits 300 ms for threads that do.
     */
    record Farewell() implements ControlMessage {}

    /** Rank → parent: MPI.Finalize has returned; the connection's later end is no crash of the job's communication. */
    record Finalized() implements ControlMessage {}

    /** Parent → rank: the job ends; halt with this code. */
    record Shutdown(int exitCode, String reason) implements ControlMessage {}
}
