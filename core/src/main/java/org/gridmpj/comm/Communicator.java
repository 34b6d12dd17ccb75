package org.gridmpj.comm;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.CallJournal;
import org.gridmpj.pt2pt.PointToPoint;
import org.jspecify.annotations.Nullable;

/**
 * A group, its context ids and what is cached on it (MPI standard, 7.4). Two context ids: point-to-point and collective.
 *
 * <p>An intercommunicator has a remote group, to which its ranks refer in communication, and a hidden intracommunicator
 * of its local group ({@link #localCommunicator}) for the phases of its collectives that stay within one group.
 *
 * <p>Context ids are derived, without communication, from the path of creations (parent, ordinal of the creation in the
 * parent): each process of a communicator computes the same number, and a program that is run again after a crash
 * computes the same ones. Creations and collectives are in the same order on all processes, as the standard asks; the
 * two ordinals count them.
 *
 * <p>Thread-safe: everything but the ordinals, the name, the attributes and the freed mark is immutable.
 */
public final class Communicator {
    /** The rank that stands for no process: what is sent there vanishes (MPI_PROC_NULL). */
    public static final int PROC_NULL = -3;

    /** In a rooted collective of an intercommunicator: this process is the root (MPI_ROOT). */
    public static final int ROOT = -4;

    /** A colour of {@code split} that asks for no communicator; also the answer for unknown ranks. */
    public static final int UNDEFINED = Group.UNDEFINED;

    private final ProcessScope scope;
    private final ContextId contextId;
    private final long pointToPointContext;
    private final long collectiveContext;
    private final Group group;
    private final @Nullable Group remoteGroup;
    private final @Nullable Communicator localCommunicator;
    private final @Nullable Topology topology;
    private final int rank;
    private final Attributes attributes = new Attributes();
    private final AtomicLong creations = new AtomicLong();
    private final AtomicInteger collectives = new AtomicInteger();
    /** Made when it is first asked for; always the same, so that it does not matter by whom. */
    private volatile @Nullable Placement placement;

    private volatile String name;
    private volatile @Nullable Object collectiveState;
    private volatile boolean freed;

    /** All of it; takes the context ids into use. */
    Communicator(
            ProcessScope scope,
            ContextId contextId,
            Group group,
            @Nullable Group remoteGroup,
            @Nullable Communicator localCommunicator,
            @Nullable Topology topology,
            String name) {
        this.scope = scope;
        this.contextId = contextId;
        this.pointToPointContext = contextId.pointToPoint();
        this.collectiveContext = contextId.collective();
        this.group = group;
        this.remoteGroup = remoteGroup;
        this.localCommunicator = localCommunicator;
        this.topology = topology;
        this.rank = group.rankOf(scope.worldRank());
        this.name = name;
        if (rank == Group.UNDEFINED) {
            throw new MpiFailure(
                    ErrorClass.INTERN, "world rank " + scope.worldRank() + " is not in " + group + " of " + name);
        }
        scope.contexts().claim(pointToPointContext, name);
        scope.contexts().claim(collectiveContext, name);
    }

    /**
     * COMM_WORLD of a process.
     *
     * @param exchange for later creations of communicators; first used then
     */
    public static Communicator world(
            PointToPoint pointToPoint, int worldSize, int worldRank, CreationExchange exchange) {
        ProcessScope scope = new ProcessScope(pointToPoint, worldRank, exchange, new LiveContexts());
        return new Communicator(
                scope, ContextId.world(), Group.consecutive(0, worldSize), null, null, null, "MPI_COMM_WORLD");
    }

    /** COMM_SELF of the process that has this COMM_WORLD. */
    public static Communicator self(Communicator world) {
        int worldRank = world.scope.worldRank();
        return new Communicator(
                world.scope, ContextId.self(worldRank), Group.of(worldRank), null, null, null, "MPI_COMM_SELF");
    }

    /** The own rank in the local group. */
    public int rank() {
        return rank;
    }

    /** Number of processes in the local group. */
    public int size() {
        return group.size();
    }

    /** The local group. */
    public Group group() {
        return group;
    }

    /** The remote group of an intercommunicator, else null. */
    public @Nullable Group remoteGroup() {
        return remoteGroup;
    }

    /** Which ranks of the local group were on one host when the job began; the same at all of them. */
    public Placement placement() {
        Placement known = placement;
        if (known == null) {
            known = Placement.of(group, pointToPoint().hosts());
            placement = known;
        }
        return known;
    }

    /** Whether there is a remote group. */
    public boolean isInter() {
        return remoteGroup != null;
    }

