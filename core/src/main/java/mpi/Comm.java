package mpi;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.gridmpj.comm.CartesianTopology;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.CommunicatorCreation;
import org.gridmpj.comm.GraphTopology;
import org.gridmpj.comm.IntercommCreation;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.Packer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.event.MpiCall;
import org.gridmpj.pt2pt.CallJournal;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.SendMode;
import org.jspecify.annotations.Nullable;

/**
 * A communicator (MPI standard, chapters 3, 6 and 7). A buffer is an array, the offset of its first element and a number
 * of items of a datatype; ranks are ranks of the communicator, of the remote group in an intercommunicator.
 *
 * <p>An error throws {@link MPIException}, unless the error handler ends the job.
 */
public class Comm implements Freeable, Cloneable {
    /** What Pack_size answers for an object, which nobody has seen yet. */
    private static final int OBJECT_ESTIMATE_BYTES = 1024;

    static final String NULL_NAME = "COMM_NULL";

    private final String predefinedName;
    /** Under other names; bound when this is. */
    private final List<Comm> followers = new CopyOnWriteArrayList<>();

    private @Nullable CollectiveCalls collectives;
    private @Nullable Communicator communicator;
    private org.gridmpj.comm.@Nullable Group peers;
    /** It takes no more calls; what is under way still completes through it. */
    private boolean freed;

    private Errhandler errhandler = Errhandler.RETURNS;

    /** One of the predefined ones, bound later. */
    Comm(String predefinedName) {
        this.predefinedName = predefinedName;
    }

    Comm(Communicator communicator) {
        this.predefinedName = "";
        bind(communicator);
    }

    /** For subclasses under another name: the same communicator. */
    protected Comm(Comm other) {
        this.predefinedName = other.predefinedName;
        this.errhandler = other.errhandler;
        this.freed = other.freed;
        bind(other.communicator);
    }

    /** Is bound and unbound from now on when a predefined communicator is. */
    protected final void follow(Comm predefined) {
        predefined.followers.add(this);
        bind(predefined.communicator);
    }

    final void bind(@Nullable Communicator bound) {
        peers = bound == null ? null : bound.peerGroup();
        communicator = bound;
        for (Comm follower : followers) {
            follower.bind(bound);
        }
    }

