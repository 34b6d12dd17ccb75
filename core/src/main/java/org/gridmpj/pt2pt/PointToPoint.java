package org.gridmpj.pt2pt;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.gridmpj.datatype.RowsAhead;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.OutOfReach;
import org.gridmpj.job.RankTable;
import org.gridmpj.snapshot.CutCopy;
import org.gridmpj.snapshot.CutListener;
import org.gridmpj.snapshot.Departure;
import org.gridmpj.snapshot.StackCapture;
import org.gridmpj.snapshot.TokenBinder;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.log.HolderAssignment;
import org.gridmpj.transport.log.LogMemory;
import org.gridmpj.transport.log.LogRules;
import org.gridmpj.transport.log.LoggedTransport;
import org.gridmpj.transport.log.RecoveryListener;
import org.jspecify.annotations.Nullable;

/**
 * Point-to-point operations in world ranks: what communicators and collectives are built on. Thread-safe
 * (MPI_THREAD_MULTIPLE). PROC_NULL never arrives here.
 *
 * <p>A blocking call is start + wait; start happens exactly once.
 *
 * <pre>
 *   PointToPoint ──▶ SendSide ────▶ FrameOutlet ──▶ Endpoint        user threads, under the progress lock
 *        │       └─▶ ReceiveSide ◀─ FrameDispatch ◀── Transport     inside poll
 *        │               └── MatchingEngine
 *        ├─▶ ProgressEngine (lock, poller role, waiting, schedules)
 *        ├─▶ Initiation, Completion, MessageProbe (stages of an operation), with OperationRecords
 *        ├─▶ EpochCut, ChannelCut, JournaledCalls (snapshots)
 *        └─▶ Membership (transport, goodbyes)
 * </pre>
 */
public final class PointToPoint {
    /** Any source. */
    public static final int ANY_SOURCE = -2;

    /** Any tag. */
    public static final int ANY_TAG = -2;

    /** Room that each buffered send takes beside its data (MPI_BSEND_OVERHEAD). */
    public static final int BUFFERED_SEND_OVERHEAD_BYTES = BufferedSendSpace.OVERHEAD_BYTES;

    /** In a journal: a send that has left. */
    private static final SendMode LEFT = SendMode.STANDARD;

    private final int worldRank;
    private final Peer[] peers;
    private final ProgressEngine progress;
    private final ProgressLock lock;
    private final SendSide sends;
    private final FrameDispatch dispatch;
    private final OperationRecords records;
    private final RowsAhead ahead;
    private final boolean arraysInPlace;
    private final Initiation initiation;
    private final Completion completion;
    private final DirectMessages direct;
    private final MessageProbe probe;
    private final JournaledCalls journaled;
    private final Membership membership;
    private final BesideChannels beside;
    private final ChannelCut cut;
    private final MarkerGate gate;
    private final EpochCut epochCut;
    private final CutRules rules;
    private final OperationsByMessage byMessage;
    private final Chances chances;
    private final Function<LoggedTransport, EngineLogs> connectLogs;
    /** Between engine and transport when ranks may go back alone; set before {@link #connect}. */
    private @Nullable EngineLogs logs;

    /** The engine of a rank; {@link #connect} gives it its transport. */
    public PointToPoint(int worldRank, int worldSize, PointToPointConfig config) {
        this(worldRank, worldSize, config, CutRules.ALL);
    }

