package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import mpi.Datatype;
import mpi.MPI;

/** Calls of no items, with null or with an array: a rank may have nothing to send or to receive, the others go on. */
public final class ZeroItems {
    private ZeroItems() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        for (Datatype type : new Datatype[] {MPI.INT, MPI.OBJECT, Datatype.Contiguous(0, MPI.INT)}) {
            boolean objects = type.equals(MPI.OBJECT);
            for (Object none : new Object[] {null, objects ? new Object[1] : new int[1]}) {
                pointToPoint(rank, size, none, type);
                collective(size, none, type);
                if (!objects) {
                    reductions(size, none, type);
                }
            }
        }
        // often enough for the ranks of one host to have memory of their own
        for (int i = 0; i < 20; i++) {
            MPI.COMM_WORLD.Bcast(null, 0, 0, MPI.INT, 0);
            MPI.COMM_WORLD.Allreduce(null, 0, null, 0, 0, MPI.INT, MPI.SUM);
            MPI.COMM_WORLD.Allgather(null, 0, 0, MPI.INT, null, 0, 0, MPI.INT);
            MPI.COMM_WORLD.Alltoall(null, 0, 0, MPI.INT, null, 0, 0, MPI.INT);
            int[] sum = new int[1];
            MPI.COMM_WORLD.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(size * (size - 1) / 2);
        }
        for (int without = 0; without < size; without++) {
            variable(rank, size, without);
        }
        MPI.Finalize();
    }

    private static void pointToPoint(int rank, int size, Object none, Datatype type) {
        MPI.COMM_WORLD.Isend(none, 0, 0, type, (rank + 1) % size, 3);
        assertThat(MPI.COMM_WORLD.Recv(none, 0, 0, type, (rank + size - 1) % size, 3)
                        .Get_count(MPI.INT))
                .isZero();
        if (rank % 2 == 0 && rank + 1 < size) {
            MPI.COMM_WORLD.Send(none, 0, 0, type, rank + 1, 4);
        } else if (rank % 2 == 1) {
            MPI.COMM_WORLD.Recv(none, 0, 0, type, rank - 1, 4);
        }
    }

    private static void collective(int size, Object none, Datatype type) {
        int[] zeros = new int[size];
        for (int root = 0; root < size; root++) {
            MPI.COMM_WORLD.Bcast(none, 0, 0, type, root);
            MPI.COMM_WORLD.Gatherv(none, 0, 0, type, none, 0, zeros, zeros, type, root);
            MPI.COMM_WORLD.Scatterv(none, 0, zeros, zeros, type, none, 0, 0, type, root);
        }
        MPI.COMM_WORLD.Alltoallv(none, 0, zeros, zeros, type, none, 0, zeros, zeros, type);
        MPI.COMM_WORLD.Allgatherv(none, 0, 0, type, none, 0, zeros, zeros, type);
    }

    private static void reductions(int size, Object none, Datatype type) {
        MPI.COMM_WORLD.Allreduce(none, 0, none, 0, 0, type, MPI.SUM);
        MPI.COMM_WORLD.Scan(none, 0, none, 0, 0, type, MPI.SUM);
        MPI.COMM_WORLD.Reduce_scatter(none, 0, none, 0, new int[size], type, MPI.SUM);
    }

    /** One rank has nothing, and an array too short for the displacements of what it does not have. */
    private static void variable(int rank, int size, int without) {
        int[] all = IntStream.range(0, size).toArray();
        int[] ones = new int[size];
        Arrays.fill(ones, 1);
        boolean has = rank != without;
        int[] mine = has ? new int[] {100 + rank} : null;
        int[] others = ones.clone();
        others[without] = 0;
        int[] nobody = new int[size];
        int root = (without + 1) % size;
        int[] expected =
                IntStream.range(0, size).map(r -> r == without ? -1 : 100 + r).toArray();

        int[] got = new int[size];
        Arrays.fill(got, -1);
        MPI.COMM_WORLD.Gatherv(mine, 0, has ? 1 : 0, MPI.INT, got, 0, others, all, MPI.INT, root);
        if (rank == root && size > 1) {
            assertThat(got).isEqualTo(expected);
        }
        int[] back = {-1};
        MPI.COMM_WORLD.Scatterv(
                rank == root ? got : null, 0, others, all, MPI.INT, has ? back : null, 0, has ? 1 : 0, MPI.INT, root);
        assertThat(back[0]).isEqualTo(has ? 100 + rank : -1);

        int[] send = new int[size];
        Arrays.fill(send, 100 + rank);
        int[] receive = new int[has ? size : 0];
        Arrays.fill(receive, -1);
        int[] counts = has ? others : nobody;
        int[] far = IntStream.range(0, size).map(r -> has ? r : -1 - r).toArray();
        MPI.COMM_WORLD.Alltoallv(has ? send : null, 0, counts, far, MPI.INT, receive, 0, counts, far, MPI.INT);
        assertThat(receive).isEqualTo(has ? expected : new int[0]);
    }
}
