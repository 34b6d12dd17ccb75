package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.lang.reflect.Array;
import mpi.Datatype;
import mpi.MPI;
import mpi.Status;

/** Each basic datatype there and back, from and to the middle of an array. */
public final class BasicTypes {
    /** Something of the program's own. */
    private static final class Particle implements Serializable {
        private static final long serialVersionUID = 1L;

        private final String name;
        private final double[] position = {1, 2, 3};

        Particle(String name) {
            this.name = name;
        }
    }

    private BasicTypes() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        echo(MPI.BYTE, new byte[] {1, -2, 3, 4, 5});
        echo(MPI.CHAR, "väl é".toCharArray());
        echo(MPI.SHORT, new short[] {1, -2, 3, Short.MIN_VALUE, 5});
        echo(MPI.BOOLEAN, new boolean[] {true, false, true, true, false});
        echo(MPI.INT, new int[] {1, -2, Integer.MAX_VALUE, 4, 5});
        echo(MPI.LONG, new long[] {1, -2, Long.MIN_VALUE, 4, 5});
        echo(MPI.FLOAT, new float[] {1, -2.5f, Float.NaN, 4, 5});
        echo(MPI.DOUBLE, new double[] {1, -2.5, Double.NEGATIVE_INFINITY, 4, 5});
        echo(MPI.OBJECT, new String[] {"a", "b", null, "d", ""});
        echo(MPI.OBJECT, new int[][] {{1}, {}, {2, 3}, null, {4}});
        objects();
        sizesCountElements();
        MPI.Finalize();
    }

    private static void echo(Datatype type, Object data) {
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        Object got = Array.newInstance(data.getClass().getComponentType(), 7);
        if (size == 1) {
            MPI.COMM_WORLD.Isend(data, 1, 3, type, 0, 5);
            MPI.COMM_WORLD.Recv(got, 2, 3, type, 0, 5);
        } else if (rank == 0) {
            for (int other = 1; other < size; other++) {
                MPI.COMM_WORLD.Send(data, 1, 3, type, other, 5);
                Status status = MPI.COMM_WORLD.Recv(got, 2, 5, type, other, 5);
                assertThat(status.Get_count(type)).isEqualTo(3);
                assertThat(status.Get_elements(type)).isEqualTo(3);
            }
        } else {
            MPI.COMM_WORLD.Recv(got, 2, 3, type, 0, 5);
            MPI.COMM_WORLD.Send(got, 2, 3, type, 0, 5);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(Array.get(got, 2 + i)).as("%s[%d]", type, i).isEqualTo(Array.get(data, 1 + i));
        }
    }

    private static void objects() {
        Particle[] mine = {new Particle("p" + MPI.COMM_WORLD.Rank())};
        Particle[] got = new Particle[1];
        int size = MPI.COMM_WORLD.Size();
        int right = (MPI.COMM_WORLD.Rank() + 1) % size;
        int left = (MPI.COMM_WORLD.Rank() + size - 1) % size;
        MPI.COMM_WORLD.Sendrecv(mine, 0, 1, MPI.OBJECT, right, 1, got, 0, 1, MPI.OBJECT, left, 1);
        assertThat(got[0].name).isEqualTo("p" + left);
        assertThat(got[0].position).containsExactly(1, 2, 3);
    }

    private static void sizesCountElements() {
        assertThat(MPI.INT.Size()).isEqualTo(1);
        assertThat(MPI.DOUBLE.Extent()).isEqualTo(1);
        assertThat(MPI.DOUBLE2.Size()).isEqualTo(2);
        assertThat(MPI.DOUBLE.getByteSize()).isEqualTo(8);
        assertThat(MPI.INT.getType()).isEqualTo(5);
    }
}