    /** The group that ranks in communication refer to: the remote one of an intercommunicator, else the only one. */
    public Group peerGroup() {
        return remoteGroup != null ? remoteGroup : group;
    }

    /**
     * World rank of the process that a rank names in communication.
     *
     * @throws MpiFailure of class RANK if there is none; PROC_NULL is the caller's to handle
     */
    public int peerWorldRank(int peerRank) {
        return peerGroup().worldRank(peerRank);
    }

    /** The rank that names a process in communication (what Status.source shows), or −1. */
    public int peerRank(int worldRank) {
        return peerGroup().rankOf(worldRank);
    }

    /** An intercommunicator's local group as an intracommunicator with a context of its own. */
    public Communicator localCommunicator() {
        if (localCommunicator == null) {
            throw new MpiFailure(ErrorClass.COMM, name + " is an intracommunicator: it has no remote group");
        }
        return localCommunicator;
    }

    /** The Cartesian or graph topology, or null. */
    public @Nullable Topology topology() {
        return topology;
    }

    /** Context id of point-to-point messages. */
    public long pointToPointContext() {
        return pointToPointContext;
    }

    /** Context id of collectives. */
    public long collectiveContext() {
        return collectiveContext;
    }

    /** What the collectives of this communicator have found out about it, at all ranks alike; null at first. */
    public @Nullable Object collectiveState() {
        return collectiveState;
    }

    /** Plain data, part of an image with this communicator. */
    public void setCollectiveState(Object state) {
        collectiveState = state;
    }

    /**
     * The tag of the next collective: its ordinal in this communicator, so that collectives under way at the same time
     * do not mix. Wraps after 2³¹.
     */
    public int nextCollectiveTag() {
        return collectives.getAndIncrement() & Integer.MAX_VALUE;
    }

    /** The ordinal of the next creation within this communicator, from 1. */
    long nextCreation() {
        return CallJournal.step(pointToPoint().journal(), creations::incrementAndGet);
    }

    /** What carries its messages. */
    public PointToPoint pointToPoint() {
        return scope.pointToPoint();
    }

    /** What is cached on it (MPI standard, 7.7). */
    public Attributes attributes() {
        return attributes;
    }

    /** Name for messages to people. */
    public String name() {
        return name;
    }

    /** Gives another name (MPI standard, 7.8). */
    public void rename(String newName) {
        name = newName;
    }

    /** IDENT, CONGRUENT, SIMILAR or UNEQUAL (MPI standard, 7.4.1); both groups count for intercommunicators. */
    public Group.Comparison compare(Communicator other) {
        if (contextId.equals(other.contextId)) {
            return Group.Comparison.IDENT;
        }
        if (isInter() != other.isInter()) {
            return Group.Comparison.UNEQUAL;
        }
        Group.Comparison local = group.compare(other.group);
        Group.Comparison remote = peerGroup().compare(other.peerGroup());
        if (local == Group.Comparison.UNEQUAL || remote == Group.Comparison.UNEQUAL) {
            return Group.Comparison.UNEQUAL;
        }
        boolean sameOrder = local == Group.Comparison.IDENT && remote == Group.Comparison.IDENT;
        return sameOrder ? Group.Comparison.CONGRUENT : Group.Comparison.SIMILAR;
    }

    /**
     * Marks it freed, after the delete callbacks of its attributes (MPI_Comm_free). Operations under way complete.
     *
     * @throws MpiFailure of class COMM if it was freed before
     */
    public void free() {
        requireAlive();
        attributes.deleteAll(this);
        freed = true;
        Object state = collectiveState;
        if (state != null) {
            // what is shared for it refers to this communicator, and so to itself
            pointToPoint().besideChannels().forget(state);
        }
        scope.contexts().release(pointToPointContext);
        scope.contexts().release(collectiveContext);
        if (localCommunicator != null) {
            localCommunicator.free();
        }
    }

    /** Whether {@link #free} has been called. */
    public boolean isFreed() {
        return freed;
    }

    /**
     * To be called before an operation starts.
     *
     * @throws MpiFailure of class COMM if it was freed
     */
    public void requireAlive() {
        if (freed) {
            throw new MpiFailure(
                    ErrorClass.COMM, "communicator " + name + " has been freed: it cannot be used any more");
        }
    }

    ProcessScope scope() {
        return scope;
    }

    ContextId contextId() {
        return contextId;
    }

    @Override
    public String toString() {
        return name + "[rank " + rank + " of " + size() + (remoteGroup == null ? "" : ", remote " + remoteGroup.size())
                + "]";
    }
}
