package mpj;

import mpi.Comm;
import mpi.Intracomm;
import mpi.MPIException;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.CallJournal;
import org.jspecify.annotations.Nullable;

/**
 * A communicator of the report of 2005: all calls of {@link Intracomm}, and the names of its own.
 *
 * <p>A receive takes a message only if the datatype matches as well as source and tag; others stay queued. Recv gives a
 * {@link MPJMessage}, which is a Status too.
 */
public class Communicator extends Intracomm {
    Communicator(Comm other) {
        super(other);
    }

    /** A predefined communicator under this name, now and after each Init. */
    static Communicator of(Comm predefined) {
        Communicator communicator = new Communicator(predefined);
        communicator.follow(predefined);
        return communicator;
    }

    /**
     * Size of the permanent buffers that messages are serialized in, of the whole process. They grow with the messages by
     * themselves: a program that names its largest message spares them that. A snapshot keeps the size.
     *
     * @param numBytes size in bytes, from 1
     */
    public void SetBufferSize(int numBytes) {
        if (numBytes < 1) {
            throw newException(new MpiFailure(ErrorClass.ARG, "SetBufferSize: " + numBytes + " bytes are too few"));
        }
        setSerializationBufferBytes("SetBufferSize", numBytes);
    }

    /** The size that these buffers begin with, in bytes. */
    public int GetBufferSize() {
        return serializationBufferBytes("GetBufferSize");
    }

    // ---- the draft's names -------------------------------------------------------------------------------------

    /** As Send. */
    public void send(Object buf, int offset, int count, mpi.Datatype type, int dest, int tag) {
        Send(buf, offset, count, type, dest, tag);
    }

    /** As Recv. */
    public MPJMessage recv(Object buf, int offset, int count, mpi.Datatype type, int src, int tag) {
        return Recv(buf, offset, count, type, src, tag);
    }

    /** As Isend. */
    public Request isend(Object buf, int offset, int count, mpi.Datatype type, int dest, int tag) {
        return Isend(buf, offset, count, type, dest, tag);
    }

    /** As Irecv. */
    public Request irecv(Object buf, int offset, int count, mpi.Datatype type, int src, int tag) {
        return Irecv(buf, offset, count, type, src, tag);
    }

    /** As Irecv. */
    public Request IRecv(Object buf, int offset, int count, mpi.Datatype type, int src, int tag) {
        return Irecv(buf, offset, count, type, src, tag);
    }

