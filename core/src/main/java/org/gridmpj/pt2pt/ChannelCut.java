package org.gridmpj.pt2pt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.datatype.SerializationBuffers;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The engine's part of a cooperative snapshot: markers, the sections of the image, and the way back. Takes the progress
 * lock itself.
 */
final class ChannelCut {
    private static final String TRANSPORT_SECTIONS = "transport/";

    private final int worldRank;
    private final Peer[] peers;
    private final FrameOutlet outlet;
    private final MatchingEngine matching;
    private final UnexpectedPool unexpectedPool;
    private final ActiveOperations operations;
    private final ReceiveSide receives;
    private final MarkerGate gate;
    private final FrameDispatch dispatch;
    private final ProgressEngine progress;
    private final ProgressLock lock;

    ChannelCut(
            int worldRank,
            Peer[] peers,
            FrameOutlet outlet,
            MatchingEngine matching,
            UnexpectedPool unexpectedPool,
            ActiveOperations operations,
            ReceiveSide receives,
            MarkerGate gate,
            FrameDispatch dispatch,
            ProgressEngine progress) {
        this.worldRank = worldRank;
        this.peers = peers;
        this.outlet = outlet;
        this.matching = matching;
        this.unexpectedPool = unexpectedPool;
        this.operations = operations;
        this.receives = receives;
        this.gate = gate;
        this.dispatch = dispatch;
        this.progress = progress;
        this.lock = progress.lock;
    }

    /** Operations that forbid a cut, described for people; empty when none is pending. */
    List<String> pendingOperations() {
        lock.lock();
        try {
            List<String> pending = new ArrayList<>(operations.describe());
            for (Request schedule : progress.schedules()) {
                pending.add(schedule.toString());
            }
            return pending;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends a marker on every channel and waits for those of all peers; what comes behind one is held until
     * {@link #release}.
     *
     * @throws MpiFailure if some rank has abandoned the epoch; held frames are delivered
     */
    void exchangeMarkers(int epoch) {
        lock.lock();
        try {
            gate.begin(epoch);
            outlet.emitToAll(FrameKind.MARKER, epoch, worldRank, peers);
        } finally {
            lock.unlock();
        }
        progress.await(
                new Condition("the markers of epoch " + epoch, () -> gate.isAborted() || gate.isComplete()), true);
        lock.lock();
        try {
            if (gate.isAborted()) {
                dispatch.releaseHeld();
                throw new MpiFailure(ErrorClass.OTHER, "snapshot epoch " + epoch + " was abandoned by another rank");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Tells all ranks that an epoch is abandoned, and delivers what is held here. */
    void abandonEpoch(int epoch) {
        lock.lock();
        try {
            outlet.emitToAll(FrameKind.EPOCH_ABORT, epoch, worldRank, peers);
            gate.onAbort(epoch);
            dispatch.releaseHeld();
            progress.kick();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The engine's sections of an image: unexpected messages, counters, the permanent serialization buffers, and what
     * the channels hold.
     *
     * @throws MpiFailure if a message waits for its receive at the sender: an operation is pending there
     */
    Map<String, byte[]> freeze(@Nullable Transport transport) {
        lock.lock();
        try {
            List<UnexpectedMessage> messages = new ArrayList<>();
            matching.forEachUnexpected(message -> {
                boolean whole = message.arrived && message.selfSender == null;
                if (!whole || message.header.kind != FrameKind.EAGER) {
                    throw new MpiFailure(
                            ErrorClass.PENDING,
                            "a snapshot is not possible while world rank " + message.header.sourceRank
                                    + " waits for its send with tag " + message.header.tag + " ("
                                    + message.header.messageBytes + " bytes) to be received by world rank " + worldRank
                                    + ": receive it before the snapshot");
                }
                messages.add(message);
            });
            Map<String, byte[]> sections = new HashMap<>();
            sections.put(EngineSections.UNEXPECTED, EngineSections.writeUnexpected(messages));
            sections.put(EngineSections.COUNTERS, EngineSections.writeCounters(peers));
            sections.put(
                    EngineSections.SERIALIZATION_BUFFERS,
                    EngineSections.writeSerializationBuffers(SerializationBuffers.sizeBytes()));
            if (transport != null) {
                transport.freeze().forEach((name, bytes) -> sections.put(TRANSPORT_SECTIONS + name, bytes));
            }
            return sections;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes back the sections of {@link #freeze}: its messages stand before all that arrived since. The channels' own
     * sections are not used: a cooperative cut leaves nothing in a channel.
     */
    void thaw(Map<String, byte[]> sections) {
        lock.lock();
        try {
            byte[] counters = sections.get(EngineSections.COUNTERS);
            if (counters != null) {
                EngineSections.readCounters(counters, peers);
            }
            byte[] unexpected = sections.get(EngineSections.UNEXPECTED);
            if (unexpected != null) {
                restore(EngineSections.readUnexpected(unexpected));
            }
            byte[] buffers = sections.get(EngineSections.SERIALIZATION_BUFFERS);
            if (buffers != null) {
                SerializationBuffers.restoreSizeBytes(EngineSections.readSerializationBuffers(buffers));
            }
            progress.completed(null);
            progress.kick();
        } finally {
            lock.unlock();
        }
    }

    private void restore(List<EngineSections.Saved> saved) {
        List<UnexpectedMessage> unmatched = new ArrayList<>();
        for (EngineSections.Saved each : saved) {
            FrameHeader header = each.header();
            UnexpectedMessage message = unexpectedPool.take(header, header.sourceRank, header.messageBytes);
            message.write(0, each.payload(), 0, (int) header.messageBytes);
            message.arrived = true;
            OperationRecord receive = matching.arrive(header.sourceRank, header);
            if (receive != null) {
                receives.take(message, receive);
            } else {
                unmatched.add(message);
            }
        }
        for (UnexpectedMessage message : unmatched.reversed()) {
            matching.keepInFront(message);
        }
    }

    /** The cut is made: held frames are delivered in order. */
    void release() {
        lock.lock();
        try {
            dispatch.releaseHeld();
            progress.kick();
        } finally {
            lock.unlock();
        }
    }
}
