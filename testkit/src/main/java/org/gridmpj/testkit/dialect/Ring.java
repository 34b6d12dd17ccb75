package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import mpi.MPI;
import mpi.Status;

/** A token goes round, each rank adds its number. */
public final class Ring {
    private Ring() {}

    public static void main(String[] args) throws Exception {
        String[] own = MPI.Init(args);
        assertThat(own).containsExactly(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int[] token = new int[1];
        int left = (rank + size - 1) % size;
        int right = (rank + 1) % size;
        if (rank == 0) {
            MPI.COMM_WORLD.Isend(token, 0, 1, MPI.INT, right, 7);
            Status status = MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, left, 7);
            assertThat(token[0]).isEqualTo(size * (size - 1) / 2);
            assertThat(status.source).isEqualTo(left);
            assertThat(status.tag).isEqualTo(7);
            assertThat(status.Get_count(MPI.INT)).isEqualTo(1);
        } else {
            MPI.COMM_WORLD.Recv(token, 0, 1, MPI.INT, left, 7);
            token[0] += rank;
            MPI.COMM_WORLD.Send(token, 0, 1, MPI.INT, right, 7);
        }
        MPI.Finalize();
    }
}
