package org.gridmpj.pt2pt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers frames to the peers' endpoints, in order: a frame that finds no room, and all after it, wait in the peer's
 * outbox. Inside a poll nothing is offered, since a transport need not be re-entrant; what an upcall emits waits until
 * the poll returns.
 *
 * <p>Guarded by the progress lock.
 */
final class FrameOutlet {
    private static final Logger LOG = LoggerFactory.getLogger(FrameOutlet.class);
    private static final int POOLED_FRAMES = 256;

    private final ArrayList<Peer> backlog = new ArrayList<>();
    private final ArrayDeque<OutboundFrame> pool = new ArrayDeque<>();
    private boolean deferring;

    /** From here to {@link #resume} frames are only queued. */
    void defer() {
        deferring = true;
    }

    void resume() {
        deferring = false;
    }

    /** The way to a peer, if a frame that is offered to it now goes before no other; else null. */
    @Nullable
    Endpoint freeWay(Peer peer) {
        return deferring || peer.lost != null || !peer.outbox.isEmpty() ? null : peer.endpoint;
    }

    /**
     * Sends a frame, now or when there is room.
     *
     * @param starts the send that begins with this frame, or null
     * @return false if the peer is closed: the frame is not taken
     */
    boolean emit(Peer peer, FrameHeader header, PayloadSource payload, @Nullable OperationRecord starts) {
        Endpoint endpoint = peer.endpoint;
        if (peer.lost != null) {
            return false;
        }
        if (!deferring && endpoint != null && peer.outbox.isEmpty()) {
            switch (endpoint.offer(header, payload)) {
                case ACCEPTED -> {
                    return true;
                }
                case CLOSED -> {
                    return false;
                }
                case BACK_PRESSURED -> {}
            }
        }
        OutboundFrame frame = pool.isEmpty() ? new OutboundFrame() : pool.removeLast();
        frame.header.set(header);
        frame.payload = payload;
        frame.starts = starts;
        peer.outbox.addLast(frame);
        if (!peer.backlogged) {
            peer.backlogged = true;
            backlog.add(peer);
        }
        return true;
    }

    /** As {@link #emit}, for frames that a closed peer does not miss. */
    void emitAnswer(Peer peer, FrameHeader header) {
        boolean taken = emit(peer, header, OutboundFrame.NO_PAYLOAD, null);
        if (!taken && LOG.isTraceEnabled()) {
            LOG.trace("world rank {} is closed, not sent: {}", peer.worldRank, header);
        }
    }

    /** Tells all other ranks something of an epoch: a frame of a kind that is {@linkplain FrameKind#isOfEpoch of an epoch}. */
    void emitToAll(FrameKind kind, int epoch, int worldRank, Peer... peers) {
        FrameHeader header = new FrameHeader();
        header.kind = kind;
        header.sourceRank = worldRank;
        header.messageId = epoch;
        for (Peer peer : peers) {
            if (peer.worldRank != worldRank) {
                emitAnswer(peer, header);
            }
        }
    }

    /**
     * Offers what waits.
     *
     * @param closed gets the peers that turned out to be closed
     * @return whether any frame left
     */
    boolean flush(List<Peer> closed) {
        if (backlog.isEmpty()) {
            return false;
        }
        boolean any = false;
        int kept = 0;
        for (int i = 0; i < backlog.size(); i++) {
            Peer peer = backlog.get(i);
            int before = peer.outbox.size();
            if (!offerAll(peer)) {
                closed.add(peer);
            }
            any |= peer.outbox.size() != before;
            if (peer.outbox.isEmpty()) {
                peer.backlogged = false;
            } else {
                backlog.set(kept++, peer);
            }
        }
        while (backlog.size() > kept) {
            backlog.remove(backlog.size() - 1);
        }
        return any;
    }

    private boolean offerAll(Peer peer) {
        Endpoint endpoint = peer.endpoint;
        OutboundFrame frame = peer.outbox.peekFirst();
        while (endpoint != null && frame != null) {
            switch (endpoint.offer(frame.header, frame.payload)) {
                case ACCEPTED -> {
                    peer.outbox.removeFirst();
                    recycle(frame);
                }
                case BACK_PRESSURED -> {
                    return true;
                }
                case CLOSED -> {
                    return false;
                }
            }
            frame = peer.outbox.peekFirst();
        }
        return true;
    }

    /** Takes a send back whose first frame has not left; false if it has. */
    boolean withdraw(Peer peer, OperationRecord operation) {
        for (Iterator<OutboundFrame> frames = peer.outbox.iterator(); frames.hasNext(); ) {
            OutboundFrame frame = frames.next();
            if (frame.starts == operation) {
                frames.remove();
                recycle(frame);
                return true;
            }
        }
        return false;
    }

    /** Forgets what waits for a peer that is lost. */
    void discard(Peer peer) {
        while (!peer.outbox.isEmpty()) {
            recycle(peer.outbox.removeFirst());
        }
    }

    boolean isBacklogged() {
        return !backlog.isEmpty();
    }

    private void recycle(OutboundFrame frame) {
        frame.payload = OutboundFrame.NO_PAYLOAD;
        frame.starts = null;
        if (pool.size() < POOLED_FRAMES) {
            pool.addLast(frame);
        }
    }
}
