package org.gridmpj.testkit.dialect;

import mpi.MPI;

/** With ERRORS_ARE_FATAL the last rank's error ends the job, as Abort does; the others wait for it in vain. */
public final class FatalError {
    private FatalError() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        MPI.COMM_WORLD.Errhandler_set(MPI.ERRORS_ARE_FATAL);
        if (MPI.COMM_WORLD.Rank() == MPI.COMM_WORLD.Size() - 1) {
            MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 1_000_000, 0);
        }
        MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 4711);
    }
}
