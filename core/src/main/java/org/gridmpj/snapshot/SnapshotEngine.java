package org.gridmpj.snapshot;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.control.ControlMessage;

/**
 * The engine of one rank as the module {@code checkpoint} sees it.
 *
 * <p>A cooperative snapshot of epoch n is: {@link #exchangeMarkers} on every rank → all frames that were sent before the
 * cut are here, matched or in the unexpected queue, and frames behind a marker are held → {@link #freeze} → copy of the
 * program's state → {@link #release}. Writing goes on in the background.
 */
public interface SnapshotEngine {
    /** The job of this rank. */
    JobSpec job();

    /** The own rank. */
    int worldRank();

    /** The committed epoch that this run is to go back to (Welcome), or −1 for a fresh start. */
    default int resumeEpoch() {
        return -1;
    }

    /** Broadcasts rank 0's value to all ranks, in a context of its own (collective). */
    long agree(long valueOfRankZero);

    /** Pending operations, described for people (kind, peer, tag, where started); empty when a cut is possible. */
    List<String> pendingOperations();

    /**
     * Sends MARKER(epoch) on every channel and makes progress until a marker has come from every peer. Frames behind a
     * marker are held from then on, within a byte budget, then back-pressured. (Chandy and Lamport 1985.)
     */
    void exchangeMarkers(int epoch);

    /**
     * The engine's own sections of the image, by name: unexpected messages, counters of context ids and messages, the
     * channels' socket buffers, the permanent serialization buffers and their size. Under the progress lock.
     */
    Map<String, byte[]> freeze();

    /** Takes back the sections of {@link #freeze}; unexpected messages stand before all that arrived since. */
    void thaw(Map<String, byte[]> sections);

    /** The cut is made: held frames are delivered in order. */
    void release();

    /** Sends something to the parent. */
    void report(ControlMessage message);

    /** Number of MPI calls that this rank has made. */
    long mpiCalls();

    // ---------------------------------------------------------------- transparent snapshots

    /**
     * Makes every MPI call a capture point from now on: at its entry and in its wait loop a program thread asks whether a
     * cut is wanted, and unwinds.
     */
    void captureWith(StackCapture capture, CutListener listener);

    /**
     * A cut of all ranks is wanted: program threads unwind at their next MPI call, or in the one that they are blocked in, here
     * and at the ranks that are told of it; whoever gets a marker does this by himself. Does not block.
     *
     * @return false if there was a later epoch already, or this one was abandoned
     */
    boolean requestCut(int epoch);

    /**
     * The cut of this rank, all program threads being unwound: sends markers, copies, and lets frames behind markers go.
     *
     * @return whether the copy was made; if not the epoch was abandoned, before or by a failure
     */
    boolean cut(CutCopy copy);

    /**
     * Copies the state as {@link #cut} does, for practice, unless operations are under way; there is no cut, and the program runs:
     * the copy, which is made without the engine's lock, may fail in any way, and is of no use.
     *
     * @return whether it was copied
     */
    boolean practise(CutCopy copy) throws IOException;

    /** Abandons an epoch on all ranks. */
    void abandonCut(int epoch, String reason);

    /**
     * This rank is to leave its process, alone, or is not any more: program threads unwind as for a cut, as soon as this
     * rank takes part in no epoch. Does not block but for the engine's lock.
     */
    void leave(boolean leaving);

    /** Why a rank that is to leave has not done so yet, for people. */
    String departureObstacle();

    /**
     * This rank leaves, all program threads being unwound.
     *
     * @return whether it was to leave and could; then it has not left after all, and this process goes on
     */
    boolean depart(Departure departure);

    /** In a process that will take the rank over: tries what linking its peers needs; they do not know it yet. */
    void rehearse();

    /** Takes over what the channels of this rank's earlier process held, before {@link #adopt}. */
    void takeOver(Map<String, byte[]> channels);

    /** Waits until all peers are linked with this process, or the time is over; whether they are. */
    boolean awaitLinks(Duration timeout);

    // ---------------------------------------------------------------- a rank goes back alone

    /**
     * The state that is about to be adopted is that of a committed epoch.
     *
     * @param alone whether this rank only goes back, while the others run on
     */
    default void goesBackTo(int epoch, boolean alone) {}

    /**
     * A peer has died and goes back to a committed epoch alone. An epoch that is under way is abandoned.
     *
     * @param incarnation of the process that takes its place
     */
    default void peerGoesBack(int peerRank, int incarnation, int epoch) {
        throw new IllegalStateException("without logs no rank can go back alone");
    }

    /** An epoch is committed: nobody goes back behind it alone. */
    default void committed(int epoch) {}

    /** Names the objects of this process that the engine's state refers to. */
    void bindTokens(TokenBinder binder);

    /**
     * Takes over a state that {@link #cut} has handed out in another process, then what was in flight, then what has come
     * since this process was connected.
     *
     * @param inFlight what {@link InFlightFrames#writeTo} wrote
     */
    void adopt(Object engineState, byte[] inFlight);
}
