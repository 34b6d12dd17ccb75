package mpi;

/** A graph topology: the neighbours of node i are {@code edges[index[i - 1]] … edges[index[i] - 1]} (MPI_Graph_get). */
public class GraphParms {
    /** Number of edges of the nodes 0 … i, for each i. */
    public int[] index;

    /** Neighbours of all nodes, one after the other. */
    public int[] edges;

    public GraphParms() {
        this(new int[0], new int[0]);
    }

    GraphParms(int[] index, int[] edges) {
        this.index = index;
        this.edges = edges;
    }
}
