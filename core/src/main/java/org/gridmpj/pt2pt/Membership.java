package org.gridmpj.pt2pt;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.gridmpj.job.OutOfReach;
import org.gridmpj.job.RankTable;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * This rank's place among the ranks of the job, from its transport's connection to the goodbyes (MPI standard, 11.2).
 * Owns the transport.
 *
 * <pre>
 *   connect ─▶ (update …) ─▶ goodbye ─▶ close
 *   arrive ─▶ takeOver ─▶ awaitLinks ─▶ …            a rank that comes from another process
 * </pre>
 *
 * <p>Guarded by the progress lock, which its methods take.
 */
final class Membership {
    private static final long LINK_NAP_NANOS = 200_000;

    private final int worldRank;
    private final Peer[] peers;
    private final FrameOutlet outlet;
    private final EpochCut epochCut;
    private final ProgressEngine progress;
    private final ProgressLock lock;
    /** Of the settings; 0 if there is none. */
    private final int eagerLimitBytes;

    private final LongSupplier nanoClock;

    private @Nullable Transport transport;

    Membership(
            int worldRank,
            Peer[] peers,
            FrameOutlet outlet,
            EpochCut epochCut,
            ProgressEngine progress,
            int eagerLimitBytes,
            LongSupplier nanoClock) {
        this.worldRank = worldRank;
        this.peers = peers;
        this.outlet = outlet;
        this.epochCut = epochCut;
        this.progress = progress;
        this.lock = progress.lock;
        this.eagerLimitBytes = eagerLimitBytes;
        this.nanoClock = nanoClock;
    }

    /** Links a bound transport with all peers and begins to make progress. */
    void connect(Transport bound, RankTable table, Duration timeout) {
        connect(bound, table, () -> bound.connect(table, timeout));
    }

    /** The same for a rank from another process: the peers are linked when a later table names this one. */
    void arrive(Transport bound, RankTable table) {
        connect(bound, table, () -> bound.arrive(table));
    }

    private void connect(Transport bound, RankTable table, Runnable connecting) {
        lock.lock();
        try {
            int[] hosts = table.hostNumbers();
            for (Peer peer : peers) {
                peer.host = hosts[peer.worldRank];
            }
            outlet.defer();
            try {
                connecting.run();
            } finally {
                outlet.resume();
            }
            for (Peer peer : peers) {
                if (peer.worldRank != worldRank) {
                    peer.endpoint = bound.endpoint(peer.worldRank);
                    peer.eagerLimitBytes = eagerLimitBytes > 0
                            ? eagerLimitBytes
                            : bound.eagerLimitBytes(peer.host == peers[worldRank].host);
                }
            }
            transport = bound;
        } finally {
            lock.unlock();
        }
        progress.start(bound, worldRank);
    }

    /**
     * By world rank: the number of the host that the rank was on when the job began. Not that of a later table: one rank knows
     * it before another, and all must have the same.
     */
    int[] hosts() {
        lock.lock();
        try {
            int[] hosts = new int[peers.length];
            for (Peer peer : peers) {
                hosts[peer.worldRank] = peer.host;
            }
            return hosts;
        } finally {
            lock.unlock();
        }
    }

    /** A later IP table. */
    void update(RankTable table) {
        lock.lock();
        try {
            if (transport != null) {
                transport.update(table);
                progress.kick();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The transport, null before {@link #connect}. */
    @Nullable
    Transport transport() {
        return transport;
    }

    /** Peers that have had no link for long; after {@link #connect}, without the lock: who asks has no time to wait for it. */
    List<OutOfReach> outOfReach() {
        Transport connected = transport;
        return connected == null ? List.of() : connected.outOfReach();
    }

    /** What the channels hold; under the lock. */
    Map<String, byte[]> freezeChannels() {
        return transport == null ? Map.of() : transport.freeze();
    }

    /** Between {@link #arrive} and {@link #takeOver}, of a rank that moves: tries to link the peers, which refuse. */
    void rehearse() {
        lock.lock();
        try {
            if (transport != null) {
                transport.rehearse();
                progress.kick();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes over what {@link #freezeChannels} gave in this rank's earlier process. */
    void takeOver(Map<String, byte[]> channels) {
        lock.lock();
        try {
            if (transport != null) {
                transport.thaw(channels);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all peers are linked, or the time is over; whether they are. */
    boolean awaitLinks(Duration timeout) {
        long endNanos = nanoClock.getAsLong() + timeout.toNanos();
        while (true) {
            lock.lock();
            try {
                if (transport == null || transport.isLinked()) {
                    return true;
                }
                boolean _ = progress.round();
            } finally {
                lock.unlock();
            }
            if (nanoClock.getAsLong() - endNanos > 0) {
                return false;
            }
            LockSupport.parkNanos(this, LINK_NAP_NANOS);
        }
    }

    /**
     * Says goodbye, waits for the goodbyes of all ranks, and drains the transport.
     *
     * @param journal the steps of the call, so that the goodbye is said once; null if they need not be known
     * @return whether all that was accepted has reached its peer
     */
    boolean goodbye(@Nullable CallJournal journal, Duration drainTimeout) {
        CallJournal.step(journal, this::sayGoodbye);
        progress.await(new Condition("the goodbyes of all ranks (MPI.Finalize)", this::isGoodbyeOfAllHere), true);
        epochCut.close();
        progress.stop();
        lock.lock();
        try {
            return transport == null || transport.drain(drainTimeout);
        } finally {
            lock.unlock();
        }
    }

    private boolean isGoodbyeOfAllHere() {
        for (Peer peer : peers) {
            boolean gone = peer.worldRank == worldRank || peer.finalized || peer.lost != null;
            if (!gone || (peer.lost == null && !peer.outbox.isEmpty())) {
                return false;
            }
        }
        return transport == null || !transport.isBacklogged();
    }

    private Boolean sayGoodbye() {
        lock.lock();
        try {
            FrameHeader bye = new FrameHeader();
            bye.kind = FrameKind.FINALIZED;
            bye.sourceRank = worldRank;
            for (Peer peer : peers) {
                if (peer.worldRank != worldRank) {
                    outlet.emitAnswer(peer, bye);
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends progress and closes the transport, whatever is under way. */
    void close() {
        progress.stop();
        lock.lock();
        try {
            if (transport != null) {
                transport.wakeup();
                transport.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
