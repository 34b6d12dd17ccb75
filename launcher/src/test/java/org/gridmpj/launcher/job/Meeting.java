package org.gridmpj.launcher.job;

import mpi.MPI;

/** A program whose ranks meet once. */
final class Meeting {
    private Meeting() {}

    public static void main(String[] args) {
        MPI.Init(args);
        MPI.COMM_WORLD.Barrier();
        MPI.Finalize();
    }
}
