package org.gridmpj.testkit.dialect;

import mpi.MPI;

/** The last rank throws while the others wait. */
public final class Throwing {
    private Throwing() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        if (MPI.COMM_WORLD.Rank() == MPI.COMM_WORLD.Size() - 1) {
            throw new IllegalStateException("boom");
        }
        MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 4711);
    }
}
