package org.gridmpj.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import org.gridmpj.coll.CollectiveExchange;
import org.gridmpj.coll.SelectionTable;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.CommunicatorCreation;
import org.gridmpj.datatype.SerializationBuffers;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.snapshot.CheckpointHook;
import org.gridmpj.snapshot.SnapshotEngine;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rank: everything that was constructed for it. The facade binds its statics to one; a test may hold several.
 *
 * <pre>
 *   start:     transport bound ─▶ parent told, IP table back ─▶ engine ─▶ pairs connected ─▶ COMM_WORLD ─▶ hook
 *   shutdown:  hook ─▶ goodbye to all and from all ─▶ transport drained and closed
 * </pre>
 */
public final class MpiProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MpiProcess.class);

    /** Taken where nobody names one. */
    private static final String DEFAULT_TRANSPORT = "gridtcp";

    /** System property of a rank that is bound to a share of the processors: how many the job's ranks have together. */
    public static final String CORES_PROPERTY = "gridmpj.cores";

    /** System property: requests remember the line that started them, for messages about pending operations. */
    private static final String ORIGINS_PROPERTY = "gridmpj.request.origins";

    /** System property: receives of objects fill the arrays of primitives that lie in their buffers, where they fit. */
    private static final String IN_PLACE_PROPERTY = "gridmpj.arrays.inplace";

    private final Parent parent;
    private final int worldRank;
    private final Duration drainTimeout;
    private final Transport transport;
    private final PointToPoint pointToPoint;
    private volatile Communicator world;
    private volatile Communicator self;
    private volatile @Nullable FacadeState facade;
    private final SnapshotEngine snapshots;
    private final @Nullable CheckpointHook hook;
    private final AtomicBoolean ended = new AtomicBoolean();

    private MpiProcess(
            RankContext context,
            EngineConfig config,
            Transport transport,
            PointToPoint pointToPoint,
            @Nullable CheckpointHook hook) {
        this.parent = context.parent();
        this.transport = transport;
        this.worldRank = context.worldRank();
        this.drainTimeout = config.drainTimeout();
        this.pointToPoint = pointToPoint;
        this.hook = hook;
        world = Communicator.world(pointToPoint, pointToPoint.worldSize(), worldRank, new CollectiveExchange());
        self = Communicator.self(world);
        snapshots = new RankSnapshots(this, parent, pointToPoint, CommunicatorCreation.dup(world));
    }

    /** Opens the transport that the context names, meets the other ranks and builds COMM_WORLD (MPI_Init). */
    public static MpiProcess start(RankContext context) {
        CheckpointHook hook = context.checkpoint().isEmpty()
                ? null
                : ServiceLoader.load(CheckpointHook.class).findFirst().orElse(null);
        return start(
                context,
                findTransport(context.transport(), context.parent().job().size()),
                EngineConfig.defaults(),
                hook);
    }

    /** As {@link #start(RankContext)} with everything handed in. */
    public static MpiProcess start(
            RankContext context, TransportProvider provider, EngineConfig config, @Nullable CheckpointHook hook) {
        Parent parent = context.parent();
        // a wrong table fails here, not in the first collective
        SelectionTable _ = SelectionTable.ofJob();
        LateSink sink = new LateSink();
        Transport transport = provider.open(new TransportProvider.Context(
                parent.job(),
                context.worldRank(),
                context.incarnation(),
                context.secret(),
                sink,
                context.options(),
                parent.passesOn() ? new ParentKnocker(parent, context.worldRank(), hook == null) : null));
        try {
            if (!context.checkpoint().isEmpty() && !transport.recovers()) {
                throw new MpiFailure(
                        ErrorClass.ARG,
                        "checkpoints need a transport that recovers, and " + provider.name()
                                + " does not: choose --transport gridtcp, or leave --checkpoint out");
            }
            int port = transport.bind(context.bindHost());
            RankTable table = parent.exchange(new ControlMessage.Bound(context.bindHost(), port, HostId.current()));
            int ranksOnHost = ranksOnHostOf(table, context.worldRank());
            PointToPointConfig settings = config.pointToPoint() == null
                    ? PointToPointConfig.forHost(
                                    ranksOnHost,
                                    Integer.getInteger(
                                            CORES_PROPERTY, Runtime.getRuntime().availableProcessors()))
                            .withRecordOrigins(Boolean.getBoolean(ORIGINS_PROPERTY))
                            .withArraysInPlace(Boolean.getBoolean(IN_PLACE_PROPERTY))
                    : config.pointToPoint();
            PointToPoint pointToPoint =
                    new PointToPoint(context.worldRank(), parent.job().size(), settings);
            Path logFolder = hook == null ? null : hook.messageLogFolder();
            if (logFolder != null) {
                MessageLogging.begin(pointToPoint, parent, context.worldRank(), ranksOnHost, logFolder);
            }
            if (hook == null) {
                pointToPoint.besideChannels().allow();
            } else if (hook.isTransparent() && logFolder == null) {
                pointToPoint.besideChannels().allowBetweenCuts();
            }
            sink.target = pointToPoint.frameSink();
            if (hook != null && hook.holdsUntilAdopted()) {
                pointToPoint.holdUntilAdopted();
            }
            if (hook != null && hook.arrives()) {
                pointToPoint.arrive(transport, table);
            } else {
                pointToPoint.connect(transport, table, config.connectTimeout());
            }
            MpiProcess process = new MpiProcess(context, config, transport, pointToPoint, hook);
            process.attach();
            return process;
        } catch (RuntimeException | Error e) {
            transport.close();
            throw e;
        }
    }

    private void attach() {
        parent.listen(this::onControl);
        parent.heartbeat(() -> new ControlMessage.Heartbeat(
                pointToPoint.calls(),
                ended.get() ? "finalized" : pointToPoint.isWaiting() ? "waiting" : "running",
                "",
                pointToPoint.heldOutcomes(),
                pointToPoint.outOfReach()));
        if (hook != null) {
            hook.attached(snapshots);
        }
    }

    private void onControl(ControlMessage message) {
        if (message instanceof ControlMessage.Knock(int peerRank, int _)) {
            transport.onKnock(peerRank);
            return;
        }
        if (message instanceof ControlMessage.Goodbye goodbye) {
            transport.onGoodbye(goodbye.fromRank());
            return;
        }
        if (message instanceof ControlMessage.Table(RankTable table)) {
            pointToPoint.update(table);
            return;
        }
        if (message instanceof ControlMessage.EpochCommitted(int epoch)) {
            pointToPoint.committed(epoch);
        }
        if (hook != null) {
            hook.onControl(message);
        }
        if (message instanceof ControlMessage.PeerGoesBack(int peerRank, int incarnation, int epoch)) {
            // after the hook, which begins no epoch from here on
            pointToPoint.peerGoesBack(peerRank, incarnation, epoch);
        }
    }

    /** The provider of this name; without a name the default one, or for a job of one rank none at all. */
    static TransportProvider findTransport(String name, int jobSize) {
        if (name.isEmpty() && jobSize == 1) {
            return new SoloTransport.Provider();
        }
        String wanted = name.isEmpty() ? DEFAULT_TRANSPORT : name;
        List<TransportProvider> found = new ArrayList<>();
        ServiceLoader.load(TransportProvider.class).forEach(found::add);
        for (TransportProvider provider : found) {
            if (provider.name().equals(wanted)) {
                return provider;
            }
        }
        if (name.isEmpty() && !found.isEmpty()) {
            return found.getFirst();
        }
        throw new MpiFailure(
                ErrorClass.ARG,
                "there is no transport \"" + wanted + "\" on the class path; there "
                        + (found.isEmpty()
                                ? "is none at all: put gridmpj.jar on it"
                                : "are "
                                        + found.stream()
                                                .map(TransportProvider::name)
                                                .toList()));
    }

    private static int ranksOnHostOf(RankTable table, int worldRank) {
        String hostId = table.entry(worldRank).hostId();
        return (int) table.entries().stream()
                .filter(entry -> entry.hostId().equals(hostId))
                .count();
    }

    /** COMM_WORLD. */
    public Communicator world() {
        return world;
    }

    /** COMM_SELF. */
    public Communicator self() {
        return self;
    }

    /** The facade that is bound to this process, if it has anything to keep in a snapshot. */
    @Nullable
    FacadeState facade() {
        return facade;
    }

    /** Binds a facade. */
    public void facade(FacadeState bound) {
        facade = bound;
    }

    /** The predefined communicators of a snapshot instead of the fresh ones. */
    void adopt(Communicator restoredWorld, Communicator restoredSelf) {
        world = restoredWorld;
        self = restoredSelf;
    }

    /** What carries all messages. */
    public PointToPoint pointToPoint() {
        return pointToPoint;
    }

    /** The seam of snapshots. */
    public SnapshotEngine snapshots() {
        return snapshots;
    }

    /** The size that the permanent serialization buffers begin with, in bytes from 1; snapshots keep it. */
    public void setSerializationBufferBytes(int bytes) {
        SerializationBuffers.setSizeBytes(bytes);
    }

    /** That size, in bytes. */
    public int serializationBufferBytes() {
        return SerializationBuffers.sizeBytes();
    }

    /** Drains what is in flight, says goodbye, and closes the transport (MPI_Finalize). */
    public void shutdown() {
        if (ended.get()) {
            return;
        }
        // may unwind to be captured, and is called again then: all else comes after it
        boolean drained;
        try {
            drained = pointToPoint.goodbye(drainTimeout);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        try {
            if (hook != null) {
                hook.detaching();
            }
            if (!drained) {
                LOG.warn(
                        "rank {}: some messages had not left {} s after all ranks called Finalize",
                        worldRank,
                        drainTimeout.toSeconds());
            }
        } finally {
            pointToPoint.close();
        }
        parent.report(new ControlMessage.Finalized());
    }

    /** Ends the whole job with a code (MPI_Abort); does not return. */
    public void abort(int code, String reason) {
        parent.end(ControlMessage.EndKind.ABORT, code, reason);
    }

    /** Closes without a goodbye: what is under way is lost. Idempotent. */
    @Override
    public void close() {
        if (ended.compareAndSet(false, true)) {
            pointToPoint.close();
        }
    }

    /** A transport wants its sink when it is opened, the engine its settings when all ranks are known. */
    private static final class LateSink implements FrameSink {
        private @Nullable FrameSink target;

        private FrameSink target() {
            FrameSink known = target;
            if (known == null) {
                throw new IllegalStateException("a frame has come before the transport was connected");
            }
            return known;
        }

        @Override
        public PayloadSink onFrame(int peerRank, FrameHeader header) {
            return target().onFrame(peerRank, header);
        }

        @Override
        public void onFrameComplete(int peerRank, FrameHeader header, PayloadSink sink) {
            target().onFrameComplete(peerRank, header, sink);
        }

        @Override
        public void onPeerLost(int peerRank, MpiFailure cause) {
            target().onPeerLost(peerRank, cause);
        }
    }
}
