package org.gridmpj.pt2pt;

import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.MessageBuffer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.ShortMessages;
import org.jspecify.annotations.Nullable;

/**
 * The short way of blocking calls: what can leave at once, or is here already or in an instant, needs no operation record, no
 * queue and no round of progress. The messages are the same, and so are their numbers and their order; where anything is in
 * the way the answer is no, nothing has happened, and the call takes the long way.
 *
 * <pre>
 *   send      eager, and the transport takes its bytes now
 *   receive   of a named source that shares memory, or whose connection this thread reads itself, and whose next frame is
 *             the message; nothing is unexpected, posted or under way, so that no other receive and no other message goes before
 * </pre>
 *
 * <p>Not for engines that log messages: there each operation leaves a record. Where a call may be captured behind it, the caller
 * tells the call's journal. One round of progress is made in {@value #CALLS_PER_ROUND} receives, for all that others want of this
 * rank. Guarded by the progress lock, which it takes.
 */
final class DirectMessages {
    /** A power of two. */
    private static final int CALLS_PER_ROUND = 64;

    /** What has come of a look for a message. */
    private enum Found {
        TAKEN,
        NOTHING_YET,
        /** The long way is to be taken. */
        OTHER
    }

    private final Peer[] peers;
    private final int worldRank;
    private final FrameOutlet outlet;
    private final MatchingEngine matching;
    private final ActiveOperations operations;
    private final MarkerGate gate;
    private final ProgressEngine progress;
    private final ProgressLock lock;
    private final Initiation initiation;
    private final CutRules rules;
    /** How often a receive of a short message looks for it before it takes the long way. */
    private final int looks;
    /** Who waits for it may need this very core, which is given up between two looks. */
    private final boolean yields;

    private final MessageBuffer buffer = new MessageBuffer();
    private final FrameHeader header = new FrameHeader();
    private boolean closed;
    private int calls;

    DirectMessages(
            Peer[] peers,
            int worldRank,
            FrameOutlet outlet,
            MatchingEngine matching,
            ActiveOperations operations,
            MarkerGate gate,
            ProgressEngine progress,
            Initiation initiation,
            CutRules rules,
            PointToPointConfig config) {
        this.peers = peers;
        this.worldRank = worldRank;
        this.outlet = outlet;
        this.matching = matching;
        this.operations = operations;
        this.gate = gate;
        this.progress = progress;
        this.lock = progress.lock;
        this.initiation = initiation;
        this.rules = rules;
        looks = config.directLooks();
        yields = config.yieldEverySpins() == 1;
    }

    /** From now on each operation is to leave a record. */
    void close() {
        closed = true;
    }

    /** Sends a message whole, or does nothing and says no. */
    boolean send(
            SendMode mode,
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type,
            int destination,
            long contextId,
            int tag) {
        if (closed
                || destination == worldRank
                || (mode != SendMode.STANDARD && mode != SendMode.READY)
                || type.base() == BaseType.OBJECT) {
            return false;
        }
        lock.lock();
        try {
            Peer peer = peers[destination];
            Endpoint way = outlet.freeWay(peer);
            if (way == null) {
                return false;
            }
            buffer.forSend(array, offset, count, type);
            long bytes = buffer.messageBytes();
            if (bytes > peer.eagerLimitBytes || bytes > way.copiedPayloadLimitBytes()) {
                return false;
            }
            SendSide.fillEnvelope(header, worldRank, contextId, tag, peer.counters.next(contextId), buffer);
            header.payloadBytes = bytes;
            if (way.offer(header, buffer) != Endpoint.Offer.ACCEPTED) {
                peer.counters.takeBack(contextId);
                return false;
            }
            initiation.countCall();
            progress.kick();
            return true;
        } finally {
            buffer.clear();
            lock.unlock();
        }
    }

    /** Receives a message whole if it is there or comes in an instant, or does nothing and says no. */
    @SuppressWarnings("ThreadPriorityCheck") // measured: a round in between takes longer than a look
    boolean receive(
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type,
            int source,
            long contextId,
            int tag,
            boolean matchType,
            MessageStatus status) {
        if (closed || looks == 0 || source < 0 || source == worldRank || type.base() == BaseType.OBJECT) {
            return false;
        }
        Found found = look(array, offset, count, type, source, contextId, tag, matchType, status);
        for (int times = 1; yields && found == Found.NOTHING_YET && times < looks; times++) {
            Thread.yield();
            found = look(array, offset, count, type, source, contextId, tag, matchType, status);
        }
        return found == Found.TAKEN;
    }

    /** One look, or as many as one goes without giving up the core. Takes the lock. */
    private Found look(
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type,
            int source,
            long contextId,
            int tag,
            boolean matchType,
            MessageStatus status) {
        lock.lock();
        try {
            if ((++calls & CALLS_PER_ROUND - 1) == 0) {
                boolean _ = progress.round();
            }
            Peer peer = peers[source];
            Endpoint way = isFirstInLine(peer) ? peer.endpoint : null;
            ShortMessages messages = way == null ? null : way.shortMessages();
            if (messages == null) {
                return Found.OTHER;
            }
            buffer.forReceive(array, offset, count, type);
            boolean isShort = buffer.capacityBytes() <= messages.longestBytes();
            if (!isShort && !messages.isFree()) {
                return Found.OTHER;
            }
            int bytes = await(messages, isShort && !yields ? looks : 1);
            if (bytes < 0) {
                return bytes == ShortMessages.NOTHING && isShort ? Found.NOTHING_YET : Found.OTHER;
            }
            FrameHeader found = messages.header();
            if (!Matching.accepts(contextId, tag, matchType, buffer.typeCode(), found)) {
                return Found.OTHER;
            }
            if (buffer.expect(bytes, found.count, found.flags) != null) {
                return Found.OTHER;
            }
            if (bytes > 0) {
                buffer.write(0, messages.memory(), messages.payloadOffset(), bytes);
            }
            status.sourceWorldRank = source;
            status.tag = found.tag;
            status.typeCode = found.typeCode;
            status.bytes = bytes;
            status.count = buffer.finish();
            status.cancelled = false;
            status.failure = null;
            messages.taken();
            initiation.countCall();
            return Found.TAKEN;
        } finally {
            buffer.clear();
            lock.unlock();
        }
    }

    private static int await(ShortMessages messages, int mostLooks) {
        boolean pauses = messages.isFree(); // a call of the system is a pause
        int bytes = messages.look();
        for (int looks = 1; bytes == ShortMessages.NOTHING && looks < mostLooks; looks++) {
            if (pauses) {
                Thread.onSpinWait();
            }
            bytes = messages.look();
        }
        return bytes;
    }

    /** Whether the peer's next frame, if it is a message, is of the receive that begins now or of nobody. */
    private boolean isFirstInLine(Peer peer) {
        return peer.endpoint != null
                && operations.isEmpty()
                && matching.unexpectedCount() == 0
                && progress.isUndisturbed()
                && peer.arriving == null
                && peer.awaitedAgain == null
                && (peer.log == null || !rules.hold(CutRule.LOG_WHAT_GOES_DIRECT))
                && !gate.holds(peer, FrameKind.EAGER);
    }
}
