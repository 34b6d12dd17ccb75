package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import mpi.Datatype;
import mpi.MPI;
import mpi.Status;

/** Sendrecv and Sendrecv_replace around a ring and along an open line with PROC_NULL. */
public final class Shifts {
    private Shifts() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;

        long[] got = new long[2];
        Status status = MPI.COMM_WORLD.Sendrecv(
                new long[] {rank, rank + 1}, 0, 2, MPI.LONG, right, 1, got, 0, 2, MPI.LONG, left, 1);
        assertThat(got).containsExactly(left, left + 1);
        assertThat(status.source).isEqualTo(left);

        float[] both = new float[50_000];
        Arrays.fill(both, rank);
        MPI.COMM_WORLD.Sendrecv_replace(both, 0, both.length, MPI.FLOAT, right, 2, left, 2);
        assertThat(both).containsOnly(left);

        int[] line = {-7, rank, -7, rank, -7};
        Datatype odd = Datatype.Indexed(new int[] {1, 1}, new int[] {1, 3}, MPI.INT);
        MPI.COMM_WORLD.Sendrecv_replace(line, 0, 1, odd, right, 3, left, 3);
        assertThat(line).containsExactly(-7, left, -7, left, -7);

        String[] name = {"rank " + rank};
        MPI.COMM_WORLD.Sendrecv_replace(name, 0, 1, MPI.OBJECT, right, 4, left, 4);
        assertThat(name).containsExactly("rank " + left);

        int up = rank == size - 1 ? MPI.PROC_NULL : rank + 1;
        int down = rank == 0 ? MPI.PROC_NULL : rank - 1;
        int[] edge = {-1};
        Status fromBelow =
                MPI.COMM_WORLD.Sendrecv(new int[] {rank}, 0, 1, MPI.INT, up, 5, edge, 0, 1, MPI.INT, down, 5);
        assertThat(edge[0]).isEqualTo(rank == 0 ? -1 : rank - 1);
        assertThat(fromBelow.source).isEqualTo(down);
        assertThat(fromBelow.Get_count(MPI.INT)).isEqualTo(rank == 0 ? 0 : 1);
        MPI.Finalize();
    }
}
