package org.gridmpj.pt2pt;

import java.util.ArrayDeque;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.Transport;
import org.jspecify.annotations.Nullable;

/** What the engine knows of one peer. Guarded by the progress lock. */
final class Peer {
    final int worldRank;
    /** Number of the host that it was on when the job began; kept when it moves: see docs/design/0013. */
    int host;
    /** Messages up to this length are sent to it before it asks for them. */
    int eagerLimitBytes = Transport.EAGER_LIMIT_BYTES;
    /** The way to the peer; null for the own rank, and for all until the transport is connected. */
    @Nullable
    Endpoint endpoint;
    /** Frames that found no room, in order: nothing else may be offered before them. */
    final ArrayDeque<OutboundFrame> outbox = new ArrayDeque<>(4);
    /** Whether the outlet has this peer on its list. */
    boolean backlogged;

    final MessageCounters counters = new MessageCounters();
    /** Why nothing can be exchanged with the peer any more, or null. */
    @Nullable
    MpiFailure lost;
    /** The peer has called Finalize and will send nothing more. */
    boolean finalized;

    // ---- snapshot
    /** Epoch of the last marker from this peer. */
    int markerEpoch = -1;
    /** Whether frames are held: the peer is behind the cut that this rank has yet to make. */
    boolean holding;

    final ArrayDeque<HeldFrame> held = new ArrayDeque<>(0);
    /** Where the payload of the frame goes that is arriving, and its header; null when none is. */
    @Nullable
    PayloadSink arriving;

    @Nullable
    FrameHeader arrivingHeader;
    /** Where the next frame goes: this rank's earlier process had announced it, and half of it was here. */
    @Nullable
    PayloadSink awaitedAgain;

    /** Takes what comes from this peer between the own cut and its marker. */
    @Nullable
    InFlightLog log;
    /** The sink whose rest is logged. */
    @Nullable
    ArrivalSink tapped;

    Peer(int worldRank) {
        this.worldRank = worldRank;
    }
}
