package org.gridmpj.pt2pt;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.datatype.SerializationBuffers;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.PayloadSource;
import org.gridmpj.transport.log.Outcomes;
import org.jspecify.annotations.Nullable;

/**
 * From the live engine to its {@link EngineState} and back. Guarded by the progress lock.
 *
 * <p>Frames that were emitted are not in it: they are before the marker, so that the receiver has them, in its state or in
 * its log of frames in flight. At restore the sends that they belong to have left.
 */
final class EngineImage {
    private final Peer[] peers;
    private final MatchingEngine matching;
    private final UnexpectedPool pool;
    private final OperationTable table;
    private final ActiveOperations operations;
    private final SendSide sends;
    private final ProgressEngine progress;
    private final Calls calls;
    private final CutRules rules;
    private final int worldRank;
    /** Null unless ranks may go back alone. */
    private @Nullable Outcomes outcomes;

    /** Sinks of the frames that the log has the rest of, by peer; between adopt and the end of the delivery. */
    private final Map<Integer, PayloadSink> arriving = new HashMap<>();

    /** The number of MPI calls and the calls to be entered again: {@link JournaledCalls}. */
    interface Calls {
        long count();

        void suspended(List<String> threads, List<CallJournal> journals);

        void adopt(long count, String[] threads, CallJournal[] journals);
    }

    EngineImage(
            int worldRank,
            Peer[] peers,
            MatchingEngine matching,
            UnexpectedPool pool,
            OperationTable table,
            ActiveOperations operations,
            SendSide sends,
            ProgressEngine progress,
            Calls calls,
            CutRules rules) {
        this.worldRank = worldRank;
        this.peers = peers;
        this.matching = matching;
        this.pool = pool;
        this.table = table;
        this.operations = operations;
        this.sends = sends;
        this.progress = progress;
        this.calls = calls;
        this.rules = rules;
    }

    /** Its counters are part of the image. */
    void record(Outcomes recorded) {
        outcomes = recorded;
    }

    /** Whether no operation is under way. */
    boolean isIdle() {
        return operations.isEmpty();
    }

    /** This rank's cut of an epoch is drawn, its state copied. */
    void cut(int epoch) {
        Outcomes recorded = outcomes;
        if (recorded != null) {
            recorded.cut(epoch);
        }
    }

    /** The sink of a frame of this peer's that is half here and before the peer's marker, or null. */
    static @Nullable PayloadSink arrivingSink(Peer peer) {
        PayloadSink sink = peer.arriving;
        if (sink instanceof HeldFrame held) {
            sink = held.releasedTo;
        }
        return sink instanceof LoggedFrame logged ? logged.target : sink;
    }

    /** The header of that frame. */
    static FrameHeader arrivingHeader(Peer peer) {
        FrameHeader header = peer.arrivingHeader;
        if (header == null) {
            throw new IllegalStateException("no frame of world rank " + peer.worldRank + " is arriving");
        }
        return header;
    }

