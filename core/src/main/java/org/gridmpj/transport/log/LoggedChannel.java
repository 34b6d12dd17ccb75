package org.gridmpj.transport.log;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/**
 * Both directions to one peer, between engine and transport. A state machine without I/O, threads or clock.
 *
 * <pre>
 *   engine ── offer ──▶ MessageLog ── pump ──▶ transport          out: kept until the peer's snapshot is committed
 *   engine ◀── new, with this life's tokens ──┬── transport       in:  numbers and hashes are kept
 *              seen before: compared, dropped ┤
 *              an answer too early: held ─────┘
 * </pre>
 *
 * <p>It keeps nothing before the first cut: until then nobody can go back alone. Guarded by the progress lock.
 */
final class LoggedChannel implements Endpoint, PayloadSink {
    /** What becomes of the frame that is arriving. */
    private enum Fate {
        /** Goes to the engine and is not a message that could come again. */
        PASS,
        /** A message that goes to the engine. */
        NEW,
        /** Was half here before the peer died. */
        GO_ON,
        /** Was here before. */
        AGAIN,
        /** Comes before what it answers. */
        HOLD,
        /** Between the logs: states, determinants. */
        STATE,
        /** Nobody awaits it. */
        DROP
    }

    /** A message of which the engine has the first bytes. */
    private record Interrupted(FrameHeader header, PayloadSink target) {}

    /**
     * Frames from a position in the log on depend on determinants before a number.
     */
    private record DependsOn(long position, long determinant) {}

    /** A frame that came before what it answers. */
    private record Early(FrameHeader header, MemorySegment payload) {}

    private static final byte[] NO_BYTES = {};
    private static final PayloadSink NOWHERE = (position, source, sourceOffset, length) -> {};
    private static final PayloadSource NOTHING = new PayloadSource() {
        @Override
        public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
            throw new IllegalStateException("a frame without payload was asked for " + lengthBytes + " bytes");
        }

