package org.gridmpj.transport.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.RankTable;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;

/**
 * Connects one rank with all others by the rule of the IP table: it dials the lower ranks and accepts from the higher
 * ones. Dialling is tried again with back-off until the time is over: a peer may start later, or something else may
 * answer at its address for a while.
 *
 * <p>Strangers may dial too. They cost one connection each for {@link #PATIENCE_NANOS} at most, never more than {@link
 * #strangersLimit} at once, and a line in the log. Where a connection cannot be accepted, for want of descriptors for instance, it
 * waits in the listener's queue. Confined to the connecting thread.
 */
final class Connector {
    private static final long FIRST_BACK_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_BACK_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** How long a connection may take to prove itself. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** How long nothing is accepted when that has failed. */
    private static final long SHUT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Where connections come from. */
    interface Door {
        /** The next one, or null if there is none. */
        @Nullable
        SocketChannel accept() throws IOException;
    }

    private final TransportProvider.Context context;
    private final RankTable table;
    private final ServerSocketChannel listener;
    private final Door door;
    private final int ownRank;
    private final SocketChannel[] connected;
    private final Dial[] dials;
    private final Set<Attempt> accepted = new HashSet<>();
    private long deadlineNanos;
    /** While it is not 0 nothing is accepted, until then. */
    private long shutUntilNanos;
    /** Why a connection could not be accepted; empty if all could. */
    private String doorProblem = "";

    Connector(TransportProvider.Context context, RankTable table, ServerSocketChannel listener) {
        this(context, table, listener, listener::accept);
    }

    Connector(TransportProvider.Context context, RankTable table, ServerSocketChannel listener, Door door) {
        this.context = context;
        this.table = table;
        this.listener = listener;
        this.door = door;
        this.ownRank = context.worldRank();
        this.connected = new SocketChannel[table.size()];
        this.dials = new Dial[ownRank];
    }

    /** A connection whose handshake is not over. */
    private static final class Attempt {
        private final SocketChannel channel;
        private final Handshake handshake;
        private final long expiryNanos;
        private final @Nullable Dial dial;

        Attempt(SocketChannel channel, Handshake handshake, long expiryNanos, @Nullable Dial dial) {
            this.channel = channel;
            this.handshake = handshake;
            this.expiryNanos = expiryNanos;
            this.dial = dial;
        }
    }

    /** The way to one lower rank. */
    private static final class Dial {
        private final int rank;
        private long nextTryNanos;
        private long backOffNanos = FIRST_BACK_OFF_NANOS;
        private @Nullable Attempt attempt;
        private String lastReason = "it was not tried";

        Dial(int rank, long nowNanos) {
            this.rank = rank;
            this.nextTryNanos = nowNanos;
        }
    }