    /**
     * @param alone whether this rank goes on in another process while the others stay
     * @param abandonedEpoch the last that was abandoned, −1 for none
     * @param passedEpoch the last that concerns this rank no more, −1 for none
     */
    EngineState state(boolean alone, int abandonedEpoch, int passedEpoch) {
        MessageCounters[] counters = new MessageCounters[peers.length];
        boolean[] finalized = new boolean[peers.length];
        int[] hosts = new int[peers.length];
        for (Peer peer : peers) {
            counters[peer.worldRank] = peer.counters;
            finalized[peer.worldRank] = peer.finalized;
            hosts[peer.worldRank] = peer.host;
        }
        List<OperationRecord> active = new ArrayList<>();
        operations.forEach(active::add);
        IdentityHashMap<UnexpectedMessage, Integer> indices = new IdentityHashMap<>();
        List<EngineState.Unexpected> unexpected = new ArrayList<>();
        if (rules.hold(CutRule.KEEP_UNEXPECTED)) {
            matching.forEachUnexpected(message -> {
                indices.put(message, unexpected.size());
                unexpected.add(saved(message));
            });
        }
        List<EngineState.Arriving> halfHere = new ArrayList<>();
        for (Peer peer : peers) {
            boolean again = peer.awaitedAgain != null;
            PayloadSink sink = again ? peer.awaitedAgain : arrivingSink(peer);
            if (sink instanceof OperationRecord receive) {
                halfHere.add(new EngineState.Arriving(peer.worldRank, receive, null, -1, again));
            } else if (sink instanceof UnexpectedMessage message) {
                Integer index = indices.get(message);
                halfHere.add(new EngineState.Arriving(
                        peer.worldRank,
                        null,
                        index == null ? saved(message) : unexpected.get(index),
                        index == null ? -1 : index,
                        again));
            }
        }
        List<String> threads = new ArrayList<>();
        List<CallJournal> journals = new ArrayList<>();
        calls.suspended(threads, journals);
        Outcomes recorded = outcomes;
        return new EngineState(
                counters,
                finalized,
                hosts,
                active.reversed().toArray(OperationRecord[]::new),
                matching.posted(),
                unexpected.toArray(EngineState.Unexpected[]::new),
                halfHere.toArray(EngineState.Arriving[]::new),
                table,
                progress.schedules().toArray(Request[]::new),
                sends.bufferedSpace.capacityBytes(),
                sends.bufferedSpace.usedBytes(),
                calls.count(),
                threads.toArray(String[]::new),
                journals.toArray(CallJournal[]::new),
                SerializationBuffers.sizeBytes(),
                alone,
                abandonedEpoch,
                passedEpoch,
                alone && rules.hold(CutRule.WAITING_GOES_ALONG) ? waiting() : new EngineState.Waiting[0],
                recorded == null ? null : recorded.counters());
    }

    private EngineState.Waiting[] waiting() {
        List<EngineState.Waiting> waiting = new ArrayList<>();
        for (Peer peer : peers) {
            for (OutboundFrame frame : peer.outbox) {
                FrameHeader header = new FrameHeader();
                header.set(frame.header);
                byte[] payload = new byte[Math.toIntExact(header.payloadBytes)];
                if (payload.length > 0) {
                    frame.payload.read(0, MemorySegment.ofArray(payload), 0, payload.length);
                }
                waiting.add(new EngineState.Waiting(peer.worldRank, header, payload));
            }
        }
        return waiting.toArray(EngineState.Waiting[]::new);
    }

    private static EngineState.Unexpected saved(UnexpectedMessage message) {
        FrameHeader header = new FrameHeader();
        header.set(message.header);
        byte[] payload = header.payloadBytes > 0 && message.selfSender == null
                ? message.payload().asSlice(0, header.payloadBytes).toArray(ValueLayout.JAVA_BYTE)
                : selfPayload(message);
        return new EngineState.Unexpected(header, payload, message.arrived, message.receiver, message.selfSender);
    }

    /** A message of this rank to itself was set aside without a frame: its header names no payload. */
    private static byte[] selfPayload(UnexpectedMessage message) {
        boolean setAside = message.arrived
                && message.selfSender == null
                && message.header.kind == FrameKind.EAGER
                && message.header.messageBytes > 0;
        return setAside
                ? message.payload().asSlice(0, message.header.messageBytes).toArray(ValueLayout.JAVA_BYTE)
                : new byte[0];
    }

