package org.gridmpj.snapshot;

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
}
