package org.gridmpj.pt2pt;

import java.util.concurrent.locks.ReentrantLock;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.jspecify.annotations.Nullable;

/** Looks for a message without receiving it (MPI standard, 3.8.1). Takes the progress lock itself. */
final class MessageProbe {
    private final Peer[] peers;
    private final MatchingEngine matching;
    private final ReceiveSide receives;
    private final Initiation initiation;
    private final ProgressEngine progress;
    private final ReentrantLock lock;
    /** Null unless ranks may go back alone. */
    private @Nullable AnySource anySource;

    MessageProbe(
            Peer[] peers,
            MatchingEngine matching,
            ReceiveSide receives,
            Initiation initiation,
            ProgressEngine progress) {
        this.peers = peers;
        this.matching = matching;
        this.receives = receives;
        this.initiation = initiation;
        this.progress = progress;
        this.lock = progress.lock;
    }

    /** Records what blocking probes of any source find. */
    void record(AnySource recorded) {
        anySource = recorded;
    }

    /**
     * Whether a message could be received now; fills status if so.
     *
     * @throws MpiFailure if none will ever be, because the source has failed or the engine is closed
     */
    boolean iprobe(int source, long contextId, int tag, MessageStatus status) {
        return look(source, contextId, tag, status, false);
    }

    private boolean look(int source, long contextId, int tag, MessageStatus status, boolean blocking) {
        lock.lock();
        try {
            initiation.countCall();
            if (probeLocked(source, contextId, tag, status, blocking)) {
                return true;
            }
        } finally {
            lock.unlock();
        }
        progress.roundOfTest();
        lock.lock();
        try {
            if (probeLocked(source, contextId, tag, status, blocking)) {
                return true;
            }
            if (source != PointToPoint.ANY_SOURCE && peers[source].lost != null) {
                throw SendSide.lossOf(peers[source], "probe");
            }
        } finally {
            lock.unlock();
        }
        progress.failIfStopped("a message (probe)");
        return false;
    }

    private boolean probeLocked(int source, long contextId, int tag, MessageStatus status, boolean blocking) {
        UnexpectedMessage message = matching.probe(source, contextId, tag);
        if (message == null) {
            return false;
        }
        FrameHeader envelope = message.header;
        AnySource recorded = anySource;
        if (recorded != null && blocking && source == PointToPoint.ANY_SOURCE) {
            recorded.probed(envelope);
        }
        status.sourceWorldRank = envelope.sourceRank;
        status.tag = envelope.tag;
        status.count = envelope.count;
        status.bytes = envelope.messageBytes;
        status.typeCode = envelope.typeCode;
        status.cancelled = false;
        status.failure = null;
        return true;
    }

    /** Blocks until a message could be received. */
    void probe(int source, long contextId, int tag, MessageStatus status) {
        if (look(source, contextId, tag, status, true)) {
            return;
        }
        String sender = source == PointToPoint.ANY_SOURCE ? "any source" : "world rank " + source;
        Condition arrival = new Condition("a message from " + sender + " (probe)", () -> {
            if (probeLocked(source, contextId, tag, status, true)) {
                return true;
            }
            status.failure = receives.whyNothingWillCome(source, "probe");
            return status.failure != null;
        });
        progress.await(arrival, true);
        if (status.failure != null) {
            throw status.failure;
        }
    }
}
