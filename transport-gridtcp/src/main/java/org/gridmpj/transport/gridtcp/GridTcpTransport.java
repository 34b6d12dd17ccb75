package org.gridmpj.transport.gridtcp;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.OutOfReach;
import org.gridmpj.job.RankTable;
import org.gridmpj.memory.AsymmetricFence;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.HostMemory;
import org.gridmpj.transport.Knocker;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GridTcp: channels that survive their connections. All state but the {@link Connections}' is confined to the holder of the
 * progress lock; {@link #await} and {@link #wakeup} touch the doorbell only.
 *
 * <p>Bytes are moved either by the caller on the descriptors of plain connections ({@link FdLink}), or by Netty's thread
 * ({@link NettyLink}): with TLS, and where the system has no epoll or the JVM may not call it.
 *
 * <p>A peer that was linked is never reported as lost: a reset connection means reconnect, and death is for the launcher to
 * tell, by a new IP table or the job's end. Which pairs are linked at all says {@link FirstContact}.
 */
final class GridTcpTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(GridTcpTransport.class);

    private static final long TICK_NANOS = 2_000_000;
    /** A look at the clock takes as long as a round without result. */
    private static final int ROUNDS_PER_LOOK = 8;
    /** Longest sleep in await while a peer is to be dialed or acknowledged. */
    private static final long NAP_NANOS = 5_000_000;
    /** Longest sleep in connect, which Netty's thread ends early. */
    private static final long CONNECTING_NAP_NANOS = 500_000;

    /** In jobs of this size it is dearer to try each link than to ask first whether any has something. */
    private static final int ASK_FIRST_FROM_SIZE = 6;

    /** How often it is looked which links are missing. */
    private static final long LOOK_FOR_LINKS_NANOS = 1_000_000_000;
    /** That many peers out of reach are named: the message that does comes every second. */
    private static final int MOST_OUT_OF_REACH = 32;

    private static final String SECTION = "gridtcp/channel/";

    private final TransportProvider.Context context;
    private final LongSupplier nanoClock;
    private final Doorbell doorbell;
    private final Connections connections;
    private final ChannelSizes sizes;
    private final boolean sharesMemory;
    private final @Nullable HostMemory hostMemory;
    /** The links by shared memory, for the thread that awaits; another array whenever they change. */
    private volatile SharedMemoryLink[] sharedLinks = {};

    /** Whether some link is a connection, which the kernel can be asked about. */
    private boolean hasOtherLinks;

    private final ChannelRules rules;
    private final Map<Integer, FrozenChannel> thawed = new HashMap<>();
    /** Null: all pairs are connected at once. */
    private final @Nullable Knocker knocker;
    /** Peers that are to hear of this rank's end by the knocker. */
    private final List<Integer> goodbyes = new ArrayList<>();

    private final @Nullable GridTcpEndpoint[] endpoints;

    private Duration connectTimeout = Duration.ZERO;
    private int tableEpoch = -1;
    /** Of this rank, as the IP table has it. */
    private String ownHostId = "";

    /** Between {@link #arrive} and the table that names this process: nobody is linked yet. */
    private boolean arriving;

    private long lastTickNanos;
    private long lookedForLinksNanos;
    private volatile List<OutOfReach> outOfReach = List.of();
    private long polledNanos;
    private int roundsSinceClock;
    private volatile boolean closed;

    GridTcpTransport(TransportProvider.Context context, LongSupplier nanoClock) {
        GridTcpOptions options = GridTcpOptions.of(context.options());
        this.context = context;
        this.nanoClock = nanoClock;
        sizes = ChannelSizes.forJob(context.job().size());
        rules = ChannelRules.ALL;
        JobTls tls = JobTls.of(options, context.secret());
        doorbell = options.movesDataByDescriptor()
                ? new EpollDoorbell(context.job().size() >= ASK_FIRST_FROM_SIZE)
                : new ParkingDoorbell();
        sharesMemory = options.sharesMemory();
        hostMemory = sharesMemory ? new HostSegments(new SharedLinks()) : null;
        connections = new Connections(context.worldRank(), context.secret(), tls, options.usesEpoll(), doorbell);
        knocker = options.connectsOnUse(context.job().size()) ? context.knocker() : null;
        endpoints = new GridTcpEndpoint[context.job().size()];
    }

    @Override
    public int bind(String host) {
        return connections.bind(host);
    }

    @Override
    public void connect(RankTable table, Duration timeout) {
        if (table.size() != endpoints.length) {
            throw new MpiFailure(
                    ErrorClass.INTERN, "the IP table has " + table.size() + " ranks, the job " + endpoints.length);
        }
        long startNanos = nanoClock.getAsLong();
        connectTimeout = timeout;
        // the first round may be one that does not look at the clock
        polledNanos = startNanos;
        tableEpoch = table.epoch();
        ownHostId = table.entry(context.worldRank()).hostId();
        for (int rank = 0; rank < endpoints.length; rank++) {
            if (rank != context.worldRank()) {
                GridTcpEndpoint endpoint = endpoint(table.entry(rank));
                endpoints[rank] = endpoint;
                if (knocker != null) {
                    endpoint.limitFirstLink(timeout.toNanos());
                }
            }
        }
        List<String> missing = missing();
        while (!missing.isEmpty()) {
            long leftNanos = timeout.toNanos() - (nanoClock.getAsLong() - startNanos);
            if (leftNanos <= 0) {
                throw unreachable(missing);
            }
            if (!poll()) {
                doorbell.nap(Math.min(leftNanos, CONNECTING_NAP_NANOS));
            }
            missing = missing();
        }
    }

    @Override
    public @Nullable HostMemory hostMemory() {
        return hostMemory;
    }

    /** By shared memory to ask costs as much as a copy of 128 KiB, by a connection much more: docs/performance/causes.md. */
    @Override
    public int eagerLimitBytes(boolean onOneHost) {
        return onOneHost && sharesMemory ? EAGER_LIMIT_BYTES : CONNECTION_EAGER_LIMIT_BYTES;
    }

    private @Nullable SharedMemoryLink sharedLink(int worldRank) {
        GridTcpEndpoint endpoint = endpoints[worldRank];
        return endpoint != null && endpoint.link() instanceof SharedMemoryLink link ? link : null;
    }

    private final class SharedLinks implements HostSegments.Links {
        @Override
        public boolean isShared(int worldRank) {
            return sharedLink(worldRank) != null;
        }

        @Override
        public void nudge(int worldRank) {
            SharedMemoryLink link = sharedLink(worldRank);
            if (link != null) {
                link.nudge();
            }
        }
    }

    private void linkChanged() {
        List<SharedMemoryLink> shared = new ArrayList<>();
        hasOtherLinks = false;
        for (GridTcpEndpoint endpoint : endpoints) {
            if (endpoint != null && endpoint.link() instanceof SharedMemoryLink link) {
                shared.add(link);
            } else if (endpoint != null && endpoint.link() != null) {
                hasOtherLinks = true;
            }
        }
        sharedLinks = shared.toArray(SharedMemoryLink[]::new);
    }

    private GridTcpEndpoint endpoint(RankTable.Entry entry) {
        ChannelIdentity identity = new ChannelIdentity(
                context.worldRank(), entry.worldRank(), context.job().generation(), context.incarnation());
        Channel channel = new Channel(identity, endpoints.length, entry.incarnation(), sizes, rules, context.sink());
        FrozenChannel frozen = thawed.get(entry.worldRank());
        if (frozen != null) {
            channel.thaw(frozen);
        }
        return new GridTcpEndpoint(
                channel,
                new FirstContact(entry.worldRank(), knocker, goodbyes::add),
                entry,
                connections,
                sizes,
                sharesMemory ? ownHostId : null,
                this::linkChanged,
                nanoClock);
    }

    /** Peers that MPI.Init waits for. */
    private List<String> missing() {
        if (knocker != null) {
            return List.of();
        }
        List<String> missing = new ArrayList<>();
        for (GridTcpEndpoint endpoint : endpoints) {
            if (endpoint != null && !endpoint.hasMet()) {
                missing.add(endpoint.obstacle());
            }
        }
        return missing;
    }

    @Override
    public void arrive(RankTable table) {
        polledNanos = nanoClock.getAsLong();
        tableEpoch = table.epoch();
        ownHostId = table.entry(context.worldRank()).hostId();
        arriving = true;
        for (int rank = 0; rank < endpoints.length; rank++) {
            if (rank != context.worldRank()) {
                GridTcpEndpoint endpoint = endpoint(table.entry(rank));
                endpoint.awaitTable();
                endpoints[rank] = endpoint;
            }
        }
    }

    @Override
    public void rehearse() {
        if (arriving) {
            doorbell.rehearse();
            boolean isAnyHere = false;
            for (GridTcpEndpoint endpoint : endpoints) {
                if (endpoint != null) {
                    isAnyHere |= endpoint.entry().hostId().equals(ownHostId);
                    endpoint.rehearse();
                }
            }
            if (isAnyHere && sharesMemory && SharedFile.hostId() != 0) {
                rehearseSharing();
            }
        }
    }

    /** Peers of higher ranks offer memory, which this process maps while they wait. */
    private void rehearseSharing() {
        try {
            SharedSegment.rehearse(sizes.sharedRingBytes());
        } catch (IOException | RuntimeException e) {
            LOG.info("rank {} shares no memory with a peer: {}", context.worldRank(), e.toString());
        }
    }

    @Override
    public boolean isLinked() {
        for (GridTcpEndpoint endpoint : endpoints) {
            if (endpoint != null && endpoint.awaitsLink()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void update(RankTable table) {
        if (table.epoch() <= tableEpoch) {
            return;
        }
        tableEpoch = table.epoch();
        arriving = false;
        long nowNanos = nanoClock.getAsLong();
        for (int rank = 0; rank < endpoints.length; rank++) {
            GridTcpEndpoint endpoint = endpoints[rank];
            if (endpoint != null) {
                endpoint.update(table.entry(rank), nowNanos);
            }
        }
    }

    @Override
    public void renew(int worldRank, int incarnation) {
        GridTcpEndpoint before = endpoints[worldRank];
        if (before == null) {
            throw new MpiFailure(
                    ErrorClass.INTERN, "rank " + context.worldRank() + " has no channel to rank " + worldRank);
        }
        RankTable.Entry entry = before.entry();
        before.close();
        GridTcpEndpoint renewed = endpoint(entry.goesBack(incarnation));
        // where it was nobody listens any more
        renewed.awaitTable();
        endpoints[worldRank] = renewed;
        linkChanged();
    }

    @Override
    public void onKnock(int peerRank) {
        connections.post(new ConnectionEvent.Knocked(peerRank));
    }

    @Override
    public void onGoodbye(int peerRank) {
        connections.post(new ConnectionEvent.SaidGoodbye(peerRank));
    }

    @Nullable
    GridTcpEndpoint known(int worldRank) {
        return worldRank < 0 || worldRank >= endpoints.length ? null : endpoints[worldRank];
    }

    @Override
    public Endpoint endpoint(int worldRank) {
        GridTcpEndpoint endpoint = known(worldRank);
        if (endpoint == null) {
            throw new MpiFailure(
                    ErrorClass.INTERN, "rank " + context.worldRank() + " has no channel to rank " + worldRank);
        }
        return endpoint;
    }

    @Override
    public boolean pollAgain() {
        roundsSinceClock++;
        return roundsSinceClock < ROUNDS_PER_LOOK ? poll(polledNanos) : poll();
    }

    @Override
    public boolean poll() {
        roundsSinceClock = 0;
        polledNanos = nanoClock.getAsLong();
        return poll(polledNanos);
    }

    private boolean poll(long nowNanos) {
        boolean any = false;
        ConnectionEvent event;
        while ((event = connections.next()) != null) {
            any = true;
            handle(event, nowNanos);
        }
        sayGoodbyes();
        boolean readable = hasOtherLinks && (endpoints.length < ASK_FIRST_FROM_SIZE || doorbell.isReadable());
        boolean tick = nowNanos - lastTickNanos >= TICK_NANOS;
        if (tick) {
            lastTickNanos = nowNanos;
        }
        for (GridTcpEndpoint endpoint : endpoints) {
            if (endpoint != null) {
                any |= endpoint.poll(nowNanos, readable);
                if (tick) {
                    endpoint.tick(nowNanos);
                    if (endpoint.link() == null && endpoint.isFirstLinkOverdue(nowNanos)) {
                        lose(endpoint);
                    }
                }
            }
        }
        if (tick && nowNanos - lookedForLinksNanos >= LOOK_FOR_LINKS_NANOS) {
            lookForLinks(nowNanos);
        }
        return any;
    }

    private void lookForLinks(long nowNanos) {
        lookedForLinksNanos = nowNanos;
        List<OutOfReach> missing = new ArrayList<>();
        for (GridTcpEndpoint endpoint : endpoints) {
            if (endpoint != null) {
                endpoint.lookForLink(nowNanos);
                OutOfReach peer = endpoint.outOfReach();
                if (peer != null && missing.size() < MOST_OUT_OF_REACH) {
                    missing.add(peer);
                }
            }
        }
        outOfReach = missing;
    }

    @Override
    public List<OutOfReach> outOfReach() {
        return outOfReach;
    }

    /** Where MPI.Init connects all pairs it fails; here the operations do that need the peer. */
    private void lose(GridTcpEndpoint endpoint) {
        endpoint.close();
        context.sink().onPeerLost(endpoint.entry().worldRank(), unreachable(List.of(endpoint.obstacle())));
    }

    private MpiFailure unreachable(List<String> obstacles) {
        return new MpiFailure(
                ErrorClass.OTHER,
                "rank " + context.worldRank() + " could not be connected within "
                        + connectTimeout.toMillis() + " ms with " + String.join("; ", obstacles)
                        + (knocker == null ? ". MPI.Init fails; see" : ". See")
                        + " whether these ranks run and their hosts can be reached");
    }

    private void handle(ConnectionEvent event, long nowNanos) {
        // no switch over types: the JDK builds one at its first use, which a start would feel
        if (event instanceof ConnectionEvent.Accepted(Link link, Hello hello)) {
            GridTcpEndpoint endpoint = known(hello.worldRank());
            if (endpoint == null) {
                link.close();
            } else {
                endpoint.accepted(link, hello, nowNanos);
            }
        } else if (event instanceof ConnectionEvent.Dialed(int peerRank, int attempt, Link link, Hello hello)) {
            GridTcpEndpoint endpoint = endpoints[peerRank];
            if (endpoint == null) {
                link.close();
            } else {
                endpoint.dialed(attempt, link, hello, nowNanos);
            }
        } else if (event instanceof ConnectionEvent.NotDialed(int peerRank, int attempt, String reason)) {
            GridTcpEndpoint endpoint = endpoints[peerRank];
            if (endpoint != null) {
                endpoint.notDialed(attempt, reason, nowNanos);
            }
        } else if (event instanceof ConnectionEvent.Knocked(int peerRank)) {
            GridTcpEndpoint endpoint = known(peerRank);
            if (endpoint != null) {
                endpoint.knocked(nowNanos);
            }
        } else if (event instanceof ConnectionEvent.SaidGoodbye(int peerRank)) {
            GridTcpEndpoint endpoint = known(peerRank);
            if (endpoint != null && endpoint.heardGoodbye()) {
                peerFinalized(peerRank);
            }
        }
    }

    private void peerFinalized(int peerRank) {
        FrameHeader goodbye = new FrameHeader();
        goodbye.kind = FrameKind.FINALIZED;
        goodbye.sourceRank = peerRank;
        PayloadSink none = context.sink().onFrame(peerRank, goodbye);
        context.sink().onFrameComplete(peerRank, goodbye, none);
    }

    private void sayGoodbyes() {
        if (knocker != null && !goodbyes.isEmpty()) {
            knocker.sayGoodbye(goodbyes);
            goodbyes.clear();
        }
    }

    @Override
    public void await(long timeoutNanos) {
        if (closed) {
            return;
        }
        SharedMemoryLink[] shared = sharedLinks;
        boolean ready = false;
        for (SharedMemoryLink link : shared) {
            link.sleep();
        }
        if (shared.length > 0) {
            AsymmetricFence.heavy();
        }
        for (SharedMemoryLink link : shared) {
            ready |= link.isReadable();
        }
        if (!ready) {
            doorbell.await(timeoutNanos);
        }
        for (SharedMemoryLink link : shared) {
            link.awake();
        }
    }

    @Override
    public void wakeup() {
        doorbell.ring();
    }

    @Override
    public boolean drain(Duration timeout) {
        long startNanos = nanoClock.getAsLong();
        for (; ; ) {
            boolean drained = true;
            long nowNanos = nanoClock.getAsLong();
            for (GridTcpEndpoint endpoint : endpoints) {
                if (endpoint != null) {
                    endpoint.sayBye();
                    drained &= endpoint.isDrained(nowNanos);
                }
            }
            if (drained) {
                return true;
            }
            long leftNanos = timeout.toNanos() - (nowNanos - startNanos);
            if (leftNanos <= 0) {
                return false;
            }
            if (!poll()) {
                await(Math.min(leftNanos, NAP_NANOS));
            }
        }
    }

    @Override
    public boolean recovers() {
        return true;
    }

    @Override
    public Map<String, byte[]> freeze() {
        Map<String, byte[]> sections = new HashMap<>();
        for (int rank = 0; rank < endpoints.length; rank++) {
            GridTcpEndpoint endpoint = endpoints[rank];
            if (endpoint != null) {
                sections.put(SECTION + rank, endpoint.channel().freeze().encode());
            }
        }
        return sections;
    }

    /**
     * {@inheritDoc}
     *
     * <p>After {@link #connect} only sections of an earlier generation are taken: they are checked, and nothing else is to
     * be done, since at the cut to which all ranks went back nothing was under way. After {@link #arrive} the channels take
     * them over.
     */
    @Override
    public void thaw(Map<String, byte[]> sections) {
        for (Map.Entry<String, byte[]> section : sections.entrySet()) {
            if (!section.getKey().startsWith(SECTION)) {
                continue;
            }
            FrozenChannel frozen = decode(section.getKey(), section.getValue());
            GridTcpEndpoint endpoint = arriving ? endpoints[frozen.peerRank()] : null;
            if (endpoint != null) {
                takeOver(endpoint, frozen);
                continue;
            }
            boolean connected = tableEpoch >= 0;
            if (connected && frozen.generation() == context.job().generation()) {
                throw new MpiFailure(
                        ErrorClass.INTERN,
                        "rank " + context.worldRank() + " is connected: it cannot take over the channel to rank "
                                + frozen.peerRank() + " any more");
            }
            if (!connected) {
                thawed.put(frozen.peerRank(), frozen);
            }
        }
    }

    private void takeOver(GridTcpEndpoint endpoint, FrozenChannel frozen) {
        if (frozen.generation() != context.job().generation() || frozen.incarnation() >= context.incarnation()) {
            throw new MpiFailure(
                    ErrorClass.OTHER,
                    "rank " + context.worldRank() + " of generation "
                            + context.job().generation() + ", incarnation " + context.incarnation()
                            + " cannot take over a channel of generation " + frozen.generation() + ", incarnation "
                            + frozen.incarnation());
        }
        endpoint.thaw(frozen);
    }

    private FrozenChannel decode(String name, byte[] bytes) {
        try {
            return FrozenChannel.decode(bytes);
        } catch (IllegalArgumentException e) {
            throw new MpiFailure(
                    ErrorClass.OTHER,
                    "rank " + context.worldRank() + " cannot restore section " + name + ": " + e.getMessage(),
                    e);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (GridTcpEndpoint endpoint : endpoints) {
            if (endpoint != null) {
                endpoint.close();
            }
        }
        connections.close();
        doorbell.close();
    }

    /** What the descriptors of links have cost, if they are this rank's own to read and write; under the progress lock. */
    SystemCallCounts systemCalls() {
        long sends = 0;
        long receives = 0;
        for (GridTcpEndpoint endpoint : endpoints) {
            if (endpoint != null && endpoint.link() instanceof FdLink link) {
                sends += link.sends();
                receives += link.receives();
            }
        }
        return doorbell instanceof EpollDoorbell epoll
                ? epoll.counts(sends, receives)
                : new SystemCallCounts(sends, receives, 0, 0, 0);
    }

    /** The state of each channel, a line each; unsynchronized. */
    @Override
    public String toString() {
        return Arrays.stream(endpoints)
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .collect(Collectors.joining("\n"));
    }
}