    /** For the report of 2005: the size of the permanent serialization buffers of this process, in bytes. */
    protected final void setSerializationBufferBytes(String call, int bytes) {
        try {
            Binding.open(call).setSerializationBufferBytes(bytes);
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** What {@link #setSerializationBufferBytes} or the engine has chosen, in bytes. */
    protected final int serializationBufferBytes(String call) {
        try {
            return Binding.open(call).serializationBufferBytes();
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    // ---- blocking point-to-point -------------------------------------------------------------------------------

    /** Blocking send (MPI_Send). */
    public void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        send("Send", SendMode.STANDARD, buf, offset, count, datatype, dest, tag);
    }

    /** Blocking send out of the buffer attached with {@link MPI#Buffer_attach} (MPI_Bsend). */
    public void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        send("Bsend", SendMode.BUFFERED, buf, offset, count, datatype, dest, tag);
    }

    /** Blocking send that returns only when the receive has begun (MPI_Ssend). */
    public void Ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        send("Ssend", SendMode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
    }

    /** Blocking send to a receive that is known to be posted (MPI_Rsend). */
    public void Rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        send("Rsend", SendMode.READY, buf, offset, count, datatype, dest, tag);
    }

    /** Blocking receive (MPI_Recv). source may be MPI.ANY_SOURCE, tag MPI.ANY_TAG. */
    public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        MpiCall event = MpiCall.start();
        try (CallJournal _ = enter()) {
            Status status = receive(buf, offset, count, datatype, source, tag);
            if (event != null) {
                MpiCall.finish(event, "Recv", getName(), source, Arguments.bytes(count, datatype), tag);
            }
            return status;
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** A receive and a send at once (MPI_Sendrecv). */
    public Status Sendrecv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag) {
        try (CallJournal _ = enter()) {
            checkSend("Sendrecv", sendbuf, sendoffset, sendcount, sendtype, dest, sendtag);
            Request receive =
                    receiveRequest("Sendrecv", false, recvbuf, recvoffset, recvcount, recvtype, source, recvtag);
            return sendAndWait("Sendrecv", receive, sendbuf, sendoffset, sendcount, sendtype, dest, sendtag);
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** As Sendrecv with one buffer (MPI_Sendrecv_replace). */
    public Status Sendrecv_replace(
            Object buf, int offset, int count, Datatype datatype, int dest, int sendtag, int source, int recvtag) {
        TypeMap items = Arguments.type(datatype, "Sendrecv_replace");
        try (CallJournal _ = enter()) {
            Object copy = keep(() -> Arguments.copy("Sendrecv_replace", this, buf, offset, count, items));
            int copyOffset = Arguments.reachBelow(count, items);
            checkSend("Sendrecv_replace", copy, copyOffset, count, datatype, dest, sendtag);
            Request receive = receiveRequest("Sendrecv_replace", true, buf, offset, count, datatype, source, recvtag);
            return sendAndWait("Sendrecv_replace", receive, copy, copyOffset, count, datatype, dest, sendtag);
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    // ---- nonblocking point-to-point ----------------------------------------------------------------------------

    /** Nonblocking send (MPI_Isend). */
    public Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return startSend("Isend", SendMode.STANDARD, buf, offset, count, datatype, dest, tag);
    }

    /** Nonblocking Bsend. */
    public Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return startSend("Ibsend", SendMode.BUFFERED, buf, offset, count, datatype, dest, tag);
    }

    /** Nonblocking Ssend. */
    public Request Issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return startSend("Issend", SendMode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
    }

    /** Nonblocking Rsend. */
    public Request Irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return startSend("Irsend", SendMode.READY, buf, offset, count, datatype, dest, tag);
    }

    /** Nonblocking receive (MPI_Irecv). */
    public Request Irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        return receiveRequest("Irecv", false, buf, offset, count, datatype, source, tag);
    }

    // ---- persistent --------------------------------------------------------------------------------------------

    /** A persistent Send (MPI_Send_init). */
    public Prequest Send_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return persistentSend("Send_init", SendMode.STANDARD, buf, offset, count, datatype, dest, tag);
    }

    /** A persistent Bsend. */
    public Prequest Bsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return persistentSend("Bsend_init", SendMode.BUFFERED, buf, offset, count, datatype, dest, tag);
    }

    /** A persistent Ssend. */
    public Prequest Ssend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return persistentSend("Ssend_init", SendMode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
    }

    /** A persistent Rsend. */
    public Prequest Rsend_init(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return persistentSend("Rsend_init", SendMode.READY, buf, offset, count, datatype, dest, tag);
    }

