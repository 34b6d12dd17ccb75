package org.gridmpj.comm;

import java.util.Arrays;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/**
 * Processes as the nodes of a graph (MPI standard, 8.5.3): index[i] is the number of neighbours of nodes 0 to i, edges
 * lists the neighbours of node 0, then of node 1, and so on.
 *
 * <pre>
 *   node 0 ─ 1, 3 · node 1 ─ 0 · node 2 ─ 3 · node 3 ─ 0, 2:   index {2, 3, 4, 6}   edges {1, 3, 0, 3, 0, 2}
 * </pre>
 *
 * Immutable. An edge may lead to the node itself, and be there twice; the graph need not be symmetric.
 */
public final class GraphTopology implements Topology {
    private final int[] index;
    private final int[] edges;

    /**
     * A graph.
     *
     * @throws MpiFailure of class TOPOLOGY if index decreases, tells of more edges than there are, or an edge leads to no
     *     node
     */
    public GraphTopology(int[] index, int[] edges) {
        int previous = 0;
        for (int end : index) {
            if (end < previous) {
                throw new MpiFailure(
                        ErrorClass.TOPOLOGY, "index " + Arrays.toString(index) + " of a graph must not decrease");
            }
            previous = end;
        }
        if (previous > edges.length) {
            throw new MpiFailure(
                    ErrorClass.TOPOLOGY,
                    "index " + Arrays.toString(index) + " tells of " + previous + " edges, there are " + edges.length);
        }
        this.index = index.clone();
        this.edges = Arrays.copyOf(edges, previous);
        for (int edge : this.edges) {
            if (edge < 0 || edge >= index.length) {
                throw new MpiFailure(
                        ErrorClass.TOPOLOGY,
                        "an edge leads to node " + edge + " of a graph of " + index.length + " nodes");
            }
        }
    }

    @Override
    public int size() {
        return index.length;
    }

    /** Running numbers of neighbours; a copy. */
    public int[] index() {
        return index.clone();
    }

    /** Neighbours, node after node; a copy. */
    public int[] edges() {
        return edges.clone();
    }

    /**
     * The neighbours of a node, in the order given.
     *
     * @throws MpiFailure of class RANK if it is no node
     */
    public int[] neighbours(int rank) {
        if (rank < 0 || rank >= index.length) {
            throw new MpiFailure(
                    ErrorClass.RANK, "rank " + rank + " is no node of the graph of " + index.length + " nodes");
        }
        return Arrays.copyOfRange(edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
    }

    @Override
    public String toString() {
        return "graph of " + index.length + " nodes and " + edges.length + " edges";
    }
}
