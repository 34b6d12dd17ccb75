package org.gridmpj.pt2pt;

import java.util.Map;
import java.util.WeakHashMap;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.HostMemory;
import org.gridmpj.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Memory that ranks of one host share beside their channels. What passes there is in nobody's custody: if cuts are made of the job, all
 * of a call passes before a cut or all behind it, and whoever shares memory sees to that ({@link #passedEpoch}, {@link SharedWait}); see
 * docs/design/0013. May be used by any thread.
 */
public final class BesideChannels {
    private static final int PATIENCE = 8;
    /** Measured: longer pieces leave the second-level cache. */
    private static final int MOST_BYTES_AT_A_TIME = 128 << 10;

    /** Memory that is shared, as this process has it. */
    public interface Shared {
        /** This rank leaves its process: nothing more is begun in this memory. Under the progress lock. */
        void close();
    }

    private record Asked(Object owner, @Nullable Shared memory) {}

    private final Peer[] peers;
    private final Membership membership;
    private final ProgressEngine progress;
    private final Initiation initiation;
    private final EpochCut cut;
    private final CutRules rules;
    /** By what stands for it in an image. Guarded by the progress lock. */
    private final Map<Object, Shared> shared = new WeakHashMap<>();
    /** What was asked for last: most programs use one communicator again and again. */
    private volatile @Nullable Asked asked;

    /** Set before the engine is connected, as the two below. */
    private boolean allowed;

    private boolean isCut;
    private int patience = PATIENCE;
    private int mostBytesAtATime = MOST_BYTES_AT_A_TIME;

    BesideChannels(
            Peer[] peers,
            Membership membership,
            ProgressEngine progress,
            Initiation initiation,
            EpochCut cut,
            CutRules rules) {
        this.peers = peers;
        this.membership = membership;
        this.progress = progress;
        this.initiation = initiation;
        this.cut = cut;
        this.rules = rules;
        cut.beforeLeaving(this::close);
    }

    /**
     * No snapshot will be taken of this job, and no rank moves or goes back alone, as all its ranks know alike. Before
     * {@link PointToPoint#connect}.
     */
    public void allow() {
        allowed = true;
    }

    /**
     * Of this job transparent cuts are made, and ranks may move, but none goes back alone, as all its ranks know alike. Before
     * {@link PointToPoint#connect}.
     */
    public void allowBetweenCuts() {
        allowed = true;
        isCut = true;
    }

    /** For a simulation, whose programs and messages are short. */
    void simulate(int calls, int bytesAtATime) {
        patience = calls;
        mostBytesAtATime = bytesAtATime;
    }

    /** As much is written at most before others have read what was written. */
    public int mostBytesAtATime() {
        return mostBytesAtATime;
    }

    /** After how many calls that want memory a communicator gets some: one that is used a few times only does not pay for it. */
    public int patience() {
        return patience;
    }

    /** Whether cuts are made of the job. */
    public boolean isCut() {
        return isCut;
    }

    /**
     * The last epoch of which this rank has made its cut or heard that it is abandoned, −1 for none: it is not cut for one up to
     * this any more.
     */
    public int passedEpoch() {
        return rules.hold(CutRule.MEET_IN_ONE_EPOCH) ? cut.passedEpoch() : -1;
    }

    /** Memory is shared from here on, as long as its owner is referred to; an owner is itself only. */
    public void share(Object owner, Shared memory) {
        progress.lock.lock();
        try {
            shared.put(owner, memory);
            asked = null;
        } finally {
            progress.lock.unlock();
        }
    }

    /** What this process shares for an owner; null if nothing, as in a process that goes on with an image of another one. */
    @SuppressWarnings("ReferenceEquality") // an owner is itself only
    public @Nullable Shared shared(Object owner) {
        Asked last = asked;
        if (last != null && last.owner == owner) {
            return last.memory;
        }
        progress.lock.lock();
        try {
            Shared found = shared.get(owner);
            asked = new Asked(owner, found);
            return found;
        } finally {
            progress.lock.unlock();
        }
    }

    /** It is not shared any more. */
    public void forget(Object owner) {
        progress.lock.lock();
        try {
            shared.remove(owner);
            asked = null;
        } finally {
            progress.lock.unlock();
        }
    }

    private void close() {
        shared.values().forEach(Shared::close);
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
