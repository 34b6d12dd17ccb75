package org.gridmpj.launcher;

import mpi.MPI;
import mpi.Status;

/** The program of the job that the start-up caches are made from: what nearly every program does. */
public final class Rehearsal {
    private static final int TAG = 7;

    private Rehearsal() {}

    /** @param argv how many milliseconds it takes at the least, for a job that takes snapshots */
    public static void main(String[] argv) {
        String[] args = MPI.Init(argv);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        double[] values = {rank, 1.0};
        if (rank == 0) {
            MPI.COMM_WORLD.Send(values, 0, 2, MPI.DOUBLE, 1, TAG);
        } else if (rank == 1) {
            MPI.COMM_WORLD.Recv(values, 0, 2, MPI.DOUBLE, 0, TAG);
        }
        Object[] greeting = {"rank " + rank};
        if (rank > 0) {
            MPI.COMM_WORLD.Send(greeting, 0, 1, MPI.OBJECT, rank - 1, TAG);
        }
        if (rank < size - 1) {
            Status _ = MPI.COMM_WORLD.Recv(greeting, 0, 1, MPI.OBJECT, rank + 1, TAG);
        }
        double[] sum = new double[2];
        MPI.COMM_WORLD.Allreduce(values, 0, sum, 0, 2, MPI.DOUBLE, MPI.SUM);
        MPI.COMM_WORLD.Bcast(values, 0, 2, MPI.DOUBLE, 0);
        MPI.COMM_WORLD.Barrier();
        // what a rank does while snapshots are taken
        long untilNanos = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
        boolean[] goesOn = {true};
        while (goesOn[0]) {
            goesOn[0] = System.nanoTime() - untilNanos < 0;
            MPI.COMM_WORLD.Bcast(goesOn, 0, 1, MPI.BOOLEAN, 0);
        }
        System.out.println("rank " + rank + " of " + size + ": " + sum[1]);
        MPI.Finalize();
    }
}
