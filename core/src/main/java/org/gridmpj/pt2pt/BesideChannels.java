package org.gridmpj.pt2pt;

import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.HostMemory;
import org.gridmpj.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Memory that ranks of one host share beside their channels, in jobs of which no snapshot is taken: what passes there is in
 * nobody's custody (docs/design/0013). May be used by any thread.
 */
public final class BesideChannels {
    private final Peer[] peers;
    private final Membership membership;
    private final ProgressEngine progress;
    private final Initiation initiation;
    /** Set before the engine is connected. */
    private boolean allowed;

    BesideChannels(Peer[] peers, Membership membership, ProgressEngine progress, Initiation initiation) {
        this.peers = peers;
        this.membership = membership;
        this.progress = progress;
        this.initiation = initiation;
    }

    /**
     * No snapshot will be taken of this job, and no rank moves or goes back alone, as all its ranks know alike. Before
     * {@link PointToPoint#connect}.
     */
    public void allow() {
        allowed = true;
    }

    /** The memory; null where nothing may pass there, at all ranks alike. */
    public @Nullable HostMemory memory() {
        Transport wire = membership.transport();
        return allowed && wire != null ? wire.hostMemory() : null;
    }

    /** Whether a rank that sleeps can be nudged, as far as is known. */
    public boolean isAtHand(int peerRank) {
        HostMemory memory = memory();
        progress.lock.lock();
        try {
            return memory != null && memory.isAtHand(peerRank);
        } finally {
            progress.lock.unlock();
        }
    }

    /** Makes a rank of this host look again that has said in shared memory that it sleeps. */
    public void nudge(int peerRank) {
        HostMemory memory = memory();
        progress.lock.lock();
        try {
            if (memory != null) {
                memory.nudge(peerRank);
            }
        } finally {
            progress.lock.unlock();
        }
    }

    /** Blocks until it is complete; progress is made meanwhile. It then knows whether it has failed. */
    public void await(SharedWait wait) {
        progress.awaitShared(wait);
    }

    /** Why nothing more will come from a rank, or null. Under the progress lock. */
    public @Nullable MpiFailure departureOf(int peerRank, Object operation) {
        Peer peer = peers[peerRank];
        return peer.lost != null
                ? SendSide.lossOf(peer, operation)
                : peer.finalized ? SendSide.goneFor(peer, operation) : null;
    }

    /** A call is made that goes by shared memory alone. */
    public void countCall() {
        initiation.countSharedCall();
    }
}
