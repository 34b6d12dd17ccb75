package org.gridmpj.transport.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.RankTable;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One non-blocking TCP connection per pair of ranks.
 *
 * <p>Cost of a small message: one write in {@link Endpoint#offer}, one read that finds it, and the reads that found
 * nothing before. With at most {@value #DIRECT_PEERS} peers a poll reads each channel directly (about 0.4 µs each), above
 * that it asks a selector first.
 *
 * <p>Two selectors, since one thread may stand in {@link #await} while the holder of the progress lock polls, and a
 * selector lets only one thread in: {@code waiting} belongs to await, {@code ready} to poll. Selecting on one does not
 * take wake-ups of the other away.
 */
final class JavaTransport implements Transport {
    static final Logger LOG = LoggerFactory.getLogger(JavaTransport.class);

    /** Up to so many peers a poll reads every channel rather than select. */
    static final int DIRECT_PEERS = 8;

    private static final int STAGING_BYTES = 256 * 1024;
    private static final int STAGING_BYTES_OF_MANY = 64 * 1024;
    private static final int MANY_RANKS = 32;
    private static final int LEAST_STAGING_BYTES = 4096;
    private static final long DRAIN_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final TransportProvider.Context context;
    private final int stagingBytes;
    private final Selector waiting;
    private final Selector ready;
    private final Consumer<SelectionKey> pollKey = this::pollSelected;

    private @Nullable ServerSocketChannel listener;
    private @Nullable RankTable table;
    /** By world rank; null at the own rank and before connect. */
    private @Nullable Peer[] byRank;

    private Peer[] peers = new Peer[0];
    private boolean selectedMoved;
    private boolean closed;

    JavaTransport(TransportProvider.Context context) {
        this.context = context;
        this.byRank = new Peer[context.job().size()];
        this.stagingBytes = stagingBytes(context);
        try {
            waiting = Selector.open();
            ready = Selector.open();
        } catch (IOException e) {
            throw new MpiFailure(
                    ErrorClass.OTHER,
                    "rank " + context.worldRank() + " cannot open a selector: " + e.getMessage()
                            + ". Is the limit of open files (ulimit -n) reached?",
                    e);
        }
    }

    @Override
    public int bind(String host) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open();
            listener = server;
            server.configureBlocking(false);
            server.bind(
                    new InetSocketAddress(host, 0),
                    Math.max(128, 2 * context.job().size()));
            return ((InetSocketAddress) server.getLocalAddress()).getPort();
        } catch (IOException | RuntimeException e) {
            throw new MpiFailure(
                    ErrorClass.OTHER,
                    "rank " + context.worldRank() + " cannot listen at address " + host + ": " + e.getMessage()
                            + ". It must be an address of this host",
                    e);
        }
    }

    @Override
    public void connect(RankTable newTable, Duration timeout) {
        ServerSocketChannel server = listener;
        if (server == null) {
            throw new IllegalStateException("bind comes before connect");
        }
        table = newTable;
        SocketChannel[] channels = new Connector(context, newTable, server).connect(timeout);
        List<Peer> connected = new ArrayList<>();
        try {
            for (int rank = 0; rank < channels.length; rank++) {
                if (rank == context.worldRank()) {
                    continue;
                }
                RankTable.Entry entry = newTable.entry(rank);
                Peer peer = new Peer(
                        context.worldRank(),
                        rank,
                        entry.host() + ":" + entry.port(),
                        channels[rank],
                        waiting,
                        context.sink(),
                        stagingBytes);
                byRank[rank] = peer;
                connected.add(peer);
            }
            peers = connected.toArray(new Peer[0]);
            if (peers.length > DIRECT_PEERS) {
                for (Peer peer : peers) {
                    peer.channel().register(ready, SelectionKey.OP_READ, peer);
                }
            }
            // Nobody else belongs to this job's generation: no stranger need be answered any more.
            server.close();
        } catch (IOException e) {
            throw new MpiFailure(
                    ErrorClass.OTHER,
                    "rank " + context.worldRank() + " has reached all its peers but cannot set up their channels: "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public void update(RankTable newTable) {
        RankTable current = table;
        if (current != null && newTable.epoch() <= current.epoch()) {
            return;
        }
        throw new MpiFailure(
                ErrorClass.OTHER,
                "rank " + context.worldRank() + ": a rank has moved or was started anew (IP table " + newTable.epoch()
                        + "), and transport \"java\" cannot follow. Run the job with --transport gridtcp");
    }

    @Override
    public Endpoint endpoint(int worldRank) {
        Peer peer = byRank[worldRank];
        if (peer == null) {
            throw new MpiFailure(
                    ErrorClass.INTERN,
                    "rank " + context.worldRank() + " has no connection to rank " + worldRank
                            + (worldRank == context.worldRank() ? ": that is itself" : ": it is not connected yet"));
        }
        return peer;
    }

    @Override
    public boolean poll() {
        if (peers.length <= DIRECT_PEERS) {
            boolean moved = false;
            for (Peer peer : peers) {
                moved |= peer.poll();
            }
            return moved;
        }
        return pollReady();
    }

    private boolean pollReady() {
        selectedMoved = false;
        try {
            ready.selectNow(pollKey);
            for (Peer peer : peers) {
                if (peer.hasWork()) {
                    selectedMoved |= peer.poll();
                }
            }
        } catch (IOException e) {
            throw new MpiFailure(
                    ErrorClass.INTERN, "rank " + context.worldRank() + " cannot select: " + e.getMessage(), e);
        }
        return selectedMoved;
    }

    private void pollSelected(SelectionKey key) {
        selectedMoved |= ((Peer) key.attachment()).poll();
    }

    @Override
    public void await(long timeoutNanos) {
        try {
            if (timeoutNanos <= 0) {
                return;
            }
            // Rounded up, as 0 would mean for ever.
            waiting.select(JavaTransport::anything, (timeoutNanos + 999_999) / 1_000_000);
        } catch (ClosedSelectorException | IOException e) {
            LOG.debug("rank {} waits no more: {}", context.worldRank(), e.toString());
        }
    }

    /** What is ready the next poll finds by itself. */
    private static void anything(SelectionKey key) {}

    @Override
    public void wakeup() {
        waiting.wakeup();
    }

    @Override
    public int eagerLimitBytes(boolean onOneHost) {
        return CONNECTION_EAGER_LIMIT_BYTES;
    }

    @Override
    public boolean drain(Duration timeout) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (true) {
            boolean moved = poll();
            boolean over = true;
            boolean delivered = true;
            for (Peer peer : peers) {
                boolean said = peer.farewell();
                delivered &= said;
                over &= said || peer.closed();
            }
            if (over) {
                return delivered;
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            if (!moved) {
                LockSupport.parkNanos(DRAIN_PAUSE_NANOS);
            }
        }
    }

    @Override
    public boolean recovers() {
        return false;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (Peer peer : peers) {
            peer.close();
        }
        try {
            if (listener != null) {
                listener.close();
            }
            // Only now are the closed channels taken off the selectors and their descriptors free.
            ready.close();
            waiting.close();
        } catch (IOException e) {
            LOG.debug("closing the transport of rank {}: {}", context.worldRank(), e.toString());
        }
    }

    private static int stagingBytes(TransportProvider.Context context) {
        String text = context.options().get("staging");
        int bytes = context.job().size() > MANY_RANKS ? STAGING_BYTES_OF_MANY : STAGING_BYTES;
        if (text != null) {
            try {
                bytes = Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw new MpiFailure(
                        ErrorClass.ARG, "option staging of transport \"java\" is a number of bytes, not " + text, e);
            }
        }
        return Math.max(LEAST_STAGING_BYTES, bytes) & -Long.BYTES;
    }
}
