package org.gridmpj.pt2pt;

import java.util.List;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.log.Determinant;
import org.jspecify.annotations.Nullable;

/** Looks for a message without receiving it (MPI standard, 3.8.1). Takes the progress lock itself. */
final class MessageProbe {
    private final Peer[] peers;
    private final MatchingEngine matching;
    private final ReceiveSide receives;
    private final Initiation initiation;
    private final ProgressEngine progress;
    private final ProgressLock lock;
    /** Null unless ranks may go back alone. */
    private @Nullable AnySource anySource;

    private @Nullable Polls polls;

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

    /** Records what probes find. */
    void record(AnySource recorded, Polls recordedPolls) {
        anySource = recorded;
        polls = recordedPolls;
    }

    /**
     * What could be received now, or null.
     *
     * @throws MpiFailure if none will ever be, because the source has failed or the engine is closed
     */
    @Nullable
    MessageStatus iprobe(int source, long contextId, int tag) {
        Polls recorded = polls;
        List<Determinant> before = recorded == null ? null : recorded.asBefore();
        if (recorded != null && before != null) {
            if (before.isEmpty()) {
                boolean _ = recorded.noAsBefore();
                return null;
            }
            MessageStatus status = new MessageStatus();
            return findAsBefore(recorded, before, source, contextId, tag, status) ? status : null;
        }
        MessageStatus found = look(source, contextId, tag, null, false);
        if (recorded != null && found == null) {
            boolean _ = recorded.no();
        }
        return found;
    }

    /** Blocks until the message is here that this call found before; whether it is the same call. */
    private boolean findAsBefore(
            Polls recorded, List<Determinant> before, int source, long contextId, int tag, MessageStatus status) {
        Determinant message = before.getFirst();
        boolean[] differs = {message.kind() != Determinant.Kind.FOUND};
        Condition arrival = new Condition("the message that it found before it went back (Iprobe)", () -> {
            UnexpectedMessage found = differs[0] ? null : matching.lookAsBefore(message);
            if (found == null) {
                return differs[0];
            }
            FrameHeader envelope = found.header;
            differs[0] = (source != PointToPoint.ANY_SOURCE && source != envelope.sourceRank)
                    || !Matching.accepts(contextId, tag, false, 0, envelope);
            if (!differs[0]) {
                recorded.found(envelope);
                fill(status, envelope);
            }
            return true;
        });
        progress.await(arrival, true);
        if (differs[0]) {
            recorded.diverged(before, "Iprobe");
        }
        return !differs[0];
    }

    /** What is there now or after a round, in the given status or a fresh one; or null. */
    private @Nullable MessageStatus look(
            int source, long contextId, int tag, @Nullable MessageStatus status, boolean blocking) {
        lock.lock();
        try {
            initiation.countCall();
            MessageStatus found = probeLocked(source, contextId, tag, status, blocking);
            if (found != null) {
                return found;
            }
        } finally {
            lock.unlock();
        }
        progress.roundOfTest();
        lock.lock();
        try {
            MessageStatus found = probeLocked(source, contextId, tag, status, blocking);
            if (found != null) {
                return found;
            }
            if (source != PointToPoint.ANY_SOURCE && peers[source].lost != null) {
                throw SendSide.lossOf(peers[source], "probe");
            }
        } finally {
            lock.unlock();
        }
        progress.failIfStopped("a message (probe)");
        return null;
    }

    private @Nullable MessageStatus probeLocked(
            int source, long contextId, int tag, @Nullable MessageStatus status, boolean blocking) {
        UnexpectedMessage message =
                blocking ? matching.probe(source, contextId, tag) : matching.look(source, contextId, tag);
        if (message == null) {
            return null;
        }
        FrameHeader envelope = message.header;
        AnySource recorded = anySource;
        Polls recordedPolls = polls;
        if (recorded != null && blocking && source == PointToPoint.ANY_SOURCE) {
            recorded.probed(envelope);
        } else if (recordedPolls != null && !blocking) {
            recordedPolls.found(envelope);
        }
        MessageStatus found = status == null ? new MessageStatus() : status;
        fill(found, envelope);
        return found;
    }

    private static void fill(MessageStatus status, FrameHeader envelope) {
        status.sourceWorldRank = envelope.sourceRank;
        status.tag = envelope.tag;
        status.count = envelope.count;
        status.bytes = envelope.messageBytes;
        status.typeCode = envelope.typeCode;
        status.cancelled = false;
        status.failure = null;
    }

    /** Blocks until a message could be received. */
    void probe(int source, long contextId, int tag, MessageStatus status) {
        if (look(source, contextId, tag, status, true) != null) {
            return;
        }
        String sender = source == PointToPoint.ANY_SOURCE ? "any source" : "world rank " + source;
        Condition arrival = new Condition("a message from " + sender + " (probe)", () -> {
            if (probeLocked(source, contextId, tag, status, true) != null) {
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
