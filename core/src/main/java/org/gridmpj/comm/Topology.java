package org.gridmpj.comm;

/** A virtual topology, cached on an intracommunicator (MPI standard, chapter 8). */
public sealed interface Topology permits CartesianTopology, GraphTopology {
    /** Number of processes that the topology arranges. */
    int size();

    /** The rank that a process of this old rank gets (MPI_Cart_map, MPI_Graph_map), UNDEFINED beyond the last place. */
    default int map(int oldRank) {
        return oldRank < size() ? oldRank : Communicator.UNDEFINED;
    }
}
