package org.gridmpj.testkit.dialect;

import mpi.MPI;

/** One rank calls Abort(42) while the others wait. */
public final class Aborting {
    private Aborting() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        if (MPI.COMM_WORLD.Rank() == MPI.COMM_WORLD.Size() - 1) {
            MPI.COMM_WORLD.Abort(42);
        }
        MPI.COMM_WORLD.Barrier();
        MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 4711);
    }
}
