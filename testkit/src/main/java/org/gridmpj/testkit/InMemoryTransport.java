package org.gridmpj.testkit;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.RankTable;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;

/**
 * Frames between ranks of one JVM, through bounded queues; see {@link InMemoryNetwork.Behaviour}. Keeps to the threading
 * rules of {@link Transport}.
 */
final class InMemoryTransport implements Transport {
    private static final int PIECES_PER_POLL = 64;
    private static final long LEFT_OUT_AWAIT_NANOS = 100_000;

    private final InMemoryNetwork network;
    private final TransportProvider.Context context;
    private final InMemoryNetwork.Behaviour behaviour;
    private final Random random;
    private final InMemoryChannel[] outgoing;
    /** Ranks that have died, told at the next poll. Guarded by wakeLock. */
    private final boolean[] dying;

    private final boolean[] lost;

    private final ReentrantLock wakeLock = new ReentrantLock();
    private final Condition woken = wakeLock.newCondition();
    private boolean wake;
    private boolean anyDying;
    /** The last poll has left a peer out, so there may be work: await must not block for long. */
    private volatile boolean leftOut;

    private volatile boolean connected;
    private volatile boolean closed;

    InMemoryTransport(InMemoryNetwork network, TransportProvider.Context context, InMemoryNetwork.Behaviour behaviour) {
        this.network = network;
        this.context = context;
        this.behaviour = behaviour;
        int size = context.job().size();
        random = new Random(behaviour.seed() * 31 + context.worldRank());
        outgoing = new InMemoryChannel[size];
        dying = new boolean[size];
        lost = new boolean[size];
    }

    @Override
    public int bind(String host) {
        return context.worldRank() + 1;
    }

    @Override
    public void connect(RankTable table, Duration timeout) {
        for (int rank = 0; rank < outgoing.length; rank++) {
            if (rank != context.worldRank()) {
                outgoing[rank] = new InMemoryChannel(this, context.worldRank(), network.rank(rank), behaviour);
            }
        }
        connected = true;
    }

    @Override
    public void update(RankTable table) {}

    @Override
    public Endpoint endpoint(int worldRank) {
        return outgoing[worldRank];
    }

    InMemoryNetwork.Traffic traffic(int toWorldRank) {
        return outgoing[toWorldRank].traffic();
    }

    @Override
    public boolean poll() {
        int size = outgoing.length;
        boolean adverse = behaviour.seed() != 0;
        int first = adverse ? random.nextInt(size) : 0;
        boolean any = false;
        leftOut = false;
        for (int i = 0; i < size; i++) {
            int rank = (first + i) % size;
            if (rank == context.worldRank()) {
                continue;
            }
            if (adverse && random.nextInt(4) == 0) {
                leftOut = true;
                continue;
            }
            any |= outgoing[rank].pump();
            InMemoryTransport peer = network.rank(rank);
            if (peer.connected && !lost[rank]) {
                any |= peer.outgoing[context.worldRank()].deliver(
                        context.sink(), adverse ? 1 + random.nextInt(4) : PIECES_PER_POLL);
            }
        }
        return tellLost() || any;
    }

    private boolean tellLost() {
        boolean any = false;
        for (int rank = 0; rank < dying.length; rank++) {
            if (takeDying(rank)) {
                lost[rank] = true;
                any = true;
                context.sink()
                        .onPeerLost(
                                rank,
                                new MpiFailure(
                                        ErrorClass.PROC_FAILED, "world rank " + rank + " was killed by the test"));
            }
        }
        return any;
    }

    private boolean takeDying(int rank) {
        if (lost[rank] || rank == context.worldRank()) {
            return false;
        }
        wakeLock.lock();
        try {
            return anyDying
                    && dying[rank]
                    && network.rank(rank).outgoing[context.worldRank()].isEmpty();
        } finally {
            wakeLock.unlock();
        }
    }

    void lose(int worldRank) {
        wakeLock.lock();
        try {
            anyDying = true;
            dying[worldRank] = true;
        } finally {
            wakeLock.unlock();
        }
        if (connected && worldRank != context.worldRank()) {
            outgoing[worldRank].close();
        }
        wakeup();
    }

    @Override
    public void await(long timeoutNanos) {
        wakeLock.lock();
        try {
            long left = leftOut ? Math.min(timeoutNanos, LEFT_OUT_AWAIT_NANOS) : timeoutNanos;
            while (!wake && left > 0) {
                left = woken.awaitNanos(left);
            }
            wake = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            wakeLock.unlock();
        }
    }

    @Override
    public void wakeup() {
        wakeLock.lock();
        try {
            if (!wake) {
                wake = true;
                woken.signalAll();
            }
        } finally {
            wakeLock.unlock();
        }
    }

    @Override
    public boolean drain(Duration timeout) {
        long endNanos = System.nanoTime() + timeout.toNanos();
        while (System.nanoTime() < endNanos) {
            boolean empty = true;
            for (int rank = 0; rank < outgoing.length; rank++) {
                if (rank != context.worldRank() && !lost[rank] && !network.rank(rank).closed) {
                    outgoing[rank].pump();
                    empty &= outgoing[rank].isEmpty();
                }
            }
            if (empty) {
                return true;
            }
            await(100_000);
        }
        return false;
    }

    @Override
    public boolean recovers() {
        return true;
    }

    @Override
    public void close() {
        closed = true;
        wakeup();
    }
}
