package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import mpi.Intracomm;
import mpi.MPI;

/** Init after Finalize; COMM_WORLD kept in a field from before the first Init. */
public final class Again {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private Again() {}

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < 3; round++) {
            assertThat(MPI.initThread(MPI.THREAD_MULTIPLE, 0, args)).isEqualTo(args);
            int[] sum = new int[1];
            WORLD.Allreduce(new int[] {round}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(round * WORLD.Size());
            MPI.Finalize();
        }
    }
}
