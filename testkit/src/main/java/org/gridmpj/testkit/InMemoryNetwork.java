package org.gridmpj.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;

/**
 * A network within one JVM: opens {@link InMemoryTransport}s that reach each other. One network per job.
 */
public final class InMemoryNetwork implements TransportProvider {
    /**
     * How the network behaves.
     *
     * @param frameCapacity frames that one channel holds before it presses back
     * @param pieceBytes payloads travel in pieces of this size; a multiple of 8
     * @param copiedLimitBytes payloads up to this size are copied when offered; longer ones are read piece by piece
     * @param seed of the random order and delays, or 0 for none: each poll serves the peers in another order, delivers
     *     another number of pieces, and sometimes leaves a peer out
     */
    public record Behaviour(int frameCapacity, int pieceBytes, int copiedLimitBytes, long seed) {
        /** Roomy, prompt and in whole pieces. */
        public static Behaviour plain() {
            return new Behaviour(1024, 64 << 10, 64 << 10, 0);
        }

        /** Narrow, in small pieces, with random order and delay across peers. */
        public static Behaviour adverse(long seed) {
            return new Behaviour(3, 1 << 10, 512, seed == 0 ? 1 : seed);
        }
    }

    private final Behaviour behaviour;
    private final List<@Nullable InMemoryTransport> ranks = Collections.synchronizedList(new ArrayList<>());

    public InMemoryNetwork(Behaviour behaviour) {
        this.behaviour = behaviour;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Transport open(Context context) {
        InMemoryTransport transport = new InMemoryTransport(this, context, behaviour);
        synchronized (ranks) {
            while (ranks.size() < context.job().size()) {
                ranks.add(null);
            }
            ranks.set(context.worldRank(), transport);
        }
        return transport;
    }

    /** The transport of a rank; all are open once the IP table is known. */
    InMemoryTransport rank(int worldRank) {
        InMemoryTransport transport = ranks.get(worldRank);
        if (transport == null) {
            throw new IllegalStateException("rank " + worldRank + " has not opened its transport");
        }
        return transport;
    }

    /**
     * What one rank has sent another so far.
     *
     * @param messages of the program and of collectives
     * @param payloadBytes of all frames
     */
    public record Traffic(long messages, long payloadBytes) {}

    /** What one rank has sent another; they are not the same, and have been connected. */
    public Traffic traffic(int fromWorldRank, int toWorldRank) {
        return rank(fromWorldRank).traffic(toWorldRank);
    }

    /** Lets a rank die: all others lose it after what it has sent so far. */
    public void kill(int worldRank) {
        synchronized (ranks) {
            for (InMemoryTransport transport : ranks) {
                if (transport != null) {
                    transport.lose(worldRank);
                }
            }
        }
    }
}
