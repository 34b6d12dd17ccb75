package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import mpi.Comm;
import mpi.MPI;
import mpi.Request;
import mpi.Status;
import org.gridmpj.error.ErrorClass;

/** Wait and Test for any, all, some; Cancel, Free, Is_null. Everyone sends to everyone. */
public final class Requests {
    private Requests() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        any();
        some();
        all();
        nullRequests();
        cancelled();
        freed();
        ofFreedCommunicator();
        MPI.Finalize();
    }

    private static void any() {
        int size = MPI.COMM_WORLD.Size();
        int[][] got = new int[size][1];
        Request[] receives = receives(got, 11);
        Request[] sends = sends(11);
        Set<Integer> indexes = new HashSet<>();
        for (int i = 0; i < size; i++) {
            Status status = i % 2 == 0 ? Request.Waitany(receives) : pollAny(receives);
            assertThat(status.index).isEqualTo(status.source);
            assertThat(receives[status.index].Is_null()).isTrue();
            assertThat(got[status.index][0]).isEqualTo(100 * status.source + MPI.COMM_WORLD.Rank());
            indexes.add(status.index);
        }
        assertThat(indexes).hasSize(size);
        assertThat(Request.Waitany(receives).index).isEqualTo(MPI.UNDEFINED);
        assertThat(Request.Testany(receives).index).isEqualTo(MPI.UNDEFINED);
        Request.Waitall(sends);
    }

    private static Status pollAny(Request[] requests) {
        Status status = Request.Testany(requests);
        while (status == null) {
            status = Request.Testany(requests);
        }
        return status;
    }

    private static void some() {
        int size = MPI.COMM_WORLD.Size();
        int[][] got = new int[size][1];
        Request[] receives = receives(got, 12);
        Request[] sends = sends(12);
        Set<Integer> indexes = new HashSet<>();
        boolean block = true;
        while (indexes.size() < size) {
            for (Status status : block ? Request.Waitsome(receives) : Request.Testsome(receives)) {
                assertThat(status.index).isEqualTo(status.source);
                assertThat(indexes.add(status.index)).isTrue();
            }
            block = !block;
        }
        assertThat(Request.Waitsome(receives)).isNull();
        assertThat(Request.Testsome(receives)).isNull();
        Request.Waitall(sends);
    }

    private static void all() {
        int size = MPI.COMM_WORLD.Size();
        int[][] got = new int[size][1];
        Request[] receives = receives(got, 13);
        Request[] sends = sends(13);
        Status[] statuses = Request.Testall(receives);
        while (statuses == null) {
            statuses = Request.Testall(receives);
        }
        for (int i = 0; i < size; i++) {
            assertThat(statuses[i].source).isEqualTo(i);
            assertThat(got[i][0]).isEqualTo(100 * i + MPI.COMM_WORLD.Rank());
        }
        Request.Waitall(sends);
        assertThat(Request.Testall(receives)).hasSize(size);
    }

    private static void nullRequests() {
        Request[] none = {null, MPI.REQUEST_NULL};
        assertThat(MPI.REQUEST_NULL.Is_null()).isTrue();
        assertThat(Request.Waitall(none)).hasSize(2);
        assertThat(Request.Waitany(none).index).isEqualTo(MPI.UNDEFINED);
        assertThat(MPI.REQUEST_NULL.Wait().source).isEqualTo(MPI.ANY_SOURCE);
        assertThat(MPI.REQUEST_NULL.Test().Get_count(MPI.INT)).isZero();
        Check.fails(ErrorClass.REQUEST, MPI.REQUEST_NULL::Cancel);
    }

    private static void cancelled() {
        Request never = MPI.COMM_WORLD.Irecv(new int[1], 0, 1, MPI.INT, MPI.COMM_WORLD.Rank(), 999);
        assertThat(never.Test()).isNull();
        never.Cancel();
        assertThat(never.Wait().Test_cancelled()).isTrue();
        assertThat(never.Is_null()).isTrue();
    }

    private static void freed() {
        int self = MPI.COMM_WORLD.Rank();
        Request send = MPI.COMM_WORLD.Isend(new int[] {5}, 0, 1, MPI.INT, self, 14);
        send.Free();
        assertThat(send.Is_null()).isTrue();
        int[] got = new int[1];
        MPI.COMM_WORLD.Recv(got, 0, 1, MPI.INT, self, 14);
        assertThat(got[0]).isEqualTo(5);
    }

    /** What was started before Free completes as ever. */
    private static void ofFreedCommunicator() {
        int self = MPI.COMM_WORLD.Rank();
        Comm gone = MPI.COMM_WORLD.clone();
        int[][] got = new int[6][1];
        Request[] pending = new Request[got.length];
        for (int i = 0; i < got.length; i++) {
            pending[i] = gone.Irecv(got[i], 0, 1, MPI.INT, self, i);
        }
        for (int i = 0; i < got.length - 1; i++) {
            gone.Send(new int[] {30 + i}, 0, 1, MPI.INT, self, i);
        }
        gone.Free();
        assertThat(gone.Is_null()).isTrue();
        Check.fails(ErrorClass.COMM, gone::Free, "freed");
        Check.fails(ErrorClass.COMM, () -> gone.Send(new int[1], 0, 1, MPI.INT, self, 0), "freed");
        Status status = pending[0].Wait();
        assertThat(status.source).isEqualTo(self);
        assertThat(status.Get_count(MPI.INT)).isEqualTo(1);
        assertThat(pending[1].Test()).isNotNull();
        int[] other = new int[1];
        Request live = MPI.COMM_WORLD.Irecv(other, 0, 1, MPI.INT, self, 15);
        MPI.COMM_WORLD.Send(new int[] {7}, 0, 1, MPI.INT, self, 15);
        assertThat(Request.Waitall(new Request[] {live, pending[2]})).hasSize(2);
        assertThat(Request.Waitany(new Request[] {pending[3]}).source).isEqualTo(self);
        pending[4].Free();
        pending[5].Cancel();
        assertThat(pending[5].Wait().Test_cancelled()).isTrue();
        for (int i = 0; i < got.length - 1; i++) {
            assertThat(got[i][0]).isEqualTo(30 + i);
        }
    }

    private static Request[] receives(int[][] got, int tag) {
        Request[] requests = new Request[got.length];
        for (int i = 0; i < got.length; i++) {
            requests[i] = MPI.COMM_WORLD.Irecv(got[i], 0, 1, MPI.INT, i, tag);
        }
        return requests;
    }

    private static Request[] sends(int tag) {
        Request[] requests = new Request[MPI.COMM_WORLD.Size()];
        for (int i = 0; i < requests.length; i++) {
            int[] value = {100 * MPI.COMM_WORLD.Rank() + i};
            requests[i] = MPI.COMM_WORLD.Isend(value, 0, 1, MPI.INT, i, tag);
        }
        return requests;
    }
}