    /** For the test that leaves out a rule of the cut. */
    PointToPoint(int worldRank, int worldSize, PointToPointConfig config, CutRules rules) {
        this.rules = rules;
        this.worldRank = worldRank;
        this.peers = new Peer[worldSize];
        for (int rank = 0; rank < worldSize; rank++) {
            peers[rank] = new Peer(rank);
        }
        FrameOutlet outlet = new FrameOutlet();
        ahead = new RowsAhead();
        arraysInPlace = config.arraysInPlace();
        MatchingEngine matching = new MatchingEngine();
        gate = new MarkerGate(config.holdBudgetBytes(), peers, worldRank, rules);
        progress = new ProgressEngine(config, outlet, gate::isFull, ahead);
        lock = progress.lock;
        OperationTable table = new OperationTable();
        ActiveOperations operations = new ActiveOperations(table, progress);
        progress.attendTo(() -> !operations.isEmpty(), operations::isAnyLong);
        UnexpectedPool unexpectedPool = new UnexpectedPool();
        SelfDelivery self = new SelfDelivery(worldRank, matching, unexpectedPool, operations, progress);
        sends = new SendSide(peers, worldRank, outlet, table, operations, matching, self);
        ReceiveSide receives =
                new ReceiveSide(peers, worldRank, outlet, table, operations, matching, unexpectedPool, self, progress);
        PeerDeparture departure = new PeerDeparture(outlet, matching, operations, sends, progress);
        progress.onClosed(peer -> departure.peerLost(peer, SendSide.goneFor(peer, null)));
        dispatch = new FrameDispatch(peers, sends, receives, gate, progress, departure);
        records = new OperationRecords(lock, sends, ahead);
        initiation = new Initiation(progress, sends, receives, config.recordOrigins());
        completion = new Completion(progress, operations);
        direct = new DirectMessages(
                peers, worldRank, outlet, matching, operations, gate, progress, initiation, rules, config);
        probe = new MessageProbe(peers, matching, receives, initiation, progress);
        journaled = new JournaledCalls(initiation);
        cut = new ChannelCut(
                worldRank, peers, outlet, matching, unexpectedPool, operations, receives, gate, dispatch, progress);
        EngineImage image = new EngineImage(
                worldRank, peers, matching, unexpectedPool, table, operations, sends, progress, journaled, rules);
        epochCut = new EpochCut(worldRank, config, peers, outlet, gate, dispatch, image, progress, rules);
        dispatch.cutBy(epochCut);
        byMessage = new OperationsByMessage(peers, operations, matching, epochCut, () -> {
            receives.matchWhatIsHere();
            for (Peer peer : peers) {
                if (peer.finalized) {
                    departure.peerFinalized(peer);
                }
            }
        });
        chances = new Chances(epochCut);
        matching.onWildcard(chances);
        epochCut.onChance(matching::awaitsAnySource, chances);
        receives.onWildcard(chances);
        connectLogs = transport -> {
            dispatch.nameAnew(byMessage);
            if (worldSize > 1) {
                AnySource anySource = new AnySource(transport.outcomes());
                matching.record(anySource);
                receives.record(anySource);
                Polls polls = new Polls(transport.outcomes(), progress, chances);
                probe.record(anySource, polls);
                initiation.record(polls);
                departure.record(anySource);
                image.record(transport.outcomes());
                completion.record(new Choices(transport.outcomes(), progress), polls);
                chances.outcomesAreRecorded();
            }
            return new EngineLogs(transport, epochCut, chances, matching, progress, config.nanoClock());
        };
        membership = new Membership(
                worldRank, peers, outlet, epochCut, progress, config.eagerLimitBytes(), config.nanoClock());
        beside = new BesideChannels(peers, membership, progress, initiation, epochCut, rules);
    }

    // ---------------------------------------------------------------- life

    /** Where a transport delivers frames; handed to it when it is opened. */
    public FrameSink frameSink() {
        EngineLogs logging = logs;
        return logging == null ? dispatch : logging.frameSink();
    }

    /**
     * Before {@link #frameSink}: messages are logged, so that one rank alone can go back to a snapshot while others run on.
     *
     * @param chanceListener hears of the first event in each epoch whose outcome depends on time
     */
    public void logMessages(
            LogMemory memory,
            HolderAssignment holders,
            RecoveryListener listener,
            ChanceListener chanceListener,
            LogRules logRules) {
        logs = connectLogs.apply(
                new LoggedTransport(worldRank, dispatch, byMessage, listener, memory, holders, logRules));
        chances.tell(chanceListener);
        direct.close();
    }

