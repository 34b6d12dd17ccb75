package mpi;

import org.gridmpj.comm.CartesianTopology;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.CommunicatorCreation;
import org.gridmpj.comm.GraphTopology;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.CallJournal;
import org.jspecify.annotations.Nullable;

/** A communicator of one group (MPI standard, 7.2). */
public class Intracomm extends Comm {
    Intracomm(String predefinedName) {
        super(predefinedName);
    }

    Intracomm(Communicator communicator) {
        super(communicator);
    }

    /** For subclasses under another name: the same communicator. */
    protected Intracomm(Comm other) {
        super(other);
    }

    @Override
    public Intracomm clone() {
        return inherit(new Intracomm(duplicate()));
    }

    /**
     * A communicator for each color, its ranks ordered by key (MPI_Comm_split).
     *
     * @return null for color MPI.UNDEFINED
     */
    public @Nullable Intracomm Split(int color, int key) {
        try (CallJournal _ = enter()) {
            Communicator part = CommunicatorCreation.split(open("Split"), color, key);
            return part == null ? null : inherit(new Intracomm(part));
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /**
     * A communicator of a group (MPI_Comm_create); mpiJava's spelling.
     *
     * @return null for processes that are not in the group
     */
    public @Nullable Intracomm Creat(Group group) {
        return Create(group);
    }

    /**
     * A communicator of a group (MPI_Comm_create).
     *
     * @return null for processes that are not in the group
     */
    public @Nullable Intracomm Create(Group group) {
        try {
            Communicator part = CommunicatorCreation.create(open("Create"), group.open("Create"));
            return part == null ? null : inherit(new Intracomm(part));
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /**
     * A communicator whose processes form a grid (MPI_Cart_create).
     *
     * @return null for processes that are not in the grid
     */
    public @Nullable Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) {
        try {
            Communicator old = open("Create_cart");
            Communicator grid = CommunicatorCreation.cartesian(old, new CartesianTopology(dims, periods));
            return grid == null ? null : inherit(new Cartcomm(grid));
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /**
     * A communicator whose processes are the nodes of a graph (MPI_Graph_create).
     *
     * @return null for processes that are not in the graph
     */
    public @Nullable Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) {
        try {
            Communicator graph = CommunicatorCreation.graph(open("Create_graph"), new GraphTopology(index, edges));
            return graph == null ? null : inherit(new Graphcomm(graph));
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    /** Combines the vectors of ranks 0 … own (MPI_Scan). */
    public void Scan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op) {
        collectives().scan(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
    }

    /** Combines the vectors of ranks 0 … own − 1; rank 0 receives nothing (MPI_Exscan). */
    public void Exscan(
            Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype datatype, Op op) {
        collectives().exscan(sendbuf, sendoffset, recvbuf, recvoffset, count, datatype, op);
    }
}
