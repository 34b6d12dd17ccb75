package org.gridmpj.comm;

/** A virtual topology, cached on an intracommunicator (MPI standard, chapter 8). */
public sealed interface Topology permits CartesianTopology, GraphTopology {
    /** Number of processes that the topology arranges. */
    int size();
}
