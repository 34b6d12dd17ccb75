package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import mpi.MPI;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import org.gridmpj.error.ErrorClass;

/** Persistent requests in all modes, started several times. */
public final class Persistent {
    private Persistent() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        int[] out = new int[1];
        Prequest buffered = MPI.COMM_WORLD.Bsend_init(out, 0, 1, MPI.INT, right, 9);
        for (int i = 0; i < 2; i++) {
            // no room, so it stays inactive
            Check.fails(ErrorClass.BUFFER, buffered::Start, "Buffer_attach");
            assertThat(buffered.Wait().source).isEqualTo(MPI.ANY_SOURCE);
        }
        MPI.Buffer_attach(new byte[4096]);
        out[0] = rank;
        buffered.Start();
        buffered.Wait();
        buffered.Free();
        int[] fromLeft = new int[1];
        MPI.COMM_WORLD.Recv(fromLeft, 0, 1, MPI.INT, left, 9);
        assertThat(fromLeft[0]).isEqualTo(left);
        int[][] in = new int[4][1];
        Prequest[] requests = {
            MPI.COMM_WORLD.Recv_init(in[0], 0, 1, MPI.INT, left, 0),
            MPI.COMM_WORLD.Recv_init(in[1], 0, 1, MPI.INT, left, 1),
            MPI.COMM_WORLD.Recv_init(in[2], 0, 1, MPI.INT, left, 2),
            MPI.COMM_WORLD.Recv_init(in[3], 0, 1, MPI.INT, left, 3),
            MPI.COMM_WORLD.Send_init(out, 0, 1, MPI.INT, right, 0),
            MPI.COMM_WORLD.Bsend_init(out, 0, 1, MPI.INT, right, 1),
            MPI.COMM_WORLD.Ssend_init(out, 0, 1, MPI.INT, right, 2),
            MPI.COMM_WORLD.Recv_init(new int[1], 0, 1, MPI.INT, MPI.PROC_NULL, 0),
        };
        Prequest ready = MPI.COMM_WORLD.Rsend_init(out, 0, 1, MPI.INT, right, 3);
        for (int round = 0; round < 5; round++) {
            out[0] = 10 * rank + round;
            Prequest.Startall(requests);
            // all receives are posted everywhere before anybody sends in ready mode
            MPI.COMM_WORLD.Barrier();
            ready.Start();
            Check.fails(ErrorClass.REQUEST, requests[7]::Start, "active");
            assertThat(Request.Waitall(requests)[0].source).isEqualTo(left);
            ready.Wait();
            for (int[] got : in) {
                assertThat(got[0]).isEqualTo(10 * left + round);
            }
            assertThat(requests[0].Is_null()).isFalse();
        }
        completedInOtherWays(left, right);
        for (Prequest request : requests) {
            request.Free();
            assertThat(request.Is_null()).isTrue();
        }
        Check.fails(ErrorClass.REQUEST, requests[0]::Start, "freed");
        MPI.Buffer_detach();
        MPI.Finalize();
    }

    /** Waitany, Waitsome and Testall know the status of persistent requests too. */
    private static void completedInOtherWays(int left, int right) {
        int[] in = new int[1];
        Prequest[] pair = {
            MPI.COMM_WORLD.Recv_init(in, 0, 1, MPI.INT, left, 8),
            MPI.COMM_WORLD.Send_init(new int[] {left}, 0, 1, MPI.INT, right, 8),
        };
        Prequest.Startall(pair);
        Status one = Request.Waitany(pair);
        Status other = Request.Waitany(pair);
        assertThat((one.index == 0 ? one : other).source).isEqualTo(left);
        assertThat(Request.Waitany(pair).index).isEqualTo(MPI.UNDEFINED);
        Prequest.Startall(pair);
        Status[] all = Request.Testall(pair);
        while (all == null) {
            all = Request.Testall(pair);
        }
        assertThat(all[0].source).isEqualTo(left);
        assertThat(all[0].tag).isEqualTo(8);
        Prequest.Startall(pair);
        int seen = 0;
        while (seen < 2) {
            for (Status status : Request.Waitsome(pair)) {
                assertThat(status.index == 0 ? status.source : left).isEqualTo(left);
                seen++;
            }
        }
        assertThat(Request.Testsome(pair)).isNull();
    }
}
