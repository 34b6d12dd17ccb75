package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import mpi.MPI;
import mpi.Request;
import mpi.Status;

/** Every way of sending, small and large, from rank 0 to all. */
public final class SendModes {
    private static final int SMALL = 3;
    private static final int LARGE = 300_000;

    private SendModes() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        for (int count : new int[] {0, SMALL, LARGE}) {
            byte[] room = new byte[8 * (8 * count + MPI.BSEND_OVERHEAD) * size];
            MPI.Buffer_attach(room);
            if (rank == 0) {
                for (int dest = 1; dest < size; dest++) {
                    sendAllModes(dest, count);
                }
            } else {
                for (int tag = 0; tag < 8; tag++) {
                    receive(tag, count);
                }
            }
            assertThat(MPI.Buffer_detach()).isSameAs(room);
        }
        MPI.Finalize();
    }

    private static void sendAllModes(int dest, int count) {
        double[] data = data(count);
        Request[] requests = new Request[4];
        MPI.COMM_WORLD.Send(data, 0, count, MPI.DOUBLE, dest, 0);
        MPI.COMM_WORLD.Bsend(data, 0, count, MPI.DOUBLE, dest, 1);
        MPI.COMM_WORLD.Ssend(data, 0, count, MPI.DOUBLE, dest, 2);
        requests[0] = MPI.COMM_WORLD.Isend(data, 0, count, MPI.DOUBLE, dest, 3);
        requests[1] = MPI.COMM_WORLD.Ibsend(data, 0, count, MPI.DOUBLE, dest, 4);
        requests[2] = MPI.COMM_WORLD.Issend(data, 0, count, MPI.DOUBLE, dest, 5);
        // the receiver says that its receives are posted
        MPI.COMM_WORLD.Recv(new byte[0], 0, 0, MPI.BYTE, dest, 99);
        MPI.COMM_WORLD.Rsend(data, 0, count, MPI.DOUBLE, dest, 6);
        requests[3] = MPI.COMM_WORLD.Irsend(data, 0, count, MPI.DOUBLE, dest, 7);
        Request.Waitall(requests);
        for (Request request : requests) {
            assertThat(request.Is_null()).isTrue();
        }
    }

    private static void receive(int tag, int count) {
        double[] got = new double[count];
        Request posted;
        if (tag == 6) {
            double[] next = new double[count];
            posted = MPI.COMM_WORLD.Irecv(got, 0, count, MPI.DOUBLE, 0, 6);
            Request second = MPI.COMM_WORLD.Irecv(next, 0, count, MPI.DOUBLE, 0, 7);
            MPI.COMM_WORLD.Send(new byte[0], 0, 0, MPI.BYTE, 0, 99);
            check(second.Wait(), next, 7, count);
        } else if (tag == 7) {
            return;
        } else {
            posted = MPI.COMM_WORLD.Irecv(got, 0, count, MPI.DOUBLE, 0, tag);
        }
        check(posted.Wait(), got, tag, count);
    }

    private static void check(Status status, double[] got, int tag, int count) {
        assertThat(status.tag).isEqualTo(tag);
        assertThat(status.Get_count(MPI.DOUBLE)).isEqualTo(count);
        assertThat(got).isEqualTo(data(count));
    }

    private static double[] data(int count) {
        double[] data = new double[count];
        for (int i = 0; i < count; i++) {
            data[i] = Math.sqrt(i);
        }
        return data;
    }
}