    /** A persistent Recv (MPI_Recv_init). */
    public Prequest Recv_init(Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        try {
            Communicator open = open("Recv_init");
            TypeMap items = Arguments.type("Recv_init", this, datatype);
            int room = Arguments.room("Recv_init", this, buf, offset, count, items);
            int from = source("Recv_init", source);
            int tagOrAny = tagOrAny("Recv_init", tag);
            return persistent(
                    source == MPI.PROC_NULL
                            ? null
                            : open.pointToPoint()
                                    .receiveInit(
                                            orNothing(buf),
                                            offset,
                                            room,
                                            items,
                                            from,
                                            open.pointToPointContext(),
                                            tagOrAny,
                                            matchesType()));
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    // ---- probe -------------------------------------------------------------------------------------------------

    /** Blocks until a message could be received (MPI_Probe). */
    public Status Probe(int source, int tag) {
        MpiCall event = MpiCall.start();
        try (CallJournal _ = enter()) {
            Communicator open = open("Probe");
            int from = source("Probe", source);
            int tagOrAny = tagOrAny("Probe", tag);
            if (source == MPI.PROC_NULL) {
                return procNullStatus();
            }
            MessageStatus message = new MessageStatus();
            open.pointToPoint().probe(from, open.pointToPointContext(), tagOrAny, message);
            if (event != null) {
                MpiCall.finish(event, "Probe", getName(), source, message.bytes, tag);
            }
            return statusOf(message);
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** What could be received now, or null (MPI_Iprobe). */
    public @Nullable Status Iprobe(int source, int tag) {
        try {
            Communicator open = open("Iprobe");
            int from = source("Iprobe", source);
            int tagOrAny = tagOrAny("Iprobe", tag);
            if (source == MPI.PROC_NULL) {
                return procNullStatus();
            }
            MessageStatus found = open.pointToPoint().iprobe(from, open.pointToPointContext(), tagOrAny);
            return found == null ? null : statusOf(found);
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    // ---- pack --------------------------------------------------------------------------------------------------

    /**
     * Packs items into a byte array (MPI_Pack). Objects are serialized one by one, so Unpack may take any number.
     *
     * @return position of the first byte behind them
     */
    public int Pack(Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position) {
        try {
            open("Pack");
            TypeMap items = Arguments.type("Pack", this, datatype);
            return Packer.pack(inbuf, offset, incount, items, outbuf, position);
        } catch (MpiFailure failure) {
            throw raise(Arguments.within("Pack", this, failure));
        }
    }

    /** As Pack into a byte array; the buffer's own position and limit do not change. */
    public int Pack(Object inbuf, int offset, int incount, Datatype datatype, ByteBuffer outbuf, int position) {
        try {
            open("Pack");
            TypeMap items = Arguments.type("Pack", this, datatype);
            return Packer.pack(inbuf, offset, incount, items, outbuf, position);
        } catch (MpiFailure failure) {
            throw raise(Arguments.within("Pack", this, failure));
        }
    }

    /**
     * Takes items out of a byte array (MPI_Unpack).
     *
     * @return position of the first byte behind them
     */
    public int Unpack(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype) {
        try {
            open("Unpack");
            TypeMap items = Arguments.type("Unpack", this, datatype);
            return Packer.unpack(inbuf, position, outbuf, offset, outcount, items);
        } catch (MpiFailure failure) {
            throw raise(Arguments.within("Unpack", this, failure));
        }
    }

    /** As Unpack from a byte array. */
    public int Unpack(ByteBuffer inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype) {
        try {
            open("Unpack");
            TypeMap items = Arguments.type("Unpack", this, datatype);
            return Packer.unpack(inbuf, position, outbuf, offset, outcount, items);
        } catch (MpiFailure failure) {
            throw raise(Arguments.within("Unpack", this, failure));
        }
    }

    /** Bytes that Pack needs at most; an estimate for objects, whose size is known only when they are packed. */
    public int Pack_size(int incount, Datatype datatype) {
        try {
            open("Pack_size");
            TypeMap items = Arguments.type("Pack_size", this, datatype);
            Arguments.count("Pack_size", this, incount);
            return items.base() == BaseType.OBJECT
                    ? Math.multiplyExact(incount, items.size() * OBJECT_ESTIMATE_BYTES)
                    : Packer.packSize(incount, items);
        } catch (MpiFailure failure) {
            throw raise(Arguments.within("Pack_size", this, failure));
        }
    }

    /** The items as bytes (mpiJava). */
    public byte[] Object_Serialize(Object buf, int offset, int count, Datatype type) {
        try {
            open("Object_Serialize");
            TypeMap items = Arguments.type("Object_Serialize", this, type);
            byte[] bytes = new byte[Packer.packSize(buf, offset, count, items)];
            Packer.pack(buf, offset, count, items, bytes, 0);
            return bytes;
        } catch (MpiFailure failure) {
            throw raise(Arguments.within("Object_Serialize", this, failure));
        }
    }

    /** Takes back what Object_Serialize gave (mpiJava). */
    public void Object_Deserialize(Object buf, byte[] bytes, int offset, int count, Datatype type) {
        Unpack(bytes, 0, buf, offset, count, type);
    }

    // ---- collectives -------------------------------------------------------------------------------------------

    /** Blocks until all processes have called it (MPI_Barrier). */
    public void Barrier() {
        collectives().barrier();
    }

    /** Sends from the root to all (MPI_Bcast). */
    public void Bcast(Object buf, int offset, int count, Datatype datatype, int root) {
        collectives().bcast(buf, offset, count, datatype, root);
    }

    /** Collects the items of all at the root, in rank order (MPI_Gather). */
    public void Gather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        collectives().gather(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root);
    }

    /** As Gather with a count and a displacement for each rank (MPI_Gatherv). */
    public void Gatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int @Nullable [] recvcounts,
            int @Nullable [] displs,
            Datatype recvtype,
            int root) {
        collectives()
                .gatherv(
                        sendbuf,
                        sendoffset,
                        sendcount,
                        sendtype,
                        recvbuf,
                        recvoffset,
                        recvcounts,
                        displs,
                        recvtype,
                        root);
    }

    /** Deals out the root's items in rank order (MPI_Scatter). */
    public void Scatter(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        collectives().scatter(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root);
    }

    /** As Scatter with a count and a displacement for each rank (MPI_Scatterv). */
    public void Scatterv(
            @Nullable Object sendbuf,
            int sendoffset,
            int @Nullable [] sendcounts,
            int @Nullable [] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        collectives()
                .scatterv(
                        sendbuf,
                        sendoffset,
                        sendcounts,
                        displs,
                        sendtype,
                        recvbuf,
                        recvoffset,
                        recvcount,
                        recvtype,
                        root);
    }

    /** As Gather, the result goes to all (MPI_Allgather). */
    public void Allgather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype) {
        collectives().allgather(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
    }

    /** As Gatherv, the result goes to all (MPI_Allgatherv). */
    public void Allgatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            int[] displs,
            Datatype recvtype) {
        collectives()
                .allgatherv(
                        sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcounts, displs, recvtype);
    }

    /** Sends a block to each, receives a block from each (MPI_Alltoall). */
    public void Alltoall(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype) {
        collectives().alltoall(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
    }

    /** As Alltoall with a count and a displacement for each rank (MPI_Alltoallv). */
    public void Alltoallv(
            Object sendbuf,
            int sendoffset,
            int[] sendcounts,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            int[] rdispls,
            Datatype recvtype) {
        collectives()
                .alltoallv(
                        sendbuf,
                        sendoffset,
                        sendcounts,
                        sdispls,
                        sendtype,
                        recvbuf,
                        recvoffset,
                        recvcounts,
                        rdispls,
                        recvtype);
    }

    /** Combines the vectors of all by an operation, result at the root (MPI_Reduce). */
    public void Reduce(
            Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op,
            int root) {
        collectives().reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op, root);
    }

    /** As Reduce, the result goes to all (MPI_Allreduce). */
    public void Allreduce(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op) {
        collectives().allreduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
    }

    /** As Reduce, the result is dealt out by counts (MPI_Reduce_scatter). */
    public void Reduce_scatter(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            Datatype datatype,
            Op op) {
        collectives().reduceScatter(sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, datatype, op);
    }

    // ---- the communicator itself -------------------------------------------------------------------------------

    /** Number of processes, of the local group in an intercommunicator. */
    public int Size() {
        return called("Size").size();
    }

    /** Own rank. */
    public int Rank() {
        return called("Rank").rank();
    }

    /** Its processes, the local group in an intercommunicator. */
    public Group Group() {
        return new Group(called("Group").group());
    }

    /** MPI.IDENT: the same; MPI.CONGRUENT: same processes in the same order; MPI.SIMILAR: any order; MPI.UNEQUAL. */
    public static int Compare(Comm comm1, Comm comm2) {
        return switch (comm1.called("Compare").compare(comm2.called("Compare"))) {
            case IDENT -> MPI.IDENT;
            case CONGRUENT -> MPI.CONGRUENT;
            case SIMILAR -> MPI.SIMILAR;
            case UNEQUAL -> MPI.UNEQUAL;
        };
    }

    /** A new communicator of the same processes (MPI_Comm_dup). */
    @Override
    public Comm clone() {
        Communicator duplicate = duplicate();
        return inherit(duplicate.isInter() ? new Intercomm(duplicate) : new Intracomm(duplicate));
    }

    /**
     * An intercommunicator of two groups (MPI_Intercomm_create); this is the communicator of both leaders.
     *
     * @param localComm communicator of the own side
     * @param localLeader rank of the own leader in localComm
     * @param remoteLeader rank of the other leader in this communicator
     * @param tag tag for the leaders' exchange
     */
    public Intercomm Create_intercomm(Comm localComm, int localLeader, int remoteLeader, int tag) {
        try (CallJournal _ = enter()) {
            Communicator peer = open("Create_intercomm");
            Communicator local = localComm.open("Create_intercomm");
            Arguments.peer("Create_intercomm", localComm, "local leader", localLeader, local.size());
            Arguments.tag("Create_intercomm", this, tag);
            if (local.rank() == localLeader) {
                Arguments.peer("Create_intercomm", this, "remote leader", remoteLeader, peers().size());
            }
            return inherit(new Intercomm(IntercommCreation.create(local, localLeader, peer, remoteLeader, tag)));
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** Gives the communicator back (MPI_Comm_free); operations under way complete as ever (MPI standard, 7.4.3). */
    public void Free() {
        try {
            Communicator open = open("Free");
            if (!predefinedName.isEmpty()) {
                throw Arguments.bad(ErrorClass.COMM, "Free", this, "a predefined communicator cannot be freed");
            }
            open.free();
            freed = true;
            // kept schedules, and memory that the ranks of the host share
            collectives = null;
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** As {@link #Free}. */
    @Override
    public void free() {
        Free();
    }

    /** Whether this is COMM_NULL or was freed. */
    public boolean Is_null() {
        return freed || (communicator == null && (predefinedName.isEmpty() || predefinedName.equals(NULL_NAME)));
    }

    /** Whether this is an intercommunicator. */
    public boolean Test_inter() {
        return called("Test_inter").isInter();
    }

    /** MPI.CART, MPI.GRAPH or MPI.UNDEFINED. */
    public int Topo_test() {
        return switch (called("Topo_test").topology()) {
            case CartesianTopology grid -> MPI.CART;
            case GraphTopology graph -> MPI.GRAPH;
            case null -> MPI.UNDEFINED;
        };
    }

    /** Ends all processes of the job; the code becomes the exit code (MPI_Abort). */
    public void Abort(int errorcode) {
        try {
            Binding.open("Abort").abort(errorcode, "MPI.Abort(" + errorcode + ") on " + describe());
        } catch (MpiFailure failure) {
            throw new MPIException(failure);
        }
    }

    /** Sets what an error does: MPI.ERRORS_RETURN or MPI.ERRORS_ARE_FATAL. */
    public void Errhandler_set(Errhandler handler) {
        errhandler = Objects.requireNonNull(handler, "handler");
    }

    /** As {@link #Errhandler_set}. */
    public void Errorhandler_set(Errhandler handler) {
        Errhandler_set(handler);
    }

    /** What an error does. */
    public Errhandler Errorhandler_get() {
        return errhandler;
    }

    /** As {@link #Errorhandler_get}. */
    public Errhandler Errhandler_get() {
        return errhandler;
    }

    /** A new key for attributes, which copies of the communicator share (MPI_Keyval_create). */
    public static int Keyval_create() {
        return Keyvals.create();
    }

    /** Gives a key back. */
    public static void Keyval_free(int keyval) {
        Keyvals.free(keyval);
    }

    /** Keeps a number with the communicator (MPI_Attr_put). */
    public void Attr_put(int keyval, int value) {
        Attr_put(keyval, Integer.valueOf(value));
    }

    /** Keeps an object with the communicator. */
    public void Attr_put(int keyval, Object value) {
        try {
            Communicator open = open("Attr_put");
            open.attributes().put(open, Keyvals.own("Attr_put", this, keyval), value);
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** The number kept under MPI.TAG_UB, MPI.HOST, MPI.IO, MPI.WTIME_IS_GLOBAL or an own key; else MPI.UNDEFINED. */
    public int Attr_get(int keyval) {
        try {
            return Keyvals.get(open("Attr_get"), this, keyval);
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** Forgets an attribute (MPI_Attr_delete). */
    public void Attr_delete(int keyval) {
        try {
            Communicator open = open("Attr_delete");
            open.attributes().delete(open, Keyvals.own("Attr_delete", this, keyval));
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** Name for messages to people. */
    public final String getName() {
        Communicator current = communicator;
        return current == null ? predefinedName : current.name();
    }

    @Override
    public String toString() {
        return describe();
    }

    // ---- for the classes of the facade -------------------------------------------------------------------------

    /** Whether a receive takes only messages of its own datatype, as MPJ of 2005 does. */
    protected boolean matchesType() {
        return false;
    }

    /** A fresh status, of the kind that this communicator's calls return. */
    protected Status newStatus() {
        return new Status();
    }

    /** A fresh request, of the kind that this communicator's calls return; null: with PROC_NULL. */
    protected Request newRequest(org.gridmpj.pt2pt.@Nullable Request operation) {
        return new Request(this, operation);
    }

    /** A fresh exception of the kind that this communicator's calls throw. */
    protected MPIException newException(MpiFailure failure) {
        return new MPIException(failure);
    }

    /** What to throw for an error; does not return if errors are fatal. */
    final MPIException raise(MpiFailure failure) {
        if (errhandler.isFatal() && Binding.isOpen()) {
            String reason = failure.errorClass().text() + ": " + failure.getMessage();
            Binding.open("Abort").abort(failure.errorClass().code(), reason);
        }
        return newException(failure);
    }

    /** Made when it is needed first; two threads may make two, which do the same. */
    final CollectiveCalls collectives() {
        CollectiveCalls calls = collectives;
        if (calls == null) {
            calls = new CollectiveCalls(this);
            collectives = calls;
        }
        return calls;
    }

    /** A duplicate; attributes as their keys say. */
    final Communicator duplicate() {
        try {
            return CommunicatorCreation.dup(open("clone"));
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** A new communicator begins with the error handler of the one that it was made from (MPI standard, 9.3). */
    final <C extends Comm> C inherit(C made) {
        made.Errhandler_set(errhandler);
        return made;
    }

    /** The communicator, or NOT_INITIALIZED or COMM. */
    final Communicator open(String call) {
        Communicator current = communicator;
        if (current == null || freed || !Binding.isOpen()) {
            Binding.open(call);
            throw new MpiFailure(ErrorClass.COMM, call + ": the communicator is null or was freed");
        }
        current.pointToPoint().capturePoint();
        return current;
    }

    /** A call begins that blocks, or has more than one effect; to be closed at its end. See {@link PointToPoint#enter}. */
    protected final @Nullable CallJournal enter() {
        Communicator current = communicator;
        return current == null || !Binding.isOpen()
                ? null
                : current.pointToPoint().enter();
    }

    /** A temporary array that the operations of such a call refer to: the same one when the call is entered again. */
    protected final <T> T keep(Supplier<T> made) {
        return called("keep").pointToPoint().keep(made);
    }

    final Communicator called(String call) {
        try {
            return open(call);
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    final PointToPoint pointToPoint(String call) {
        return open(call).pointToPoint();
    }

    /** What completes operations under way, also those of a communicator that was freed meanwhile. */
    final PointToPoint engine(String call) {
        Communicator current = communicator;
        if (current == null || !Binding.isOpen()) {
            return pointToPoint(call);
        }
        current.pointToPoint().capturePoint();
        return current.pointToPoint();
    }

    final Status statusOf(MessageStatus message) {
        Status status = newStatus();
        int world = message.sourceWorldRank;
        status.fill(message, world < 0 ? MPI.PROC_NULL : peers().rankOf(world));
        return status;
    }

    final Status procNullStatus() {
        Status status = newStatus();
        status.fillProcNull();
        return status;
    }

    /** Name, rank and size, for messages to people. */
    final String describe() {
        Communicator current = communicator;
        return current == null ? getName() : current.name() + ", rank " + current.rank() + " of " + current.size();
    }

    // ---- checks and translations -------------------------------------------------------------------------------

    private void send(
            String call, SendMode mode, Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        MpiCall event = MpiCall.start();
        try (CallJournal _ = enter()) {
            Communicator open = open(call);
            TypeMap items = Arguments.type(call, this, datatype);
            Object array = Arguments.buffer(call, this, buf, offset, count, items);
            int peer = destination(call, dest, tag);
            if (dest != MPI.PROC_NULL) {
                open.pointToPoint().send(mode, array, offset, count, items, peer, open.pointToPointContext(), tag);
            }
            if (event != null) {
                MpiCall.finish(event, call, getName(), dest, Arguments.bytes(count, datatype), tag);
            }
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** Before the receive of the same call is posted, which would stay behind. */
    private void checkSend(String call, Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        open(call);
        Object _ = Arguments.buffer(call, this, buf, offset, count, Arguments.type(call, this, datatype));
        int _ = destination(call, dest, tag);
    }

    /** When the send of the same call fails, its receive is taken back: later messages are of later receives. */
    private Status sendAndWait(
            String call, Request receive, Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        try {
            send(call, SendMode.STANDARD, buf, offset, count, datatype, dest, tag);
        } catch (RuntimeException failure) {
            try {
                receive.Cancel();
                receive.Free();
            } catch (RuntimeException another) {
                failure.addSuppressed(another);
            }
            throw failure;
        }
        return receive.Wait();
    }

    private Status receive(Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        Communicator open = open("Recv");
        TypeMap items = Arguments.type("Recv", this, datatype);
        int room = Arguments.room("Recv", this, buf, offset, count, items);
        int from = source("Recv", source);
        int tagOrAny = tagOrAny("Recv", tag);
        if (source == MPI.PROC_NULL) {
            return procNullStatus();
        }
        MessageStatus message = new MessageStatus();
        open.pointToPoint()
                .receive(
                        orNothing(buf),
                        offset,
                        room,
                        items,
                        from,
                        open.pointToPointContext(),
                        tagOrAny,
                        matchesType(),
                        message);
        return statusOf(message);
    }

    private Request startSend(
            String call, SendMode mode, Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        MpiCall event = MpiCall.start();
        try {
            Communicator open = open(call);
            TypeMap items = Arguments.type(call, this, datatype);
            Object array = Arguments.buffer(call, this, buf, offset, count, items);
            int peer = destination(call, dest, tag);
            long context = open.pointToPointContext();
            Request request = newRequest(
                    dest == MPI.PROC_NULL
                            ? null
                            : open.pointToPoint().isend(mode, array, offset, count, items, peer, context, tag));
            if (event != null) {
                MpiCall.finish(event, call, getName(), dest, Arguments.bytes(count, datatype), tag);
            }
            return request;
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** @param sent whether what lies in buf is being sent meanwhile */
    private Request receiveRequest(
            String call, boolean sent, Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        MpiCall event = MpiCall.start();
        try {
            Communicator open = open(call);
            TypeMap items = Arguments.type(call, this, datatype);
            int room = Arguments.room(call, this, buf, offset, count, items);
            int from = source(call, source);
            int tagOrAny = tagOrAny(call, tag);
            long context = open.pointToPointContext();
            Request request = newRequest(
                    source == MPI.PROC_NULL
                            ? null
                            : open.pointToPoint()
                                    .ireceive(
                                            orNothing(buf),
                                            offset,
                                            room,
                                            items,
                                            from,
                                            context,
                                            tagOrAny,
                                            matchesType(),
                                            !sent));
            if (event != null) {
                MpiCall.finish(event, call, getName(), source, Arguments.bytes(count, datatype), tag);
            }
            return request;
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    private Prequest persistentSend(
            String call, SendMode mode, Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        try {
            Communicator open = open(call);
            TypeMap items = Arguments.type(call, this, datatype);
            Object array = Arguments.buffer(call, this, buf, offset, count, items);
            int peer = destination(call, dest, tag);
            long context = open.pointToPointContext();
            return persistent(
                    dest == MPI.PROC_NULL
                            ? null
                            : open.pointToPoint().sendInit(mode, array, offset, count, items, peer, context, tag));
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** A fresh persistent request, of the kind that this communicator's calls return. */
    protected Prequest persistent(org.gridmpj.pt2pt.@Nullable Request operation) {
        return new Prequest(this, operation);
    }

    private int destination(String call, int dest, int tag) {
        Arguments.tag(call, this, tag);
        if (dest == MPI.PROC_NULL) {
            return dest;
        }
        org.gridmpj.comm.Group group = peers();
        Arguments.peer(call, this, "destination", dest, group.size());
        return group.worldRank(dest);
    }

    private int source(String call, int source) {
        if (source == MPI.ANY_SOURCE) {
            return PointToPoint.ANY_SOURCE;
        }
        if (source == MPI.PROC_NULL) {
            return source;
        }
        org.gridmpj.comm.Group group = peers();
        Arguments.peer(call, this, "source", source, group.size());
        return group.worldRank(source);
    }

    private int tagOrAny(String call, int tag) {
        if (tag == MPI.ANY_TAG) {
            return PointToPoint.ANY_TAG;
        }
        Arguments.tag(call, this, tag);
        return tag;
    }

    private org.gridmpj.comm.Group peers() {
        return Objects.requireNonNull(peers);
    }

    private static Object orNothing(@Nullable Object buf) {
        return buf == null ? Arguments.NOTHING : buf;
    }
}