    /**
     * Connects.
     *
     * @return by world rank; null at the own rank
     * @throws MpiFailure naming the ranks that could not be reached within the time
     */
    SocketChannel[] connect(Duration timeout) {
        long startNanos = System.nanoTime();
        deadlineNanos = startNanos + timeout.toNanos();
        for (int rank = 0; rank < dials.length; rank++) {
            dials[rank] = new Dial(rank, startNanos);
        }
        boolean done = false;
        try (Selector selector = Selector.open()) {
            SelectionKey listening = listener.register(selector, SelectionKey.OP_ACCEPT);
            while (missing() > 0) {
                long nowNanos = System.nanoTime();
                if (nowNanos - deadlineNanos >= 0) {
                    throw unreachable(timeout);
                }
                expire(nowNanos);
                if (shutUntilNanos != 0 && nowNanos - shutUntilNanos >= 0) {
                    shutUntilNanos = 0;
                    listening.interestOps(SelectionKey.OP_ACCEPT);
                }
                for (Dial dial : dials) {
                    if (connected[dial.rank] == null && dial.attempt == null && nowNanos - dial.nextTryNanos >= 0) {
                        dial(dial, selector);
                    }
                }
                selector.select(pauseMillis(nowNanos));
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isValid() && key.isAcceptable()) {
                        accept(key);
                    } else if (key.isValid()) {
                        advance((Attempt) key.attachment(), key);
                    }
                }
                selector.selectedKeys().clear();
            }
            done = true;
        } catch (IOException e) {
            throw new MpiFailure(
                    ErrorClass.OTHER, "rank " + ownRank + " cannot connect to its peers: " + e.getMessage(), e);
        } finally {
            closeAttempts();
            if (!done) {
                for (SocketChannel channel : connected) {
                    if (channel != null) {
                        close(channel);
                    }
                }
            }
        }
        return connected;
    }

    private int missing() {
        int missing = 0;
        for (int rank = 0; rank < connected.length; rank++) {
            if (rank != ownRank && connected[rank] == null) {
                missing++;
            }
        }
        return missing;
    }

    private int strangersLimit() {
        return 64 + 2 * table.size();
    }

    private long pauseMillis(long nowNanos) {
        long longestNanos = shutUntilNanos == 0 ? LONGEST_BACK_OFF_NANOS : SHUT_NANOS;
        long untilNanos = Math.min(deadlineNanos, nowNanos + longestNanos);
        for (Dial dial : dials) {
            if (connected[dial.rank] == null && dial.attempt == null) {
                untilNanos = Math.min(untilNanos, dial.nextTryNanos);
            }
        }
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(untilNanos - nowNanos));
    }

    private void dial(Dial dial, Selector selector) {
        RankTable.Entry entry = table.entry(dial.rank);
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Handshake handshake =
                    Handshake.dialing(context.job(), context.secret(), table, ownRank, dial.rank, JobSecret.nonce());
            dial.attempt = new Attempt(channel, handshake, System.nanoTime() + PATIENCE_NANOS, dial);
            // A host's name is resolved anew at each try: it may have moved.
            boolean atOnce = channel.connect(new InetSocketAddress(entry.host(), entry.port()));
            channel.register(selector, atOnce ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT, dial.attempt);
        } catch (IOException | RuntimeException e) {
            if (channel != null) {
                close(channel);
            }
            tryLater(
                    dial,
                    e instanceof java.nio.channels.UnresolvedAddressException
                            ? "its host's name " + entry.host() + " is not known here"
                            : String.valueOf(e.getMessage()));
        }
    }

    private void accept(SelectionKey listening) throws IOException {
        SocketChannel channel;
        while ((channel = next(listening)) != null) {
            if (accepted.size() >= strangersLimit()) {
                JavaTransport.LOG.warn(
                        "rank {} refused a connection from {}: {} others have not proved themselves yet",
                        ownRank,
                        channel.getRemoteAddress(),
                        accepted.size());
                close(channel);
                continue;
            }
            Handshake handshake =
                    Handshake.accepting(context.job(), context.secret(), table, ownRank, JobSecret.nonce());
            Attempt attempt = new Attempt(channel, handshake, System.nanoTime() + PATIENCE_NANOS, null);
            accepted.add(attempt);
            try {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.register(listening.selector(), SelectionKey.OP_READ, attempt);
            } catch (IOException e) {
                refuse(attempt, reasonOf(e));
            }
        }
    }

    private @Nullable SocketChannel next(SelectionKey listening) throws IOException {
        try {
            return door.accept();
        } catch (IOException e) {
            if (!listener.isOpen()) {
                throw e;
            }
            // it stays in the queue: a selector that is asked for it would say so again and again
            listening.interestOps(0);
            shutUntilNanos = System.nanoTime() + SHUT_NANOS;
            doorProblem = reasonOf(e);
            JavaTransport.LOG.warn("rank {} cannot accept a connection now: {}", ownRank, doorProblem);
            return null;
        }
    }

    /** Moves one handshake on as far as its socket allows. */
    private void advance(Attempt attempt, SelectionKey key) {
        Handshake handshake = attempt.handshake;
        try {
            if (key.isConnectable()) {
                attempt.channel.finishConnect();
            }
            do {
                attempt.channel.write(handshake.output());
                if (handshake.output().hasRemaining() || handshake.complete()) {
                    break;
                }
                int readBytes = attempt.channel.read(handshake.input());
                if (readBytes < 0) {
                    refuse(attempt, "it closed the connection in the middle of the handshake");
                    return;
                }
                if (handshake.input().hasRemaining()) {
                    break;
                }
                handshake.advance();
            } while (true);
            if (handshake.complete()) {
                key.cancel();
                adopt(attempt);
            } else {
                key.interestOps(handshake.output().hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            }
        } catch (HandshakeRefusal e) {
            sayLastWords(attempt);
            refuse(attempt, e.reason());
            Dial dial = attempt.dial;
            if (e.forGood()) {
                throw new MpiFailure(
                        ErrorClass.OTHER,
                        "rank " + ownRank + " cannot work with "
                                + (dial == null ? "a peer" : "rank " + dial.rank + " at " + place(dial.rank)) + ": "
                                + e.reason(),
                        e);
            }
        } catch (IOException e) {
            refuse(attempt, reasonOf(e));
        }
    }

    private void adopt(Attempt attempt) throws IOException {
        int rank = attempt.handshake.peerRank();
        accepted.remove(attempt);
        if (attempt.dial != null) {
            attempt.dial.attempt = null;
        }
        SocketChannel former = connected[rank];
        if (former != null) {
            // A peer dials again only after it has given the former connection up.
            close(former);
        }
        connected[rank] = attempt.channel;
    }

    /** The greeting of a refusing end tells the other one why: it fits into any socket's buffer. */
    private static void sayLastWords(Attempt attempt) {
        try {
            attempt.channel.write(attempt.handshake.output());
        } catch (IOException e) {
            JavaTransport.LOG.debug("a refused peer has gone already: {}", e.toString());
        }
    }

    private void refuse(Attempt attempt, String reason) {
        Dial dial = attempt.dial;
        if (dial != null) {
            tryLater(dial, reason);
        } else {
            accepted.remove(attempt);
            JavaTransport.LOG.warn(
                    "rank {} refused a connection from {}: {}", ownRank, remote(attempt.channel), reason);
        }
        close(attempt.channel);
    }

    private static void tryLater(Dial dial, String reason) {
        dial.attempt = null;
        dial.lastReason = reason;
        dial.nextTryNanos = System.nanoTime() + dial.backOffNanos;
        dial.backOffNanos = Math.min(2 * dial.backOffNanos, LONGEST_BACK_OFF_NANOS);
    }

    private void expire(long nowNanos) {
        for (Attempt attempt : List.copyOf(accepted)) {
            if (nowNanos - attempt.expiryNanos >= 0) {
                refuse(attempt, "it did not prove itself in time");
            }
        }
        for (Dial dial : dials) {
            Attempt attempt = dial.attempt;
            if (attempt != null && nowNanos - attempt.expiryNanos >= 0) {
                refuse(attempt, "it does not answer");
            }
        }
    }

    private MpiFailure unreachable(Duration timeout) {
        List<String> reasons = new ArrayList<>();
        for (int rank = 0; rank < connected.length; rank++) {
            if (rank == ownRank || connected[rank] != null) {
                continue;
            }
            reasons.add("rank " + rank + " at " + place(rank)
                    + (rank < ownRank ? ": " + waitingFor(dials[rank]) : ": it has not dialled this rank")
                    + (rank < ownRank || doorProblem.isEmpty()
                            ? ""
                            : ", or could not be accepted (at last: " + doorProblem + ")"));
        }
        return new MpiFailure(
                ErrorClass.OTHER,
                "rank " + ownRank + " at " + place(ownRank) + " could not reach " + reasons.size() + " of "
                        + (table.size() - 1) + " peers within " + timeout.toMillis() + " ms: "
                        + String.join("; ", reasons)
                        + ". Are these ranks alive, and does a firewall let their ports through?");
    }

    private static String waitingFor(Dial dial) {
        return dial.attempt == null ? dial.lastReason : "it does not answer";
    }

    private String place(int rank) {
        RankTable.Entry entry = table.entry(rank);
        return entry.host() + ":" + entry.port();
    }

    private static String reasonOf(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    private static String remote(SocketChannel channel) {
        try {
            return String.valueOf(channel.getRemoteAddress());
        } catch (IOException e) {
            return "a closed socket";
        }
    }

    private void closeAttempts() {
        for (Attempt attempt : accepted) {
            close(attempt.channel);
        }
        for (Dial dial : dials) {
            if (dial != null && dial.attempt != null) {
                close(dial.attempt.channel);
            }
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            JavaTransport.LOG.debug("closing a connection: {}", e.toString());
        }
    }
}
