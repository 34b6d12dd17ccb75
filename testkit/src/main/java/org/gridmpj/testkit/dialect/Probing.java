package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import mpi.MPI;
import mpi.Status;

/** A master that does not know who sends what: ANY_SOURCE, ANY_TAG, Probe, Iprobe, Get_count. */
public final class Probing {
    private Probing() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        if (rank == 0) {
            assertThat(MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, 12345)).isNull();
            boolean[] seen = new boolean[size];
            for (int i = 1; i < size; i++) {
                Status status = i % 2 == 0 ? MPI.COMM_WORLD.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG) : poll();
                int count = status.Get_count(MPI.INT);
                assertThat(status.count).isEqualTo(count);
                assertThat(count).isEqualTo(status.source);
                assertThat(status.tag).isEqualTo(status.source * 10);
                assertThat(status.Get_count(MPI.DOUBLE)).isEqualTo(count % 2 == 0 ? count / 2 : MPI.UNDEFINED);
                int[] got = new int[count];
                Status received = MPI.COMM_WORLD.Recv(got, 0, count, MPI.INT, status.source, status.tag);
                assertThat(received.source).isEqualTo(status.getSource());
                assertThat(received.getTag()).isEqualTo(status.tag);
                assertThat(got).containsOnly(status.source);
                seen[status.source] = true;
            }
            for (int i = 1; i < size; i++) {
                assertThat(seen[i]).isTrue();
            }
        } else {
            int[] data = new int[rank];
            java.util.Arrays.fill(data, rank);
            MPI.COMM_WORLD.Send(data, 0, rank, MPI.INT, 0, rank * 10);
        }
        Status nobody = MPI.COMM_WORLD.Probe(MPI.PROC_NULL, MPI.ANY_TAG);
        assertThat(nobody.source).isEqualTo(MPI.PROC_NULL);
        assertThat(nobody.tag).isEqualTo(MPI.ANY_TAG);
        assertThat(nobody.Get_count(MPI.INT)).isZero();
        assertThat(nobody.count).isZero();
        MPI.Finalize();
    }

    private static Status poll() {
        Status status = MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG);
        while (status == null) {
            status = MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG);
        }
        return status;
    }
}
