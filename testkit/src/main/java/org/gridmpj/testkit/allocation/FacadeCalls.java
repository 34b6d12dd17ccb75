package org.gridmpj.testkit.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Prequest;
import org.gridmpj.testkit.AllocationMeter;

/** Counts what calls of the facade allocate, on two ranks. */
public final class FacadeCalls {
    private static final int ROUNDS = 500;
    private static final int DOUBLES = 64;
    private static final double STATUS_BYTES = 48;
    private static final double MESSAGE_STATUS_BYTES = 48;
    private static final double REQUEST_BYTES = 24;
    /** The engine's record of a nonblocking operation. */
    private static final double RECORD_BYTES = 264;
    /** As in AllocationContract; for each call. */
    private static final double TOLERATED_BYTES = 48;
    /** As in CollectivesAllocationContract: less than the smallest schedule. */
    private static final double TOLERATED_COLLECTIVE_BYTES = 200;

    private FacadeCalls() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        int peer = 1 - world.Rank();
        double[] data = new double[DOUBLES];
        double[] other = new double[DOUBLES];
        int count = DOUBLES;

        Runnable send = () -> world.Send(data, 0, count, MPI.DOUBLE, peer, 1);
        Runnable receive = () -> world.Recv(data, 0, count, MPI.DOUBLE, peer, 1);
        check("Send, Recv", 2, STATUS_BYTES + MESSAGE_STATUS_BYTES, inTurn(peer, send, receive));

        Runnable start = () -> world.Isend(data, 0, count, MPI.DOUBLE, peer, 1).Wait();
        Runnable startReceive =
                () -> world.Irecv(data, 0, count, MPI.DOUBLE, peer, 1).Wait();
        check(
                "Isend, Irecv, Wait",
                4,
                2 * (STATUS_BYTES + REQUEST_BYTES + RECORD_BYTES),
                inTurn(peer, start, startReceive));

        Prequest sending = world.Send_init(data, 0, count, MPI.DOUBLE, peer, 1);
        Prequest receiving = world.Recv_init(data, 0, count, MPI.DOUBLE, peer, 1);
        check("Start, Wait", 4, 2 * STATUS_BYTES, inTurn(peer, () -> run(sending), () -> run(receiving)));
        sending.Free();
        receiving.Free();

        check(
                "Sendrecv",
                2,
                STATUS_BYTES + REQUEST_BYTES + RECORD_BYTES,
                () -> world.Sendrecv(data, 0, count, MPI.DOUBLE, peer, 1, other, 0, count, MPI.DOUBLE, peer, 1));
        check("Iprobe", 1, 0, () -> world.Iprobe(peer, 2));
        double collective = TOLERATED_COLLECTIVE_BYTES - TOLERATED_BYTES;
        check("Barrier", 1, collective, world::Barrier);
        check("Bcast", 1, collective, () -> world.Bcast(data, 0, 2, MPI.DOUBLE, 0));
        check("Allreduce", 1, collective, () -> world.Allreduce(data, 0, other, 0, 2, MPI.DOUBLE, MPI.SUM));
        MPI.Finalize();
    }

    private static Runnable inTurn(int peer, Runnable send, Runnable receive) {
        Runnable first = peer == 1 ? send : receive;
        Runnable second = peer == 1 ? receive : send;
        return () -> {
            first.run();
            second.run();
        };
    }

    private static void run(Prequest request) {
        request.Start();
        request.Wait();
    }

    private static void check(String what, int calls, double knownBytes, Runnable round) {
        double bytes = AllocationMeter.bytesPerRound(ROUNDS, round);
        String text = String.format(Locale.ROOT, "%-22s %8.2f bytes allocated", what, bytes);
        System.out.println(text);
        assertThat(bytes).as(text).isLessThan(knownBytes + calls * TOLERATED_BYTES);
    }
}
