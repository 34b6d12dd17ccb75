package org.gridmpj.transport;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.OutOfReach;
import org.gridmpj.job.RankTable;
import org.jspecify.annotations.Nullable;

/**
 * Moves frames between the ranks of a job.
 *
 * <pre>
 *        mpi ── comm ── pt2pt            matching, protocols, progress: org.gridmpj.pt2pt
 *                 │  ▲
 *    offer(frame) │  │ onFrame, onFrameComplete, onPeerLost
 *                 ▼  │
 *   Endpoint per peer   FrameSink
 *        └────── Transport ──────┐       transport-java, transport-gridtcp, testkit's InMemoryTransport
 *                │               │
 *             sockets     shared memory
 * </pre>
 *
 * <p><b>Life.</b> {@link #bind} → {@link #connect} → polls and offers → {@link #drain} → {@link #close}. The caller of
 * bind hands the address to the launcher, which distributes the IP table.
 *
 * <p><b>Threads.</b> {@link #poll}, {@link #connect}, {@link #update}, {@link #drain}, {@link #close} and every
 * {@link Endpoint} are confined to the holder of the engine's progress lock. {@link #await} is called by one thread at a
 * time, without that lock. {@link #wakeup}, {@link #onKnock} and {@link #onGoodbye} may be called by any thread. No upcall is made outside poll, connect and
 * drain, so the engine never sees two threads at once; a transport with threads of its own (Netty's) hands what arrives
 * to the poller.
 *
 * <p><b>Buffers.</b> A payload stays the engine's: the transport reads it during {@link Endpoint#offer} (up to
 * {@link Endpoint#copiedPayloadLimitBytes} always) or until it calls {@link PayloadSource#released()}; arriving bytes are
 * poured into the sink that {@link FrameSink#onFrame} named, straight from the wire's buffer.
 *
 * <p><b>When full.</b> {@link Endpoint.Offer#BACK_PRESSURED}; nothing blocks, nothing is dropped.
 */
public interface Transport extends AutoCloseable {
    /** What {@link #eagerLimitBytes} is where nothing else was measured. */
    int EAGER_LIMIT_BYTES = 64 << 10;

    /** What it is on connections, of either transport: docs/performance/causes.md. */
    int CONNECTION_EAGER_LIMIT_BYTES = 128 << 10;

    /**
     * Starts to listen.
     *
     * @param host name or literal of the local address to bind: loopback for a local job
     * @return the port that peers are to dial
     * @throws org.gridmpj.error.MpiFailure if the address cannot be bound
     */
    int bind(String host);

    /**
     * Connects all pairs by the rule of the IP table: dials the lower ranks, accepts from the higher ones. Returns when
     * every peer is connected; in jobs above a stated number of ranks a transport may put each pair off until one has something
     * for the other, if there is a {@link Knocker}.
     *
     * @throws org.gridmpj.error.MpiFailure naming the ranks that could not be reached within the time
     */
    void connect(RankTable table, Duration timeout);

    /**
     * Instead of {@link #connect}, in a process that is to take over its rank from another one: peers that are named here
     * are linked when an {@link #update} comes, not before. {@link #thaw} follows.
     *
     * @throws org.gridmpj.error.MpiFailure if this transport does not recover
     */
    default void arrive(RankTable table) {
        throw new MpiFailure(ErrorClass.INTERN, "this transport does not recover: no rank can move");
    }

    /**
     * After {@link #arrive}: tries once to link the peers, which do not know this process yet and refuse it, so that nothing is
     * done for the first time when the {@link #update} comes. Only where they really do not know it.
     */
    default void rehearse() {}

    /** Whether every peer that has to be is linked with this process, as far as is known. */
    default boolean isLinked() {
        return true;
    }

    /**
     * Peers that have had no link with this process for long, though they are where the IP table says. It goes on trying. Any
     * thread may ask; what it gets may be a second old.
     */
    default List<OutOfReach> outOfReach() {
        return List.of();
    }

    /**
     * A later IP table: ranks have moved or have a new incarnation. Ignored unless its epoch is higher.
     *
     * @throws org.gridmpj.error.MpiFailure if this transport does not recover
     */
    void update(RankTable table);

    /** A peer has something for this rank and says so by its {@link Knocker}: this rank is to dial it. Any thread may call. */
    default void onKnock(int peerRank) {}

    /**
     * A peer that had nothing for this rank has called Finalize and says so by its {@link Knocker}: as if its frame FINALIZED
     * had come. Any thread may call; the upcall is made in a later poll.
     */
    default void onGoodbye(int peerRank) {}

    /** The way to a peer; the same object at each call until {@link #renew}. The own rank has none: the engine delivers to itself. */
    Endpoint endpoint(int worldRank);

    /**
     * A peer has died and goes back to a snapshot while this rank runs on: its channel begins anew, empty at both ends;
     * what was on its way is forgotten. It is linked again when its process dials, or when an {@link #update} has named it.
     * {@link #endpoint} gives another object from here on.
     *
     * @param incarnation of the process that takes the peer's place
     * @throws org.gridmpj.error.MpiFailure if this transport does not recover
     */
    default void renew(int worldRank, int incarnation) {
        throw new MpiFailure(ErrorClass.INTERN, "this transport does not recover: no rank can go back alone");
    }

    /**
     * Makes progress: takes what has arrived (upcalls), sends what is staged. Never blocks.
     *
     * @return whether anything was done
     */
    boolean poll();

    /** As {@link #poll}, by a thread that polls again and again: what is only due now and then may wait for a later round. */
    default boolean pollAgain() {
        return poll();
    }

    /** Blocks until there may be work for {@link #poll}, a {@link #wakeup}, or the time is over. Spurious returns are fine. */
    void await(long timeoutNanos);

    /** Makes {@link #await} return, now or the next time it is called. */
    void wakeup();

    /**
     * Memory that ranks of this host share beside their links, or null: this transport has none, at all ranks of the job
     * alike. Whether two ranks can have some is found out by trying.
     */
    default @Nullable HostMemory hostMemory() {
        return null;
    }

    /**
     * Up to this length a message had better be sent at once than be asked for by its receiver. A matter of measurement, but the same
     * at both ends and in all lives of a job.
     *
     * @param onOneHost whether the two ranks were on one host when the job began
     */
    default int eagerLimitBytes(boolean onOneHost) {
        return EAGER_LIMIT_BYTES;
    }

    /**
     * Whether something that was accepted waits here for room on its channel. Goodbyes wait until nothing does, and let others
     * have the progress lock meanwhile, as {@link #drain} does not.
     */
    default boolean isBacklogged() {
        return false;
    }

    /**
     * Orderly end: polls until all accepted frames have reached their peers, or the time is over.
     *
     * @return whether all did
     */
    boolean drain(Duration timeout);

    /** Whether a cut connection or a restarted peer is invisible to the engine, so that checkpoints are possible. */
    boolean recovers();

    /**
     * What the channels hold, as named sections of a snapshot: bytes read but not decoded, frames staged or retained but
     * unconfirmed, numbers. Empty for a transport that does not recover.
     */
    default Map<String, byte[]> freeze() {
        return Map.of();
    }

    /** Takes back the sections of {@link #freeze}, before {@link #connect} or after {@link #arrive}. */
    default void thaw(Map<String, byte[]> sections) {}

    /** Closes every socket and ends every thread; idempotent, does not throw. */
    @Override
    void close();
}