        @Override
        public void released() {}
    };

    private final int worldRank;
    private final int peerRank;
    private final FrameSink engine;
    private final EngineView view;
    private final RecoveryListener listener;
    private final LogRules rules;
    private final MessageLog log;
    private final LogPace pace;
    private final MessageHistory history = new MessageHistory();
    private final Outcomes outcomes;
    /** This rank's determinants are held by the peer. */
    private final boolean isHolder;

    private final Runnable sendDeterminants;
    /** Whether this rank, if it goes back, has sent again all that those have had of it who do not. */
    private final BooleanSupplier isBack;
    /** Of the epoch of a cut at which the log does not begin. */
    private final IntConsumer sayNothingIsLogged;

    private @Nullable Endpoint transport;

    // ---- out
    private boolean logging;
    private boolean closed;
    /**
     * The log cannot be read back: nothing leaves any more until all go back. The peer is not lost, so the program must not be told
     * so: it would fail, which is its own end and not a reason to go back.
     */
    private boolean unreadable;

    private final FrameHeader outgoing = new FrameHeader();
    /** What this end tells the other before anything else on a channel that begins anew. */
    private byte @Nullable [] stateToSend;
    /** What was sent to the peer's earlier life is being sent again; at its end the peer is told so. */
    private boolean endDue;
    /** Frames of the peer's earlier life that have not come again yet. */
    private int againDue;

    /** In order; what is before the first one depends on nothing that is not held. */
    private final ArrayDeque<DependsOn> dependences = new ArrayDeque<>();

    private long dependsBelow;
    /** The peer is to hear how many of its determinants are held. */
    private boolean heldDue;

    // ---- in
    private boolean remembering;
    /** The engine does not know its operations yet; what comes names those of the image, and is held by the engine. */
    private boolean awaitsOperations;

    private final HeldDeterminants held = new HeldDeterminants();

    private Fate fate = Fate.PASS;
    private PayloadSink target = NOWHERE;
    private boolean inPayload;
    private final FrameHeader arriving = new FrameHeader();
    private final FrameHash hash = new FrameHash();
    /** Of the payload that is arriving there will be a hash. */
    private boolean comparable;
    /** The last epoch whose marker has come. */
    private int peerMarker = -1;

    private final List<Interrupted> interrupted = new ArrayList<>();
    private final ArrayDeque<Early> early = new ArrayDeque<>();
    private boolean answersDue;
    private boolean farewellHeld;

    // ---- this rank has gone back alone
    private @Nullable PeerState awaited;
    private boolean awaitsState;
    private boolean awaitsEnd;
    private Set<MessageHistory.Data> dataOwed = Set.of();
    /** Before it is known what is owed: of a message whose CTS is older than the image. */
    private final Set<MessageHistory.Data> dataSentEarly = new HashSet<>();

    LoggedChannel(
            int worldRank,
            int peerRank,
            FrameSink engine,
            EngineView view,
            RecoveryListener listener,
            LogMemory memory,
            Outcomes outcomes,
            boolean isHolder,
            Runnable sendDeterminants,
            BooleanSupplier isBack,
            IntConsumer sayNothingIsLogged,
            LogRules rules) {
        this.outcomes = outcomes;
        this.isHolder = isHolder;
        this.sendDeterminants = sendDeterminants;
        this.isBack = isBack;
        this.sayNothingIsLogged = sayNothingIsLogged;
        this.worldRank = worldRank;
        this.peerRank = peerRank;
        this.engine = engine;
        this.view = view;
        this.listener = listener;
        this.rules = rules;
        log = new MessageLog(memory);
        pace = memory.pace();
    }

    void over(Endpoint endpoint) {
        transport = endpoint;
    }

    // ---------------------------------------------------------------- out

    @Override
    public Offer offer(FrameHeader header, PayloadSource payload) {
        Endpoint wire = transport;
        if (wire == null || closed) {
            return Offer.CLOSED;
        }
        if (!logging) {
            Offer offer = wire.offer(header, payload);
            if (offer == Offer.ACCEPTED && header.kind == FrameKind.MARKER) {
                int epoch = (int) header.messageId;
                if (pace.beginsAt(epoch, sayNothingIsLogged)) {
                    begin(epoch);
                }
            }
            return offer;
        }
        long toBeHeld = outcomes.toBeHeld();
        LoggedPayload ahead = mayGoAhead(header, toBeHeld) ? offerAhead(wire, header, payload) : null;
        try {
            long position = log.end();
            log.append(header, payload);
            if (ahead != null) {
                log.givenAhead(header, ahead);
            } else if (toBeHeld > dependsBelow) {
                dependsBelow = toBeHeld;
                dependences.addLast(new DependsOn(position, dependsBelow));
            }
            if (header.kind == FrameKind.MARKER) {
                log.barrier((int) header.messageId);
                if (!rules.hold(LogRule.TRIM_AT_COMMIT)) {
                    pump();
                    log.committed((int) header.messageId);
                }
            }
        } catch (IOException e) {
            if (ahead != null) {
                loseLog(e);
                ahead.isNowhereElse();
                return Offer.ACCEPTED;
            }
            return withoutLog(wire, header, payload, e);
        }
        payload.released();
        answersDue |= !early.isEmpty();
        if (header.kind == FrameKind.DATA && (awaitsState || !dataOwed.isEmpty())) {
            MessageHistory.Data sent = new MessageHistory.Data(header.contextId, header.messageId);
            if (awaitsState) {
                dataSentEarly.add(sent);
            } else {
                dataOwed.remove(sent);
            }
        }
        pump();
        return Offer.ACCEPTED;
    }

    /** From here on what is sent is kept: this is the first cut, or the image that this rank begins from. */
    void begin(int epoch) {
        logging = rules.hold(LogRule.LOG_WHAT_IS_SENT);
        log.barrier(epoch);
    }

    /** There is no room for the log any more; it begins anew at the next cut. */
    private Offer withoutLog(Endpoint wire, FrameHeader header, PayloadSource payload, IOException cause) {
        if (!log.isAtEnd()) {
            // what waits must go first
            return Offer.BACK_PRESSURED;
        }
        loseLog(cause);
        return wire.offer(header, payload);
    }

    private void loseLog(IOException cause) {
        listener.logLost(view.latestEpoch(), "rank " + worldRank + " cannot log what it sends: " + cause.getMessage());
        forgetLog();
    }

    /** What was sent since the last snapshot is not kept any more, nor what will be until the log begins anew at a cut. */
    void forgetLog() {
        log.clear();
        dependences.clear();
        logging = false;
    }

    /** Whether nothing waits in the log, and nobody goes back who needs it. */
    boolean canDoWithoutLog() {
        return log.isAtEnd() && stateToSend == null && !endDue && againDue == 0;
    }

    /**
     * Whether a frame may be given to the transport before the log has it: the peer takes it out of the transport while it is
     * being copied. Both happens under the lock that a peer's return takes, too.
     */
    private boolean mayGoAhead(FrameHeader header, long toBeHeld) {
        return log.isWorthGivingAhead(header)
                && stateToSend == null
                && !endDue
                && !heldDue
                && !hasUnsentDeterminants()
                && log.isAtEnd()
                && (toBeHeld <= dependsBelow || outcomes.mayLeave(peerRank, toBeHeld));
    }

    private static @Nullable LoggedPayload offerAhead(Endpoint wire, FrameHeader header, PayloadSource payload) {
        LoggedPayload ahead = new LoggedPayload(payload);
        return wire.offer(header, ahead) == Offer.ACCEPTED ? ahead : null;
    }

    /** Gives the transport what it has room for; whether it took anything. */
    boolean pump() {
        Endpoint wire = transport;
        if (wire == null || closed || unreadable) {
            return false;
        }
        boolean any = false;
        byte[] state = stateToSend;
        if (state != null) {
            if (!sendState(wire, state)) {
                return false;
            }
            stateToSend = null;
            endDue = true;
            any = true;
        }
        while (isHolder && outcomes.haveUnsent(peerRank)) {
            DeterminantRun run = outcomes.unsent(peerRank);
            if (!sendBetweenLogs(wire, FrameKind.DETERMINANTS, 0, run.encode())) {
                return any;
            }
            outcomes.sent(peerRank, run);
            any = true;
        }
        if (heldDue) {
            if (!sendBetweenLogs(wire, FrameKind.DETERMINANTS_HELD, held.end(), NO_BYTES)) {
                return any;
            }
            heldDue = false;
            any = true;
        }
        while (!log.isAtEnd() || endDue) {
            if (endDue && log.isRefilled() && hasComeAgain() && isBack.getAsBoolean()) {
                if (!sendState(wire, NO_BYTES)) {
                    break;
                }
                endDue = false;
                any = true;
                continue;
            }
            if (dependsOnWhatIsNotHeld()) {
                sendDeterminants.run();
                break;
            }
            PayloadSource payload;
            try {
                if (!log.next(outgoing)) {
                    break;
                }
                payload = outgoing.payloadBytes == 0 ? NOTHING : log.payload(outgoing);
            } catch (IOException e) {
                listener.diverged("rank " + worldRank + " cannot read back what it has sent: " + e.getMessage());
                unreadable = true;
                return any;
            }
            Offer offer = wire.offer(outgoing, payload);
            if (offer != Offer.ACCEPTED) {
                if (outgoing.payloadBytes > 0) {
                    payload.released();
                }
                refused(offer);
                break;
            }
            log.given(outgoing);
            any = true;
        }
        return any;
    }

    /**
     * Whether all that the peer's earlier life had sent has come again and was the same; so nothing is half here: no image could
     * have a frame whose rest comes from its first byte on.
     */
    private boolean hasComeAgain() {
        return againDue == 0 || !rules.hold(LogRule.COMPARE_BEFORE_CAUGHT_UP);
    }

    /**
     * Whether the next frame would tell what is not certain yet. A holder itself gets determinants on the same way and before
     * what depends on them.
     */
    private boolean dependsOnWhatIsNotHeld() {
        while (!dependences.isEmpty() && dependences.getFirst().position <= log.cursor()) {
            if (!outcomes.mayLeave(peerRank, dependences.getFirst().determinant)) {
                return true;
            }
            dependences.removeFirst();
        }
        return false;
    }

    private boolean sendState(Endpoint wire, byte[] state) {
        return sendBetweenLogs(wire, FrameKind.STATE, 0, state);
    }

    private boolean sendBetweenLogs(Endpoint wire, FrameKind kind, long number, byte[] state) {
        FrameHeader header = new FrameHeader();
        header.kind = kind;
        header.sourceRank = worldRank;
        header.messageId = number;
        header.payloadBytes = state.length;
        header.messageBytes = state.length;
        Offer offer = wire.offer(header, new PayloadSource() {
            @Override
            public void read(long positionBytes, MemorySegment to, long targetOffset, int lengthBytes) {
                MemorySegment.copy(state, (int) positionBytes, to, ValueLayout.JAVA_BYTE, targetOffset, lengthBytes);
            }

            @Override
            public void released() {
                // nobody waits for it
            }
        });
        refused(offer);
        return offer == Offer.ACCEPTED;
    }

    private void refused(Offer offer) {
        if (offer == Offer.CLOSED) {
            closed = true;
            if (isHolder) {
                outcomes.holders().isGone(peerRank);
            }
        }
    }

    /** Whether the transport has yet to take something. */
    boolean isBacklogged() {
        return !closed && (stateToSend != null || endDue || heldDue || !log.isAtEnd() || hasUnsentDeterminants());
    }

    boolean hasUnsentDeterminants() {
        return isHolder && outcomes.haveUnsent(peerRank);
    }

    @Override
    public int copiedPayloadLimitBytes() {
        Endpoint wire = transport;
        return wire == null ? 0 : logging ? Integer.MAX_VALUE : wire.copiedPayloadLimitBytes();
    }

    // ---------------------------------------------------------------- in

    PayloadSink onFrame(FrameHeader header) {
        if (!remembering && !isBetweenLogs(header.kind)) {
            fate = Fate.PASS;
            PayloadSink sink = engine.onFrame(peerRank, header);
            target = sink;
            return sink;
        }
        fate = fateOf(header);
        target = switch (fate) {
            case PASS, NEW -> engine.onFrame(peerRank, header);
            case GO_ON -> takeInterrupted(header);
            case HOLD -> hold(header);
            case STATE -> new StateSink((int) header.payloadBytes);
            case AGAIN, DROP -> NOWHERE;
        };
        arriving.set(header);
        inPayload = header.payloadBytes > 0;
        // where this rank has said that nobody goes back alone, nothing is compared either
        comparable = fate != Fate.NEW || !pace.isGivenUp(peerMarker);
        hash.begin();
        return this;
    }

    private static boolean isBetweenLogs(FrameKind kind) {
        return kind == FrameKind.STATE || kind == FrameKind.DETERMINANTS || kind == FrameKind.DETERMINANTS_HELD;
    }

    private Fate fateOf(FrameHeader header) {
        return switch (header.kind) {
            case EAGER, EAGER_SYNC, RTS -> {
                if (isInterrupted(header)) {
                    yield Fate.GO_ON;
                }
                if (history.knows(header.contextId, header.messageId) && rules.hold(LogRule.DROP_WHAT_COMES_AGAIN)) {
                    yield Fate.AGAIN;
                }
                if (!history.isNext(header.contextId, header.messageId)) {
                    listener.diverged("rank " + peerRank + " has left out what comes before: " + header);
                    yield Fate.DROP;
                }
                yield Fate.NEW;
            }
            case DATA -> {
                if (isInterrupted(header)) {
                    yield Fate.GO_ON;
                }
                if (awaitsOperations) {
                    yield Fate.NEW;
                }
                long token = view.receiveToken(peerRank, header.contextId, header.messageId);
                if (token != 0) {
                    if (rules.hold(LogRule.NAME_OPERATIONS_ANEW)) {
                        header.receiverToken = token;
                    }
                    yield Fate.NEW;
                }
                yield view.isAnnounced(peerRank, header.contextId, header.messageId)
                                && rules.hold(LogRule.HOLD_EARLY_ANSWERS)
                        ? Fate.HOLD
                        : Fate.AGAIN;
            }
            case CTS, SYNC_ACK -> {
                if (awaitsOperations) {
                    yield Fate.PASS;
                }
                long token = view.sendToken(peerRank, header.contextId, header.messageId);
                if (token != 0) {
                    if (rules.hold(LogRule.NAME_OPERATIONS_ANEW)) {
                        header.senderToken = token;
                    }
                    yield Fate.PASS;
                }
                yield view.hasStarted(peerRank, header.contextId, header.messageId)
                                || !rules.hold(LogRule.HOLD_EARLY_ANSWERS)
                        ? Fate.DROP
                        : Fate.HOLD;
            }
            case STATE, DETERMINANTS, DETERMINANTS_HELD -> Fate.STATE;
            case FINALIZED -> {
                // it has got all that this rank's earlier life has sent, but not what this one has yet to send again
                farewellHeld = !hasCaughtUp() && rules.hold(LogRule.HOLD_FAREWELL);
                yield farewellHeld ? Fate.DROP : Fate.PASS;
            }
            case CANCEL_SEND, CANCEL_REPLY, MARKER, EPOCH_ABORT, EPOCH_WANTED, BYE -> Fate.PASS;
        };
    }

    private boolean isInterrupted(FrameHeader header) {
        for (Interrupted each : interrupted) {
            if (isSame(each.header, header)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSame(FrameHeader a, FrameHeader b) {
        return (a.kind == FrameKind.DATA) == (b.kind == FrameKind.DATA)
                && a.contextId == b.contextId
                && a.messageId == b.messageId;
    }

    private PayloadSink takeInterrupted(FrameHeader header) {
        for (Iterator<Interrupted> each = interrupted.iterator(); each.hasNext(); ) {
            Interrupted half = each.next();
            if (isSame(half.header, header)) {
                each.remove();
                if (half.header.payloadBytes != header.payloadBytes) {
                    listener.diverged("rank " + peerRank + " sends another length than before: " + header);
                    return NOWHERE;
                }
                // the engine knows it by its first header
                header.receiverToken = half.header.receiverToken;
                return half.target;
            }
        }
        throw new IllegalStateException("no half of this frame is here: " + header);
    }

    private PayloadSink hold(FrameHeader header) {
        FrameHeader kept = new FrameHeader();
        kept.set(header);
        MemorySegment payload = MemorySegment.ofArray(new byte[Math.toIntExact(header.payloadBytes)]);
        Early frame = new Early(kept, payload);
        early.addLast(frame);
        return (position, source, sourceOffset, length) -> Bytes.copy(source, sourceOffset, payload, position, length);
    }

    @Override
    public void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
        if (comparable) {
            long began = pace.begin(lengthBytes);
            hash.update(positionBytes, source, sourceOffset, lengthBytes);
            pace.hashed(lengthBytes, began);
        }
        target.write(positionBytes, source, sourceOffset, lengthBytes);
    }

    void onFrameComplete(FrameHeader header, PayloadSink sink) {
        inPayload = false;
        if (!sink.equals(this)) {
            engine.onFrameComplete(peerRank, header, sink);
            if (header.kind == FrameKind.MARKER) {
                remembering = true;
                marker((int) header.messageId);
            }
            return;
        }
        switch (fate) {
            case PASS -> {
                if (header.kind == FrameKind.MARKER) {
                    marker((int) header.messageId);
                }
                engine.onFrameComplete(peerRank, header, target);
            }
            case NEW, GO_ON -> {
                againDue -= fate == Fate.GO_ON ? 1 : 0;
                remember(header);
                engine.onFrameComplete(peerRank, header, target);
            }
            case AGAIN -> compare(header);
            case HOLD -> answersDue = true;
            case STATE -> readBetweenLogs(header, ((StateSink) target).bytes);
            case DROP -> {}
        }
    }

    private void marker(int epoch) {
        peerMarker = epoch;
        history.marker(epoch);
    }

    private void remember(FrameHeader header) {
        if (header.kind == FrameKind.DATA) {
            history.addData(header.contextId, header.messageId, hash.of(header));
        } else if (history.isNext(header.contextId, header.messageId)) {
            history.add(header.contextId, header.messageId, hash.of(header));
        }
    }

    private void compare(FrameHeader header) {
        long now = hash.of(header);
        boolean same = header.kind == FrameKind.DATA
                ? history.isSameData(header.contextId, header.messageId, now)
                : history.isSame(header.contextId, header.messageId, now);
        if (same || !rules.hold(LogRule.COMPARE_HASHES)) {
            againDue--;
        } else {
            listener.diverged("rank " + peerRank + " has sent another message to rank " + worldRank
                    + " than before it went back: " + header);
        }
    }

    /** Delivers what came too early and is due now; inside a poll. Whether there was anything. */
    boolean deliverEarly() {
        if (inPayload) {
            return false;
        }
        boolean any = answersDue && deliverAnswers();
        if (farewellHeld && hasCaughtUp()) {
            farewellHeld = false;
            any = true;
            FrameHeader farewell = new FrameHeader();
            farewell.kind = FrameKind.FINALIZED;
            farewell.sourceRank = peerRank;
            engine.onFrameComplete(peerRank, farewell, engine.onFrame(peerRank, farewell));
        }
        return any;
    }

    private boolean deliverAnswers() {
        answersDue = false;
        boolean any = false;
        for (Iterator<Early> each = early.iterator(); each.hasNext(); ) {
            Early frame = each.next();
            FrameHeader header = frame.header;
            boolean data = header.kind == FrameKind.DATA;
            long token = data
                    ? view.receiveToken(peerRank, header.contextId, header.messageId)
                    : view.sendToken(peerRank, header.contextId, header.messageId);
            if (token == 0) {
                continue;
            }
            each.remove();
            any = true;
            if (data) {
                header.receiverToken = token;
            } else {
                header.senderToken = token;
            }
            PayloadSink sink = engine.onFrame(peerRank, header);
            int length = (int) header.payloadBytes;
            hash.begin();
            if (length > 0) {
                hash.update(0, frame.payload, 0, length);
                sink.write(0, frame.payload, 0, length);
            }
            if (data) {
                remember(header);
            }
            engine.onFrameComplete(peerRank, header, sink);
        }
        return any;
    }

    /** Whether all has come again that the peer had sent to this rank's earlier life, and the peer has seen all that this one owes. */
    boolean isRefilled() {
        return !awaitsEnd;
    }

    boolean hasAnswersDue() {
        return answersDue;
    }

    // ---------------------------------------------------------------- ranks that go back

    /** An epoch is committed. */
    void committed(int epoch) {
        if (rules.hold(LogRule.TRIM_AT_COMMIT)) {
            log.committed(epoch);
        }
        history.committed(epoch);
    }

    /**
     * The peer has died and goes back to an epoch alone: the channel begins anew, with what this rank has of it and then
     * all that was sent behind the marker.
     *
     * @param alsoThisRank it has gone back, too, and not caught up yet: what it awaits of the peer, the next process has to say
     * @return false if the log does not reach so far back
     */
    boolean peerGoesBack(int epoch, Endpoint anew, boolean alsoThisRank) {
        if (inPayload && (fate == Fate.NEW || fate == Fate.GO_ON)) {
            FrameHeader header = new FrameHeader();
            header.set(arriving);
            if (rules.hold(LogRule.HALF_HERE_GOES_ON)) {
                interrupted.add(new Interrupted(header, target));
            }
        }
        inPayload = false;
        early.clear();
        answersDue = false;
        farewellHeld = false;
        endDue = false;
        heldDue = false;
        if (isHolder) {
            outcomes.holderBeginsAnew(peerRank);
        }
        if (alsoThisRank) {
            awaitState();
        }
        againDue = history.countSince(epoch) + interrupted.size();
        closed = false;
        unreadable = false;
        transport = anew;
        stateToSend = state(epoch, alsoThisRank).encode();
        if (!rules.hold(LogRule.REFILL)) {
            return true;
        }
        return log.rewind(epoch, rules.hold(LogRule.SKIP_OLD_MARKERS));
    }

    /** What comes from here on is behind the cut that this rank begins from. */
    void remember() {
        remembering = true;
        awaitsOperations = true;
    }

    /** The engine can be asked for its operations. */
    void stateIsHere() {
        awaitsOperations = false;
    }

    /** This rank has gone back to an epoch: what it sends from here on is logged. */
    void adopted(int epoch, boolean alone) {
        if (rules.hold(LogRule.LOG_FROM_IMAGE)) {
            begin(epoch);
        }
        if (alone) {
            awaitState();
            stateToSend = state(epoch, true).encode();
        }
    }

    private void awaitState() {
        awaitsState = true;
        awaitsEnd = true;
        awaited = null;
        dataOwed = Set.of();
    }

    /** What is half here was sent by the peer's earlier life, too. */
    private PeerState state(int sinceEpoch, boolean goesBack) {
        PeerState state = PeerState.of(view.latestEpoch(), goesBack, sinceEpoch, history, held);
        for (Interrupted half : interrupted) {
            FrameHeader header = half.header;
            if (header.kind == FrameKind.DATA) {
                state.data().add(new MessageHistory.Data(header.contextId, header.messageId));
            } else {
                state.highest().add(new PeerState.Highest(header.contextId, header.messageId));
            }
        }
        return state;
    }

    /** What the peer had of this rank's earlier life. */
    private void told(PeerState state) {
        if (awaitsState) {
            awaitsState = false;
            awaited = state;
            dataOwed = new HashSet<>(state.data());
            if (rules.hold(LogRule.EARLY_DATA_IS_NOT_OWED)) {
                dataOwed.removeAll(dataSentEarly);
            }
            dataSentEarly.clear();
            if (isHolder && outcomes.told(peerRank, state.determinants())) {
                view.outcomesAreKnown();
            }
        }
    }

    private void readBetweenLogs(FrameHeader header, byte[] bytes) {
        switch (header.kind) {
            case DETERMINANTS -> {
                held.take(DeterminantRun.decode(bytes));
                heldDue = true;
            }
            case DETERMINANTS_HELD -> outcomes.holders().heldUpTo(peerRank, header.messageId);
            default -> {
                if (bytes.length == 0) {
                    awaitsEnd = false;
                } else {
                    told(PeerState.decode(bytes));
                }
            }
        }
    }

    /** Whether this rank has sent again all that the peer had of it, and has heard all answers. */
    private boolean hasCaughtUp() {
        return !awaitsEnd && hasSentAgain();
    }

    /** The same, but that a peer that goes back, too, may have something left to send again. */
    boolean isBack() {
        PeerState state = awaited;
        return hasSentAgain() && (!awaitsEnd || (state != null && state.goesBack()));
    }

    private boolean hasSentAgain() {
        PeerState state = awaited;
        if (awaitsState || !early.isEmpty() || !dataOwed.isEmpty() || outcomes.areAwaited()) {
            return false;
        }
        if (state != null) {
            for (PeerState.Highest each : state.highest()) {
                if (!view.hasStarted(peerRank, each.contextId(), each.messageId())) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The highest epoch that the peer has heard of, if nothing of it is awaited any more; −1 if something is. */
    int caughtUpAtEpoch() {
        PeerState state = awaited;
        return state == null || farewellHeld || !hasCaughtUp() ? -1 : Math.max(0, state.latestEpoch());
    }

    /** Takes what the other end tells of itself. */
    private static final class StateSink implements PayloadSink {
        private final byte[] bytes;

        StateSink(int length) {
            bytes = new byte[length];
        }

        @Override
        public void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
            MemorySegment.copy(source, ValueLayout.JAVA_BYTE, sourceOffset, bytes, (int) positionBytes, lengthBytes);
        }
    }
}
