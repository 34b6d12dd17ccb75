package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import mpi.Datatype;
import mpi.Errhandler;
import mpi.MPI;
import org.gridmpj.error.ErrorClass;

/** Wrong arguments: the error's class, and a message that names call, communicator, rank and numbers. */
public final class Errors {
    private Errors() {}

    public static void main(String[] args) throws Exception {
        Check.fails(ErrorClass.NOT_INITIALIZED, MPI.COMM_WORLD::Rank, "Rank", "before MPI.Init");
        Check.fails(ErrorClass.NOT_INITIALIZED, MPI::Finalize, "before MPI.Init");
        assertThat(MPI.Initialized()).isFalse();
        MPI.Init(args);
        assertThat(MPI.Initialized()).isTrue();
        Check.fails(ErrorClass.OTHER, () -> MPI.Init(args), "initialised already");
        assertThat(MPI.COMM_WORLD.Errorhandler_get()).isSameAs(MPI.ERRORS_RETURN);
        MPI.COMM_WORLD.Errhandler_set(new Errhandler(Errhandler.RETURN));
        pointToPoint();
        exchange();
        collective();
        truncation();
        MPI.COMM_WORLD.Barrier();
        MPI.Finalize();
        assertThat(MPI.Initialized()).isFalse();
        assertThat(MPI.Finalized()).isTrue();
        Check.fails(ErrorClass.NOT_INITIALIZED, MPI.COMM_WORLD::Size, "Size", "after MPI.Finalize");
        Check.fails(ErrorClass.NOT_INITIALIZED, () -> MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 0, 0), "Send");
        Check.fails(ErrorClass.NOT_INITIALIZED, MPI::Finalize);
    }

    private static void pointToPoint() {
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int[] buf = new int[4];
        String here = "WORLD, rank " + rank + " of " + size;
        Check.fails(
                ErrorClass.RANK,
                () -> MPI.COMM_WORLD.Send(buf, 0, 1, MPI.INT, size, 0),
                "Send",
                here,
                "destination " + size,
                "0.." + (size - 1));
        Check.fails(ErrorClass.RANK, () -> MPI.COMM_WORLD.Recv(buf, 0, 1, MPI.INT, -7, 0), "Recv", here, "-7");
        Check.fails(ErrorClass.TAG, () -> MPI.COMM_WORLD.Ssend(buf, 0, 1, MPI.INT, 0, -5), "Ssend", "-5");
        Check.fails(ErrorClass.TAG, () -> MPI.COMM_WORLD.Isend(buf, 0, 1, MPI.INT, 0, MPI.ANY_TAG), "Isend");
        Check.fails(ErrorClass.COUNT, () -> MPI.COMM_WORLD.Irecv(buf, 0, -2, MPI.INT, 0, 0), "Irecv", "-2");
        Check.fails(ErrorClass.BUFFER, () -> MPI.COMM_WORLD.Send(null, 0, 1, MPI.INT, 0, 0), "null");
        Check.fails(
                ErrorClass.BUFFER,
                () -> MPI.COMM_WORLD.Send(buf, 2, 3, MPI.INT, 0, 0),
                "3 items from offset 2",
                "2..4",
                "array has 4");
        Check.fails(
                ErrorClass.BUFFER,
                () -> MPI.COMM_WORLD.Send(buf, Integer.MAX_VALUE, 1, MPI.INT, 0, 0),
                "elements 2147483647..2147483647");
        Check.fails(ErrorClass.BUFFER, () -> MPI.COMM_WORLD.Send(buf, 0, 1, MPI.DOUBLE, 0, 0), "int[]", "double[]");
        Check.fails(ErrorClass.BUFFER, () -> MPI.COMM_WORLD.Send("text", 0, 1, MPI.CHAR, 0, 0), "char[]");
        Check.fails(ErrorClass.TYPE, () -> MPI.COMM_WORLD.Send(buf, 0, 1, null, 0, 0), "datatype is null");
        Check.fails(ErrorClass.TYPE, () -> MPI.COMM_WORLD.Send(buf, 0, 1, MPI.NULL, 0, 0), "MPI.NULL");
        Check.fails(ErrorClass.BUFFER, () -> MPI.COMM_WORLD.Bsend(buf, 0, 1, MPI.INT, rank, 0));
    }

    /** A Sendrecv whose send is wrong leaves no receive behind that would take a later message. */
    private static void exchange() {
        int self = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int[] buf = new int[4];
        Check.fails(
                ErrorClass.RANK,
                () -> MPI.COMM_WORLD.Sendrecv(buf, 0, 1, MPI.INT, size, 6, buf, 1, 1, MPI.INT, self, 6),
                "Sendrecv");
        Check.fails(
                ErrorClass.BUFFER,
                () -> MPI.COMM_WORLD.Sendrecv(buf, 4, 1, MPI.INT, self, 6, buf, 1, 1, MPI.INT, self, 6));
        Check.fails(
                ErrorClass.TAG,
                () -> MPI.COMM_WORLD.Sendrecv_replace(buf, 0, 1, MPI.INT, self, -6, self, 6),
                "Sendrecv_replace");
        MPI.COMM_WORLD.Isend(new int[] {8}, 0, 1, MPI.INT, self, 6);
        assertThat(MPI.COMM_WORLD.Iprobe(self, 6)).isNotNull();
        MPI.COMM_WORLD.Recv(buf, 0, 1, MPI.INT, self, 6);
        assertThat(buf).containsExactly(8, 0, 0, 0);
    }

    private static void collective() {
        int size = MPI.COMM_WORLD.Size();
        int[] buf = new int[4];
        Check.fails(ErrorClass.ROOT, () -> MPI.COMM_WORLD.Bcast(buf, 0, 1, MPI.INT, size), "Bcast", "root " + size);
        Check.fails(ErrorClass.ROOT, () -> MPI.COMM_WORLD.Bcast(buf, 0, 1, MPI.INT, -1));
        Check.fails(ErrorClass.OP, () -> MPI.COMM_WORLD.Allreduce(buf, 0, buf, 0, 1, MPI.INT, null), "Allreduce");
        // each rank finds out for itself, before it sends anything
        int[] far = new int[size];
        far[size - 1] = 1 << 30;
        int[] ones = new int[size];
        Arrays.fill(ones, 1);
        Datatype four = Datatype.Contiguous(4, MPI.INT);
        Check.fails(
                ErrorClass.BUFFER,
                () -> MPI.COMM_WORLD.Allgatherv(buf, 0, 1, four, buf, 0, ones, far, four),
                "4294967296");
        if (size > 1) {
            int[] many = new int[size];
            Arrays.fill(many, Integer.MAX_VALUE);
            Check.fails(
                    ErrorClass.COUNT,
                    () -> MPI.COMM_WORLD.Alltoall(buf, 0, Integer.MAX_VALUE, MPI.INT, buf, 0, 1, MPI.INT),
                    "Alltoall");
            Check.fails(
                    ErrorClass.COUNT,
                    () -> MPI.COMM_WORLD.Reduce_scatter(buf, 0, buf, 0, many, MPI.INT, MPI.SUM),
                    "Reduce_scatter");
        }
        int[] counts = new int[size];
        counts[size - 1] = 1;
        Check.fails(
                ErrorClass.OP,
                () -> MPI.COMM_WORLD.Reduce(buf, 0, buf, 2, 1, MPI.INT, MPI.MAXLOC, 0),
                "Reduce on ",
                "MAXLOC does not take",
                "INT2");
        double[] numbers = new double[4];
        Check.fails(
                ErrorClass.OP, () -> MPI.COMM_WORLD.Allreduce(numbers, 0, numbers, 2, 1, MPI.DOUBLE, MPI.BAND), "BAND");
        Check.fails(ErrorClass.OP, () -> MPI.COMM_WORLD.Scan(numbers, 0, numbers, 2, 1, MPI.DOUBLE, MPI.LOR), "Scan");
        Check.fails(ErrorClass.OP, () -> MPI.COMM_WORLD.Exscan(numbers, 0, numbers, 2, 1, MPI.DOUBLE, MPI.LOR));
        Check.fails(
                ErrorClass.OP,
                () -> MPI.COMM_WORLD.Reduce_scatter(numbers, 0, numbers, 2, counts, MPI.DOUBLE, MPI.BXOR),
                "Reduce_scatter");
        Check.fails(
                ErrorClass.COUNT,
                () -> MPI.COMM_WORLD.Allgatherv(buf, 0, 1, MPI.INT, buf, 0, new int[0], new int[0], MPI.INT),
                size + " counts");
    }

    private static void truncation() {
        int self = MPI.COMM_WORLD.Rank();
        MPI.COMM_WORLD.Isend(new int[10], 0, 10, MPI.INT, self, 1);
        Check.fails(ErrorClass.TRUNCATE, () -> MPI.COMM_WORLD.Recv(new int[4], 0, 4, MPI.INT, self, 1), "40", "16");
        // more announced than there is room for, as in many a program: right as long as the message fits
        int[] four = new int[4];
        MPI.COMM_WORLD.Isend(new int[] {1, 2, 3, 4}, 0, 4, MPI.INT, self, 2);
        assertThat(MPI.COMM_WORLD.Recv(four, 0, 100, MPI.INT, self, 2).Get_count(MPI.INT))
                .isEqualTo(4);
        assertThat(four).containsExactly(1, 2, 3, 4);
    }
}