    /** Takes everything over but what makes the engine act. */
    void adopt(EngineState state) {
        for (Peer peer : peers) {
            peer.counters.adopt(state.counters()[peer.worldRank]);
            peer.finalized = state.finalized()[peer.worldRank];
            if (rules.hold(CutRule.KEEP_HOSTS)) {
                peer.host = state.hosts()[peer.worldRank];
            }
        }
        for (OperationRecord operation : state.active()) {
            operation.unlink();
            operations.add(operation);
        }
        matching.adopt(state.posted());
        Outcomes recorded = outcomes;
        Outcomes.Counters counters = state.outcomes();
        if (recorded != null) {
            recorded.adopt(counters == null ? Outcomes.Counters.NONE : counters);
            if (counters == null) {
                // an image of a job in which nobody went back alone; numbered alike whenever it is taken over
                for (OperationRecord operation : state.active()) {
                    operation.receiveNumber = operation.inner ? -1 : recorded.nextReceive();
                }
            }
        }
        if (rules.hold(CutRule.KEEP_TOKENS)) {
            table.adopt(state.table());
        }
        List<UnexpectedMessage> queue = new ArrayList<>();
        for (EngineState.Unexpected saved : state.unexpected()) {
            UnexpectedMessage message = live(saved);
            queue.add(message);
            matching.keep(message);
        }
        for (EngineState.Arriving half : state.arriving()) {
            EngineState.Unexpected saved = half.unexpected();
            PayloadSink sink = half.receive();
            if (sink == null && saved != null) {
                sink = half.queueIndex() >= 0 ? queue.get(half.queueIndex()) : live(saved);
            }
            if (half.again()) {
                peers[half.peerRank()].awaitedAgain = sink;
            } else if (sink != null) {
                arriving.put(half.peerRank(), sink);
            }
        }
        sends.bufferedSpace.adopt(state.bufferedCapacityBytes(), state.bufferedUsedBytes());
        SerializationBuffers.restoreSizeBytes(state.serializationBufferBytes());
        calls.adopt(state.calls(), state.journalThreads(), state.journals());
        releaseEmitted(state);
    }

    private UnexpectedMessage live(EngineState.Unexpected saved) {
        UnexpectedMessage message = pool.take(saved.header(), saved.header().sourceRank, saved.payload().length);
        if (saved.payload().length > 0) {
            message.write(0, MemorySegment.ofArray(saved.payload()), 0, saved.payload().length);
        }
        message.arrived = saved.arrived();
        message.receiver = saved.receiver();
        message.selfSender = saved.selfSender();
        return message;
    }

    /** Where the rest of a frame goes that was half here. */
    @Nullable
    PayloadSink arrivingOf(int peerRank) {
        return arriving.get(peerRank);
    }

    /** Before anything of the log is delivered: a CTS of it makes a send emit its data in this life. */
    private void releaseEmitted(EngineState state) {
        if (rules.hold(CutRule.EMITTED_IS_SENT)) {
            for (OperationRecord operation : state.active()) {
                boolean emitted = operation.kind != OperationRecord.Kind.RECEIVE
                        && operation.peer != worldRank
                        && (operation.cleared || sends.isEager(operation));
                if (emitted && !operation.isComplete()) {
                    sends.payloadReleased(operation);
                }
            }
        }
    }

    /**
     * This rank was alone in leaving: frames that were half here come again, from their first byte, and belong where the
     * first half went; what waited for room waits again.
     */
    void goOn(EngineState state, FrameOutlet outlet) {
        if (rules.hold(CutRule.HALF_HERE_GOES_ON)) {
            arriving.forEach((peerRank, sink) -> peers[peerRank].awaitedAgain = sink);
        }
        outlet.defer();
        for (EngineState.Waiting frame : state.waiting()) {
            PayloadSource payload =
                    frame.payload().length == 0 ? OutboundFrame.NO_PAYLOAD : new SavedPayload(frame.payload());
            boolean _ = outlet.emit(peers[frame.peerRank()], frame.header(), payload, null);
        }
        outlet.resume();
    }

    /** Lets the engine act on what it has taken over: collectives go on. */
    void startAdopted(EngineState state) {
        arriving.clear();
        for (Request schedule : state.schedules()) {
            progress.addSchedule(schedule);
        }
    }
}
