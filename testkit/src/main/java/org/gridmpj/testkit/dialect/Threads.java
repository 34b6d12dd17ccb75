package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import mpi.MPI;

/** MPI_THREAD_MULTIPLE: several threads of each rank talk to their counterparts at the same time. */
public final class Threads {
    private static final int THREADS = 3;
    private static final int ROUNDS = 40;

    private Threads() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int tag = thread;
                done.add(threads.submit(() -> shift(tag)));
            }
            for (Future<?> each : done) {
                each.get();
            }
        }
        assertThat(MPI.isMainThread()).isTrue();
        MPI.Finalize();
    }

    private static void shift(int tag) {
        int size = MPI.COMM_WORLD.Size();
        int rank = MPI.COMM_WORLD.Rank();
        int[] token = {rank};
        for (int round = 1; round <= ROUNDS; round++) {
            MPI.COMM_WORLD.Sendrecv_replace(
                    token, 0, 1, MPI.INT, (rank + 1) % size, tag, (rank + size - 1) % size, tag);
            assertThat(token[0]).isEqualTo(Math.floorMod(rank - round, size));
        }
    }
}
