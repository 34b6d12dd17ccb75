package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import mpi.MPI;

/** Every collective of an intracommunicator, with each rank as root. */
public final class CollectiveCallsProgram {
    private CollectiveCallsProgram() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        MPI.COMM_WORLD.Barrier();
        for (int root = 0; root < size; root++) {
            rooted(rank, size, root);
        }
        unrooted(rank, size);
        reductions(rank, size);
        MPI.Finalize();
    }

    private static void rooted(int rank, int size, int root) {
        double[] all = new double[1000];
        if (rank == root) {
            Arrays.setAll(all, i -> i + root);
        }
        MPI.COMM_WORLD.Bcast(all, 1, 998, MPI.DOUBLE, root);
        assertThat(all[500]).isEqualTo(500 + root);
        Object[] word = {rank == root ? "word" + root : null};
        MPI.COMM_WORLD.Bcast(word, 0, 1, MPI.OBJECT, root);
        assertThat(word[0]).isEqualTo("word" + root);

        int[] mine = {rank, rank * rank};
        int[] gathered = rank == root ? new int[2 * size] : null;
        MPI.COMM_WORLD.Gather(mine, 0, 2, MPI.INT, gathered, 0, 2, MPI.INT, root);
        int[] scattered = new int[2];
        MPI.COMM_WORLD.Scatter(gathered, 0, 2, MPI.INT, scattered, 0, 2, MPI.INT, root);
        assertThat(scattered).isEqualTo(mine);

        int[] counts = IntStream.range(0, size).map(r -> r + 1).toArray();
        int[] displs = IntStream.range(0, size).map(r -> r * (r + 3) / 2).toArray();
        int room = displs[size - 1] + counts[size - 1];
        int[] block = new int[rank + 1];
        Arrays.fill(block, rank);
        int[] blocks = new int[room];
        Arrays.fill(blocks, -1);
        MPI.COMM_WORLD.Gatherv(block, 0, rank + 1, MPI.INT, blocks, 0, counts, displs, MPI.INT, root);
        if (rank == root) {
            for (int r = 0; r < size; r++) {
                assertThat(Arrays.copyOfRange(blocks, displs[r], displs[r] + counts[r]))
                        .containsOnly(r);
            }
        }
        int[] back = new int[rank + 1];
        MPI.COMM_WORLD.Scatterv(blocks, 0, counts, displs, MPI.INT, back, 0, rank + 1, MPI.INT, root);
        assertThat(back).containsOnly(rank);
        // a MPJ Express habit: the arrays that do not matter are null
        MPI.COMM_WORLD.Gatherv(
                block,
                0,
                rank + 1,
                MPI.INT,
                rank == root ? blocks : null,
                0,
                rank == root ? counts : null,
                rank == root ? displs : null,
                MPI.INT,
                root);
    }

    private static void unrooted(int rank, int size) {
        String[] names = new String[size];
        MPI.COMM_WORLD.Allgather(new String[] {"r" + rank}, 0, 1, MPI.OBJECT, names, 0, 1, MPI.OBJECT);
        for (int r = 0; r < size; r++) {
            assertThat(names[r]).isEqualTo("r" + r);
        }
        int[] counts = IntStream.range(0, size).map(r -> r % 3).toArray();
        int[] displs = IntStream.range(0, size).map(r -> 2 * r).toArray();
        long[] mine = new long[counts[rank]];
        Arrays.fill(mine, rank);
        long[] all = new long[2 * size];
        MPI.COMM_WORLD.Allgatherv(mine, 0, mine.length, MPI.LONG, all, 0, counts, displs, MPI.LONG);
        for (int r = 0; r < size; r++) {
            assertThat(all[2 * r]).isEqualTo(counts[r] > 0 ? r : 0);
        }
        short[] out = new short[size];
        short[] in = new short[size];
        for (int r = 0; r < size; r++) {
            out[r] = (short) (10 * rank + r);
        }
        MPI.COMM_WORLD.Alltoall(out, 0, 1, MPI.SHORT, in, 0, 1, MPI.SHORT);
        for (int r = 0; r < size; r++) {
            assertThat(in[r]).isEqualTo((short) (10 * r + rank));
        }
        int[] ones = new int[size];
        Arrays.fill(ones, 1);
        int[] places = IntStream.range(0, size).map(r -> size - 1 - r).toArray();
        MPI.COMM_WORLD.Alltoallv(
                out, 0, ones, IntStream.range(0, size).toArray(), MPI.SHORT, in, 0, ones, places, MPI.SHORT);
        for (int r = 0; r < size; r++) {
            assertThat(in[size - 1 - r]).isEqualTo((short) (10 * r + rank));
        }
    }

    private static void reductions(int rank, int size) {
        int total = size * (size - 1) / 2;
        for (int root = 0; root < size; root++) {
            double[] sum = rank == root ? new double[2] : null;
            MPI.COMM_WORLD.Reduce(new double[] {rank, 1}, 0, sum, 0, 2, MPI.DOUBLE, MPI.SUM, root);
            if (sum != null) {
                assertThat(sum).containsExactly(total, size);
            }
        }
        int[] max = new int[1];
        MPI.COMM_WORLD.Allreduce(new int[] {rank}, 0, max, 0, 1, MPI.INT, MPI.MAX);
        assertThat(max[0]).isEqualTo(size - 1);
        int[] scan = new int[1];
        MPI.COMM_WORLD.Scan(new int[] {rank + 1}, 0, scan, 0, 1, MPI.INT, MPI.SUM);
        assertThat(scan[0]).isEqualTo((rank + 1) * (rank + 2) / 2);
        int[] before = {-1};
        MPI.COMM_WORLD.Exscan(new int[] {rank + 1}, 0, before, 0, 1, MPI.INT, MPI.SUM);
        assertThat(before[0]).isEqualTo(rank == 0 ? -1 : rank * (rank + 1) / 2);
        int[] vector = IntStream.range(0, 2 * size).toArray();
        int[] part = new int[2];
        int[] twos = new int[size];
        Arrays.fill(twos, 2);
        MPI.COMM_WORLD.Reduce_scatter(vector, 0, part, 0, twos, MPI.INT, MPI.SUM);
        assertThat(part).containsExactly(2 * rank * size, (2 * rank + 1) * size);
    }
}