    /** As Allgather. */
    public void AllGather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            mpi.Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            mpi.Datatype recvtype) {
        Allgather(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
    }

    /** As Allgatherv. */
    public void AllGatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            mpi.Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            int[] displs,
            mpi.Datatype recvtype) {
        Allgatherv(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcounts, displs, recvtype);
    }

    /** As Alltoall. */
    public void AllToAll(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            mpi.Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            mpi.Datatype recvtype) {
        Alltoall(sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype);
    }

    /** As Alltoallv. */
    public void AllToAllv(
            Object sendbuf,
            int sendoffset,
            int[] sendcounts,
            int[] sdispls,
            mpi.Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            int[] rdispls,
            mpi.Datatype recvtype) {
        Alltoallv(
                sendbuf, sendoffset, sendcounts, sdispls, sendtype, recvbuf, recvoffset, recvcounts, rdispls, recvtype);
    }

    // ---- results of the own kind -------------------------------------------------------------------------------

    @Override
    public MPJMessage Recv(Object buf, int offset, int count, mpi.Datatype datatype, int source, int tag) {
        return ((MPJMessage) super.Recv(buf, offset, count, datatype, source, tag)).in(buf);
    }

    @Override
    public Status Sendrecv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            mpi.Datatype sendtype,
            int dest,
            int sendtag,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            mpi.Datatype recvtype,
            int source,
            int recvtag) {
        return (Status) super.Sendrecv(
                sendbuf,
                sendoffset,
                sendcount,
                sendtype,
                dest,
                sendtag,
                recvbuf,
                recvoffset,
                recvcount,
                recvtype,
                source,
                recvtag);
    }

    @Override
    public Status Sendrecv_replace(
            Object buf, int offset, int count, mpi.Datatype datatype, int dest, int sendtag, int source, int recvtag) {
        return (Status) super.Sendrecv_replace(buf, offset, count, datatype, dest, sendtag, source, recvtag);
    }

    @Override
    public Status Probe(int source, int tag) {
        return (Status) super.Probe(source, tag);
    }

    @Override
    public @Nullable Status Iprobe(int source, int tag) {
        return (Status) super.Iprobe(source, tag);
    }

    @Override
    public Request Isend(Object buf, int offset, int count, mpi.Datatype datatype, int dest, int tag) {
        return (Request) super.Isend(buf, offset, count, datatype, dest, tag);
    }

    @Override
    public Request Ibsend(Object buf, int offset, int count, mpi.Datatype datatype, int dest, int tag) {
        return (Request) super.Ibsend(buf, offset, count, datatype, dest, tag);
    }

    @Override
    public Request Issend(Object buf, int offset, int count, mpi.Datatype datatype, int dest, int tag) {
        return (Request) super.Issend(buf, offset, count, datatype, dest, tag);
    }

    @Override
    public Request Irsend(Object buf, int offset, int count, mpi.Datatype datatype, int dest, int tag) {
        return (Request) super.Irsend(buf, offset, count, datatype, dest, tag);
    }

    @Override
    public Request Irecv(Object buf, int offset, int count, mpi.Datatype datatype, int source, int tag) {
        return (Request) super.Irecv(buf, offset, count, datatype, source, tag);
    }

    @Override
    public Prequest Send_init(Object buf, int offset, int count, mpi.Datatype datatype, int dest, int tag) {
        return (Prequest) super.Send_init(buf, offset, count, datatype, dest, tag);
    }

    @Override
    public Prequest Bsend_init(Object buf, int offset, int count, mpi.Datatype datatype, int dest, int tag) {
        return (Prequest) super.Bsend_init(buf, offset, count, datatype, dest, tag);
    }

    @Override
    public Prequest Ssend_init(Object buf, int offset, int count, mpi.Datatype datatype, int dest, int tag) {
        return (Prequest) super.Ssend_init(buf, offset, count, datatype, dest, tag);
    }

    @Override
    public Prequest Rsend_init(Object buf, int offset, int count, mpi.Datatype datatype, int dest, int tag) {
        return (Prequest) super.Rsend_init(buf, offset, count, datatype, dest, tag);
    }

    @Override
    public Prequest Recv_init(Object buf, int offset, int count, mpi.Datatype datatype, int source, int tag) {
        return (Prequest) super.Recv_init(buf, offset, count, datatype, source, tag);
    }

    @Override
    public Group Group() {
        return new Group(super.Group());
    }

    @Override
    public Communicator clone() {
        return new Communicator(super.clone());
    }

    @Override
    public @Nullable Communicator Split(int color, int key) {
        Intracomm part = super.Split(color, key);
        return part == null ? null : new Communicator(part);
    }

    @Override
    public @Nullable Communicator Create(mpi.Group group) {
        Intracomm part = super.Create(group);
        return part == null ? null : new Communicator(part);
    }

    @Override
    public @Nullable Communicator Creat(mpi.Group group) {
        return Create(group);
    }

    /** As {@link Intracomm#Reduce}; with MAXLOC and MINLOC of plain values the root's recvbuf is a {@code DataLoc[]}. */
    @Override
    public void Reduce(
            Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int count,
            mpi.Datatype datatype,
            mpi.Op op,
            int root) {
        if (!Locations.areWanted(datatype, op)) {
            super.Reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op, root);
            return;
        }
        if (Rank() == root && !(recvbuf instanceof DataLoc[])) {
            throw newException(new MpiFailure(
                    ErrorClass.BUFFER,
                    "Reduce with " + op + " of plain values: the root's buffer must be a DataLoc[], not "
                            + (recvbuf == null ? "null" : recvbuf.getClass().getTypeName())));
        }
        try (CallJournal _ = enter()) {
            Object pairs = keep(() -> Locations.pairs(sendbuf, sendoffset, count, Rank()));
            Object found = keep(() -> Locations.like(pairs));
            super.Reduce(pairs, 0, found, 0, count, Locations.typeOf(pairs), op, root);
            if (recvbuf instanceof DataLoc[] target && Rank() == root) {
                Locations.store(found, target, recvoffset);
            }
        }
    }

    @Override
    protected boolean matchesType() {
        return true;
    }

    @Override
    protected Status newStatus() {
        return new MPJMessage();
    }

    @Override
    protected Request newRequest(org.gridmpj.pt2pt.@Nullable Request operation) {
        return new Request(this, operation);
    }

    @Override
    protected Prequest persistent(org.gridmpj.pt2pt.@Nullable Request operation) {
        return new Prequest(this, operation);
    }

    @Override
    protected MPIException newException(MpiFailure failure) {
        return new MPJException(failure);
    }
}