    /**
     * Whether a rank may go back alone: what it had received then comes again at once, also what others have sent only because
     * they had something of it.
     */
    public boolean mayReturnAlone() {
        return logs != null;
    }

    /**
     * Whether what operations of any source got is held elsewhere, too: before that nothing may be shown that a rank which goes
     * back alone might do otherwise. True where none goes back alone.
     */
    public boolean areOutcomesHeld() {
        EngineLogs logging = logs;
        return logging == null || logging.areOutcomesHeld();
    }

    /** Waits for that. Before anything is shown. */
    public void awaitOutcomesHeld() {
        EngineLogs logging = logs;
        if (logging != null) {
            logging.awaitOutcomesHeld();
        }
    }

    /** The process ends without MPI.Finalize: what was sent and is held back until outcomes are held elsewhere leaves before. */
    public void letGoOfHeld() {
        EngineLogs logging = logs;
        if (logging != null) {
            logging.letGoOfHeld();
        }
    }

    /** Peers that have had no link for long. */
    public List<OutOfReach> outOfReach() {
        return membership.outOfReach();
    }

    /** How many outcomes of this rank are held elsewhere, so that it alone can go back to its last committed cut. */
    public long heldOutcomes() {
        EngineLogs logging = logs;
        return logging == null ? 0 : logging.heldDeterminants();
    }

    private Transport logged(Transport bound) {
        EngineLogs logging = logs;
        return logging == null ? bound : logging.over(bound);
    }

    /** Connects a bound transport with all peers and begins to make progress. */
    public void connect(Transport bound, RankTable table, Duration timeout) {
        membership.connect(logged(bound), table, timeout);
    }

    /**
     * As {@link #connect(Transport, RankTable, Duration)} for a process that is to take over this rank from another one: the
     * peers are linked when a later table has named this process.
     */
    public void arrive(Transport bound, RankTable table) {
        membership.arrive(logged(bound), table);
    }

    /** A later IP table: some rank has moved or was started anew. */
    public void update(RankTable table) {
        membership.update(table);
    }

    /**
     * Tells all ranks that this one has finalized, waits until they have, and drains the transport. Progress is
     * made all the while, so that what others still need of this rank is done.
     *
     * @return whether all that was accepted has reached its peer
     */
    public boolean goodbye(Duration drainTimeout) {
        return membership.goodbye(journal(), drainTimeout);
    }

    /** Ends progress and closes the transport, whatever is under way. */
    public void close() {
        membership.close();
    }

    // ---------------------------------------------------------------- blocking operations

