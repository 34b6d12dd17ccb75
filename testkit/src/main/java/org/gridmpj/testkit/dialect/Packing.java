package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.MPI;
import org.gridmpj.error.ErrorClass;

/** Pack and Unpack: by themselves and as messages. */
public final class Packing {
    private Packing() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int self = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Pack_size(2, MPI.INT) + MPI.COMM_WORLD.Pack_size(3, MPI.DOUBLE);
        byte[] packed = new byte[size];
        int position = MPI.COMM_WORLD.Pack(new int[] {7, 8, 9}, 1, 2, MPI.INT, packed, 0);
        position = MPI.COMM_WORLD.Pack(new double[] {1.5, 2.5, 3.5}, 0, 3, MPI.DOUBLE, packed, position);
        assertThat(position).isEqualTo(size);

        byte[] arrived = new byte[size];
        MPI.COMM_WORLD.Isend(packed, 0, position, MPI.PACKED, self, 2);
        MPI.COMM_WORLD.Recv(arrived, 0, size, MPI.PACKED, self, 2);
        int[] ints = new int[2];
        double[] doubles = new double[3];
        int next = MPI.COMM_WORLD.Unpack(arrived, 0, ints, 0, 2, MPI.INT);
        MPI.COMM_WORLD.Unpack(arrived, next, doubles, 0, 3, MPI.DOUBLE);
        assertThat(ints).containsExactly(8, 9);
        assertThat(doubles).containsExactly(1.5, 2.5, 3.5);

        objectsOneByOne();
        byteBuffers();
        Check.fails(
                ErrorClass.BUFFER,
                () -> MPI.COMM_WORLD.Pack(new int[9], 0, 9, MPI.INT, new byte[8], 0),
                "Pack on ",
                "rank " + self);
        MPI.Finalize();
    }

    private static void objectsOneByOne() {
        String[] words = {"one", "two", "three"};
        byte[] packed = new byte[4096];
        MPI.COMM_WORLD.Pack(words, 0, 3, MPI.OBJECT, packed, 0);
        String[] first = new String[1];
        String[] rest = new String[2];
        int next = MPI.COMM_WORLD.Unpack(packed, 0, first, 0, 1, MPI.OBJECT);
        MPI.COMM_WORLD.Unpack(packed, next, rest, 0, 2, MPI.OBJECT);
        assertThat(first).containsExactly("one");
        assertThat(rest).containsExactly("two", "three");
        byte[] serialized = MPI.COMM_WORLD.Object_Serialize(words, 1, 2, MPI.OBJECT);
        MPI.COMM_WORLD.Object_Deserialize(rest, serialized, 0, 2, MPI.OBJECT);
        assertThat(rest).containsExactly("two", "three");
    }

    private static void byteBuffers() {
        for (ByteBuffer buffer : Arrays.asList(ByteBuffer.allocate(64), ByteBuffer.allocateDirect(64))) {
            int end = MPI.COMM_WORLD.Pack(new long[] {4, 5}, 0, 2, MPI.LONG, buffer, 8);
            long[] got = new long[2];
            assertThat(MPI.COMM_WORLD.Unpack(buffer, 8, got, 0, 2, MPI.LONG)).isEqualTo(end);
            assertThat(got).containsExactly(4, 5);
        }
    }
}
