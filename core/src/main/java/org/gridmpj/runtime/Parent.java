package org.gridmpj.runtime;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlMessage;

/**
 * Whoever started this rank, as the rank sees it: mpjrun, the master of a job started by hand, or nobody (a job of one).
 *
 * <p>All methods may be called by any thread.
 */
public interface Parent {
    /** The job of this rank. */
    JobSpec job();

    /** The committed epoch to go back to, or −1 for a fresh start. */
    int resumeEpoch();

    /**
     * Says where this rank's transport listens, and waits until all ranks have.
     *
     * @throws org.gridmpj.error.MpiFailure if the parent is gone
     */
    RankTable exchange(ControlMessage.Bound bound);

    /** Whether it passes {@link ControlMessage.Knock} and {@link ControlMessage.Goodbye} on to the ranks that they name. */
    default boolean passesOn() {
        return false;
    }

    /** Sends something; silent when the parent is gone, since this process is then about to halt. */
    void report(ControlMessage message);

    /**
     * Says something, and returns when it is known where that is decided: also if this process's host is lost from then on. May be
     * called under locks that the listener takes after {@link #listenApart}. Does not return when the parent is gone.
     */
    default void reportHeard(ControlMessage message) {
        report(message);
    }

    /** From here on the listener is called on a thread of its own, and may wait for whoever is in {@link #reportHeard}. */
    default void listenApart() {}

    /**
     * Hands later messages (Table, CheckpointNow, EpochCommitted) to the engine, beginning with those that have already
     * come. Called on the thread that reads the connection, unless {@link #listenApart} was: must not block.
     */
    void listen(Consumer<ControlMessage> listener);

    /** Where the heartbeats, one a second on a thread of its own, get their figures from. */
    void heartbeat(Supplier<ControlMessage.Heartbeat> source);

    /**
     * Ends this process and with it the job: flushes the program's output, reports why, halts. Does not return.
     *
     * @param exitCode the job's exit code
     */
    void end(ControlMessage.EndKind kind, int exitCode, String text);
}