    /** Blocking send; tags are checked by the caller. */
    public void send(
            SendMode mode,
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type,
            int destination,
            long contextId,
            int tag) {
        CallJournal journal = journal();
        Object begun = journal == null ? null : journal.replay();
        if (begun instanceof SendMode
                || (begun == null
                        && wentDirect(
                                direct.send(mode, array, offset, count, type, destination, contextId, tag),
                                journal,
                                LEFT))) {
            return;
        }
        OperationRecord send = (OperationRecord) begun;
        if (send == null) {
            send = records.borrow();
            send.describeSend(mode, array, offset, count, type, destination, contextId, tag);
            try {
                send.attachedBuffer().forSend(array, offset, count, type);
                initiation.start(send);
            } catch (RuntimeException | Error e) {
                records.giveBack(send);
                throw e;
            }
            OperationRecords.lend(send, journal);
        }
        if (!send.isComplete()) {
            progress.await(send, false);
        }
        MpiFailure failure = send.rawStatus().failure;
        if (journal == null) {
            records.giveBack(send);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Tells a call's journal of a step that was done without an operation; whether it was. */
    private boolean wentDirect(boolean done, @Nullable CallJournal journal, Object step) {
        if (done && journal != null && rules.hold(CutRule.KEEP_DIRECT)) {
            journal.record(step);
        }
        return done;
    }

    /** Blocking receive into status, which nobody writes to until the program's call is over. */
    public void receive(
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type,
            int source,
            long contextId,
            int tag,
            boolean matchType,
            MessageStatus status) {
        CallJournal journal = journal();
        Object begun = journal == null ? null : journal.replay();
        if (begun instanceof MessageStatus received) {
            status.set(received);
            return;
        }
        if (begun == null
                && wentDirect(
                        direct.receive(array, offset, count, type, source, contextId, tag, matchType, status),
                        journal,
                        status)) {
            return;
        }
        OperationRecord receive = (OperationRecord) begun;
        if (receive == null) {
            receive = records.borrow();
            receive.describeReceive(array, offset, count, type, source, contextId, tag, matchType);
            try {
                receive.attachedBuffer().forReceive(array, offset, count, type, arraysInPlace);
                initiation.start(receive);
            } catch (RuntimeException | Error e) {
                records.giveBack(receive);
                throw e;
            }
            OperationRecords.lend(receive, journal);
        }
        if (!receive.isComplete()) {
            progress.await(receive, false);
        }
        receive.finish();
        status.set(receive.rawStatus());
        if (journal == null) {
            records.giveBack(receive);
        }
        if (status.failure != null) {
            throw status.failure;
        }
    }

    // ---------------------------------------------------------------- nonblocking and persistent operations

    /** Nonblocking send. */
    public Request isend(
            SendMode mode,
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type,
            int destination,
            long contextId,
            int tag) {
        CallJournal journal = journal();
        Object begun = journal == null ? null : journal.replay();
        if (begun != null) {
            return (Request) begun;
        }
        OperationRecord send = records.fresh();
        send.describeSend(mode, array, offset, count, type, destination, contextId, tag);
        initiation.startNonblocking(send);
        if (journal != null) {
            journal.record(send);
        }
        return send;
    }

    /** Nonblocking receive; matchType: the datatype must match too (MPJ of 2005). */
    public Request ireceive(
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type,
            int source,
            long contextId,
            int tag,
            boolean matchType) {
        return ireceive(array, offset, count, type, source, contextId, tag, matchType, true);
    }

    /** As the other, into what may be sent meanwhile: then mayFill is false, and arrays that lie there are not touched. */
    public Request ireceive(
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type,
            int source,
            long contextId,
            int tag,
            boolean matchType,
            boolean mayFill) {
        CallJournal journal = journal();
        Object begun = journal == null ? null : journal.replay();
        if (begun != null) {
            return (Request) begun;
        }
        OperationRecord receive = records.fresh();
        receive.describeReceive(array, offset, count, type, source, contextId, tag, matchType);
        receive.inPlace = mayFill && arraysInPlace;
        initiation.startNonblocking(receive);
        if (journal != null) {
            journal.record(receive);
        }
        return receive;
    }

    /**
     * A send of a schedule that is being advanced, under the lock; no call of the program's.
     *
     * @param earlier what the same step has started before, to be used again once it is complete; null the first time
     */
    public Request sendStep(
            @Nullable Request earlier,
            Object array,
            int offset,
            int count,
            TypeMap type,
            int destination,
            long contextId,
            int tag) {
        OperationRecord send = records.again(earlier);
        send.describeSend(SendMode.STANDARD, array, offset, count, type, destination, contextId, tag);
        initiation.startNonblocking(send);
        return send;
    }

    /** A receive of a schedule, as {@link #sendStep}. */
    public Request receiveStep(
            @Nullable Request earlier,
            Object array,
            int offset,
            int count,
            TypeMap type,
            int source,
            long contextId,
            int tag) {
        OperationRecord receive = records.again(earlier);
        receive.describeReceive(array, offset, count, type, source, contextId, tag, false);
        initiation.startNonblocking(receive);
        return receive;
    }

    /** Lets a complete step's operation forget the program's array. */
    public void release(@Nullable Request step) {
        if (step instanceof OperationRecord record) {
            record.array = null;
        }
    }

    /** An inactive persistent send. */
    public Request sendInit(
            SendMode mode,
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type,
            int destination,
            long contextId,
            int tag) {
        OperationRecord send = records.fresh();
        send.describeSend(mode, array, offset, count, type, destination, contextId, tag);
        send.persistent = true;
        return send;
    }

    /** An inactive persistent receive. */
    public Request receiveInit(
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type,
            int source,
            long contextId,
            int tag,
            boolean matchType) {
        OperationRecord receive = records.fresh();
        receive.describeReceive(array, offset, count, type, source, contextId, tag, matchType);
        receive.inPlace = arraysInPlace;
        receive.persistent = true;
        return receive;
    }

    /** Starts an inactive persistent request. */
    public void start(Request request) {
        initiation.startPersistent(request);
    }

    // ---------------------------------------------------------------- probe

    /**
     * What could be received now, or null; a call that finds nothing allocates nothing.
     *
     * @throws MpiFailure if none will ever be, because the source has failed or the engine is closed. A source that has
     *     finalized is no error: a program may look for late messages
     */
    public @Nullable MessageStatus iprobe(int source, long contextId, int tag) {
        poll("a message was looked for (Iprobe)");
        return probe.iprobe(source, contextId, tag);
    }

    /** Blocks until a message could be received. */
    public void probe(int source, long contextId, int tag, MessageStatus status) {
        probe.probe(source, contextId, tag, status);
    }

    // ---------------------------------------------------------------- completion

    /** Blocks until complete; rethrows the failure of the operation. */
    public void await(Request request) {
        completion.await(request);
    }

    /** One round of progress; whether complete. Rethrows the failure of the operation. */
    public boolean test(Request request) {
        poll("a request was tested (Test)");
        return completion.test(request);
    }

    /** One round of progress. */
    public void poll() {
        progress.roundOfTest();
    }

    /**
     * Blocks until one of the active requests is complete; its index, or −1 if none is active. Nulls are skipped. A failure
     * stays in the request's status.
     */
    public int awaitAny(@Nullable Request[] requests) {
        chances.metUnlessRecorded("the first of several requests was waited for (Waitany)");
        return completion.awaitAny(requests);
    }

    /** As awaitAny without blocking; −1 if none is complete or active. */
    public int testAny(@Nullable Request[] requests) {
        poll("requests were tested (Testany)");
        return completion.testAny(requests);
    }

    /**
     * Blocks until at least one active request is complete, and completes all that are (MPI_Waitsome).
     *
     * @param indices receives the indices of those completed; as long as requests
     * @return how many, or −1 if none is active
     */
    public int awaitSome(@Nullable Request[] requests, int[] indices) {
        chances.metUnlessRecorded("some of several requests were waited for (Waitsome)");
        return completion.awaitSome(requests, indices);
    }

    /** As awaitSome without blocking; −1 if none is active, 0 if none is complete. */
    public int testSome(@Nullable Request[] requests, int[] indices) {
        poll("requests were tested (Testsome)");
        return completion.testSome(requests, indices);
    }

    /** Blocks until all requests are complete; failures stay in the statuses. Nulls are skipped. */
    public void awaitAll(@Nullable Request[] requests) {
        completion.awaitAll(requests);
    }

    /** Completes all requests if all are complete, else none (MPI_Testall); failures stay in the statuses. */
    public boolean testAll(@Nullable Request[] requests) {
        poll("requests were tested (Testall)");
        return completion.testAll(requests);
    }

    /** Cancels if not yet matched (MPI standard, 3.8.4); the request must still be completed. */
    public void cancel(Request request) {
        poll("a request was cancelled");
        initiation.cancel(request);
    }

    /** A call begins whose answer depends on time. */
    private void poll(String what) {
        if (logs != null) {
            chances.metUnlessRecorded(what);
            journaled.poll();
        }
    }

    /** Frees an operation at its completion (MPI_Request_free). */
    public void free(Request request) {
        completion.free(request);
    }

    // ---------------------------------------------------------------- buffered mode

    /** Gives room for buffered sends. */
    public void attachBuffer(int bytes) {
        initiation.attachBuffer(bytes);
    }

    /** Blocks until all buffered sends have left; the size attached. */
    public int detachBuffer() {
        return initiation.detachBuffer();
    }

    // ---------------------------------------------------------------- collectives

    /** Registers an operation that the progress engine is to advance (a collective schedule). */
    public void startSchedule(Request schedule) {
        initiation.startSchedule(schedule);
    }

    /** What this rank shares with others of its host beside the channels. */
    public BesideChannels besideChannels() {
        return beside;
    }

    // ---------------------------------------------------------------- transparent snapshots

    /**
     * A blocking call of the program begins: it may be captured here, before it has any effect, and from now on where it
     * waits.
     *
     * @return to be closed when the call is over; null when capture is not possible
     */
    public @Nullable CallJournal enter() {
        return journaled.enter();
    }

    /** A blocking call is over. */
    void exit(CallJournal journal) {
        if (journal.exit()) {
            records.giveBackLent(journal);
            journal.forget();
        }
    }

    /** A call of the program that does not block begins: it may be captured here, before it has any effect. */
    public void capturePoint() {
        journaled.point();
    }

    /** The steps of the blocking call that the current thread is in; null if nobody needs them. */
    public @Nullable CallJournal journal() {
        return journaled.inCall();
    }

    /** The same for what a call needs only to keep temporary arrays for its operations. */
    public <T> T keep(Supplier<T> made) {
        return CallJournal.step(rules.hold(CutRule.KEEP_TEMPORARIES) ? journal() : null, made);
    }

    /** For the test that simulates a rank's threads: how one waits while another one polls. */
    void followBy(LongConsumer waiting) {
        progress.followBy(waiting);
    }

    /** Makes calls capture points from now on. */
    public void captureWith(StackCapture capture, CutListener listener) {
        lock.lock();
        try {
            epochCut.enable(listener);
            CapturePoints points = new CapturePoints(this, capture, epochCut, progress, chances, rules);
            progress.captureAt(points);
            journaled.captureAt(points);
        } finally {
            lock.unlock();
        }
    }

    /**
     * For an engine that is to adopt a state: whatever comes is held until then. Before {@link #connect}, behind
     * {@link #logMessages}.
     */
    public void holdUntilAdopted() {
        gate.holdAll();
        EngineLogs logging = logs;
        if (logging != null) {
            logging.remember();
        }
    }

    /** A cut of all ranks is wanted; false if it is too late for this epoch. */
    public boolean requestCut(int epoch) {
        // where one rank may go back alone, markers are what tells: more is not shown to be right there
        return logs == null ? epochCut.requestOfAll(epoch) : epochCut.request(epoch);
    }

    /** The cut of this rank, all program threads being unwound; whether the copy was made. */
    public boolean cut(CutCopy copy) {
        return epochCut.cut(copy);
    }

    /** The copy of a cut for practice; whether it was made. */
    public boolean practise(CutCopy copy) throws IOException {
        return epochCut.practise(copy);
    }

    /** This rank is to leave its process, alone, or is not any more. */
    public void leave(boolean leaving) {
        epochCut.leave(leaving);
    }

    /** Why a rank that is to leave has not done so yet. */
    public String departureObstacle() {
        return epochCut.departureObstacle();
    }

    /** This rank leaves, all program threads being unwound; whether it was to. */
    public boolean depart(Departure departure) {
        return epochCut.depart(departure, membership::freezeChannels);
    }

    /** Takes over what the channels of this rank's earlier process held. Before {@link #adopt}. */
    public void takeOver(Map<String, byte[]> channels) {
        membership.takeOver(channels);
    }

    /** Tries to link peers that do not know this process yet. */
    public void rehearse() {
        membership.rehearse();
    }

    /** Waits until all peers are linked, or the time is over; whether they are. Others make the progress. */
    public boolean awaitLinks(Duration timeout) {
        return membership.awaitLinks(timeout);
    }

    /** Abandons an epoch on all ranks. */
    public void abandonCut(int epoch, String reason) {
        epochCut.abandon(epoch, reason);
    }

    /** Takes over what a {@link CutCopy} was given in another process. */
    public void adopt(Object engineState, byte[] inFlight) {
        epochCut.adopt((EngineState) engineState, inFlight);
        EngineLogs logging = logs;
        if (logging != null) {
            logging.adopted();
        }
    }

    /**
     * The state that is about to be adopted is that of a committed epoch.
     *
     * @param alone whether this rank only goes back, while the others run on
     */
    public void goesBackTo(int epoch, boolean alone) {
        EngineLogs logging = logs;
        chances.wentBackTo(epoch);
        if (logging != null) {
            logging.goesBackTo(epoch, alone);
        }
    }

    /**
     * A peer has died and goes back to a committed epoch alone.
     *
     * @param incarnation of the process that takes its place
     */
    public void peerGoesBack(int peerRank, int incarnation, int epoch) {
        EngineLogs logging = logs;
        if (logging == null) {
            throw new MpiFailure(ErrorClass.INTERN, "rank " + worldRank + " has no logs: no rank can go back alone");
        }
        logging.peerGoesBack(peerRank, incarnation, epoch);
    }

    /** An epoch is committed: what is logged for ranks that go further back is needed no more. */
    public void committed(int epoch) {
        EngineLogs logging = logs;
        if (logging != null) {
            logging.committed(epoch);
        }
    }

    /** Names what the engine's state refers to. */
    public void bindTokens(TokenBinder binder) {
        binder.bind("engine", this);
        binder.bind("engine/sends", sends);
        // each process makes its own
        binder.bind("engine/rows", ahead);
        // what objects are received with
        binder.bind("loader", ClassLoader.getSystemClassLoader());
    }

    // ---------------------------------------------------------------- cooperative snapshots

    /** Operations that forbid a cut, described for people; empty when none is pending. */
    public List<String> pendingOperations() {
        return cut.pendingOperations();
    }

    /**
     * Sends a marker on every channel and waits for those of all peers; what comes behind one is held until
     * {@link #release}.
     *
     * @throws MpiFailure if some rank has abandoned the epoch; held frames are delivered
     */
    public void exchangeMarkers(int epoch) {
        cut.exchangeMarkers(epoch);
    }

    /** Tells all ranks that an epoch is abandoned, and delivers what is held here. */
    public void abandonEpoch(int epoch) {
        cut.abandonEpoch(epoch);
    }

    /**
     * The engine's sections of an image: unexpected messages, counters, and what the channels hold.
     *
     * @throws MpiFailure if a message waits for its receive at the sender: an operation is pending there
     */
    public Map<String, byte[]> freeze() {
        return cut.freeze(membership.transport());
    }

    /**
     * Takes back the sections of {@link #freeze}: its messages stand before all that arrived since. The channels' own
     * sections are not used: a cooperative cut leaves nothing in a channel.
     */
    public void thaw(Map<String, byte[]> sections) {
        cut.thaw(sections);
    }

    /** The cut is made: held frames are delivered in order. */
    public void release() {
        cut.release();
    }

    /** The own rank in COMM_WORLD. */
    public int worldRank() {
        return worldRank;
    }

    /** Number of ranks in COMM_WORLD. */
    public int worldSize() {
        return peers.length;
    }

    /**
     * By world rank: the number of the host that the rank was on when the job began. The same at all ranks at all times, also
     * when ranks have moved since.
     */
    public int[] hosts() {
        return membership.hosts();
    }

    /** Number of calls that made the engine do something: whether the program goes on. */
    public long calls() {
        return initiation.calls();
    }

    /** Whether a thread waits in an MPI call at this moment, for the heartbeat. */
    public boolean isWaiting() {
        return progress.isWaitedFor();
    }
}
