package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import mpi.Datatype;
import mpi.MPI;
import mpi.Op;
import mpi.User_function;
import org.gridmpj.error.ErrorClass;

/** Predefined operations, MAXLOC and MINLOC, and operations of the program's own. */
public final class Operations {
    /** Composition of x → a·x + b, which does not commute. */
    private static final class Compose extends User_function {
        @Override
        public void Call(Object in, int inOffset, Object inout, int outOffset, int count, Datatype type) {
            long[] first = (long[]) in;
            long[] second = (long[]) inout;
            for (int i = 0; i < 2 * count; i += 2) {
                long a = first[inOffset + i] * second[outOffset + i] % 10_007;
                long b = (first[inOffset + i + 1] * second[outOffset + i] + second[outOffset + i + 1]) % 10_007;
                second[outOffset + i] = a;
                second[outOffset + i + 1] = b;
            }
        }
    }

    private Operations() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        assertThat(reduce(rank + 1, MPI.MIN)).isEqualTo(1);
        assertThat(reduce(2, MPI.PROD)).isEqualTo(1 << size);
        assertThat(reduce(1 << rank, MPI.BOR)).isEqualTo((1 << size) - 1);
        assertThat(reduce(-1 ^ (1 << rank), MPI.BAND)).isEqualTo(-1 << size);
        assertThat(reduce(1 << rank, MPI.BXOR)).isEqualTo((1 << size) - 1);
        assertThat(reduce(rank == 0 ? 0 : 5, MPI.LAND)).isZero();
        assertThat(reduce(rank == 0 ? 5 : 0, MPI.LOR)).isNotZero();
        boolean[] odd = new boolean[1];
        MPI.COMM_WORLD.Allreduce(new boolean[] {true}, 0, odd, 0, 1, MPI.BOOLEAN, MPI.LXOR);
        assertThat(odd[0]).isEqualTo(size % 2 == 1);

        int[] where = new int[2];
        MPI.COMM_WORLD.Allreduce(new int[] {-(rank / 2), rank}, 0, where, 0, 1, MPI.INT2, MPI.MAXLOC);
        assertThat(where).containsExactly(0, 0);
        double[] least = new double[2];
        MPI.COMM_WORLD.Allreduce(new double[] {-rank * 0.5, rank}, 0, least, 0, 1, MPI.DOUBLE2, MPI.MINLOC);
        assertThat(least).containsExactly(-(size - 1) * 0.5 + 0.0, size - 1);

        Op compose = new Op(new Compose(), false);
        Datatype pair = Datatype.Contiguous(2, MPI.LONG);
        long[] composed = new long[2];
        MPI.COMM_WORLD.Allreduce(new long[] {rank + 2, rank + 5}, 0, composed, 0, 1, pair, compose);
        long a = 1;
        long b = 0;
        for (int r = 0; r < size; r++) {
            a = a * (r + 2) % 10_007;
            b = (b * (r + 2) + r + 5) % 10_007;
        }
        assertThat(composed).containsExactly(a, b);
        compose.free();
        Check.fails(
                ErrorClass.OP, () -> MPI.COMM_WORLD.Allreduce(composed, 0, new long[2], 0, 1, pair, compose), "freed");
        int[] local = {3};
        MPI.SUM.Call(new int[] {4}, 0, local, 0, 1, MPI.INT);
        assertThat(local[0]).isEqualTo(7);
        MPI.Finalize();
    }

    private static int reduce(int mine, Op op) {
        int[] result = new int[1];
        MPI.COMM_WORLD.Allreduce(new int[] {mine}, 0, result, 0, 1, MPI.INT, op);
        return result[0];
    }
}
