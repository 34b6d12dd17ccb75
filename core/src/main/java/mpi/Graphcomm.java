package mpi;

import org.gridmpj.comm.Communicator;

/** A communicator whose processes are the nodes of a graph (MPI standard, 8.5). */
public class Graphcomm extends Intracomm {
    Graphcomm(Communicator communicator) {
        super(communicator);
    }

    @Override
    public Graphcomm clone() {
        throw new IllegalStateException("skeleton");
    }

    @Override
    public int Topo_test() {
        called("Topo_test");
        return MPI.GRAPH;
    }

    /** The whole graph. */
    public GraphParms Get() {
        throw new IllegalStateException("skeleton");
    }

    /** Neighbours of a rank. */
    public int[] Neighbours(int rank) {
        throw new IllegalStateException("skeleton");
    }

    /** The rank that this process would have in a graph, or MPI.UNDEFINED (MPI_Graph_map). */
    public int Map(int[] index, int[] edges) {
        throw new IllegalStateException("skeleton");
    }
}
