package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import mpi.Datatype;
import mpi.MPI;
import mpi.Status;

/** Contiguous, Vector, Hvector, Indexed, Hindexed, Struct, with their bounds. */
public final class DerivedTypes {
    private DerivedTypes() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int[] grid = new int[25];
        Arrays.setAll(grid, i -> i);

        Datatype row = Datatype.Contiguous(5, MPI.INT);
        row.Commit();
        check(row, 5, 5, send(grid, 5, 1, row), 5, 6, 7, 8, 9);

        Datatype column = Datatype.Vector(5, 1, 5, MPI.INT);
        column.Commit();
        check(column, 5, 21, send(grid, 2, 1, column), 2, 7, 12, 17, 22);

        Datatype strided = Datatype.Hvector(3, 2, 7, MPI.INT);
        check(strided, 6, 16, send(grid, 0, 1, strided), 0, 1, 7, 8, 14, 15);

        Datatype triangle = Datatype.Indexed(new int[] {3, 2, 1}, new int[] {0, 6, 12}, MPI.INT);
        check(triangle, 6, 13, send(grid, 0, 1, triangle), 0, 1, 2, 6, 7, 12);

        Datatype picked = Datatype.Hindexed(new int[] {1, 2}, new int[] {4, 1}, MPI.INT);
        check(picked, 3, 4, send(grid, 0, 1, picked), 4, 1, 2);

        Datatype padded =
                Datatype.Struct(new int[] {2, 1, 1}, new int[] {1, 4, 6}, new Datatype[] {MPI.INT, MPI.INT, MPI.UB});
        assertThat(padded.Lb()).isEqualTo(1);
        assertThat(padded.Ub()).isEqualTo(6);
        assertThat(send(grid, 0, 2, padded)).containsExactly(1, 2, 4, 6, 7, 9);

        boundsOfAnEmptyMargin();
        structOfNothing();
        scatteredObjects();
        MPI.Finalize();
    }

    private static void check(Datatype type, int size, int extent, int[] got, int... expected) {
        assertThat(type.Size()).isEqualTo(size);
        assertThat(type.Extent()).isEqualTo(extent);
        assertThat(got).containsExactly(expected);
    }

    /** What arrives in a plain array. */
    private static int[] send(int[] data, int offset, int count, Datatype type) {
        int[] got = new int[count * type.Size()];
        int self = MPI.COMM_WORLD.Rank();
        MPI.COMM_WORLD.Isend(data, offset, count, type, self, 3);
        MPI.COMM_WORLD.Recv(got, 0, got.length, MPI.INT, self, 3);
        // and the other way: plain data into the places of the type
        int[] places = new int[data.length];
        MPI.COMM_WORLD.Isend(got, 0, got.length, MPI.INT, self, 4);
        MPI.COMM_WORLD.Recv(places, offset, count, type, self, 4);
        for (int i = 0; i < data.length; i++) {
            assertThat(places[i]).isIn(0, data[i]);
        }
        assertThat(Arrays.stream(places).filter(p -> p != 0).count())
                .isEqualTo(Arrays.stream(got).filter(g -> g != 0).count());
        return got;
    }

    private static void boundsOfAnEmptyMargin() {
        Datatype wide = Datatype.Struct(
                new int[] {1, 2, 1}, new int[] {-2, 0, 10}, new Datatype[] {MPI.LB, MPI.DOUBLE, MPI.UB});
        assertThat(wide.Lb()).isEqualTo(-2);
        assertThat(wide.Ub()).isEqualTo(10);
        assertThat(wide.Extent()).isEqualTo(12);
        assertThat(wide.Size()).isEqualTo(2);
    }

    /** Its messages are empty, and fit any array. */
    private static void structOfNothing() {
        Datatype nothing = Datatype.Struct(new int[0], new int[0], new Datatype[0]);
        nothing.Commit();
        assertThat(nothing.Size()).isZero();
        assertThat(nothing.Extent()).isZero();
        int[] untouched = {7};
        int self = MPI.COMM_WORLD.Rank();
        MPI.COMM_WORLD.Isend(untouched, 0, 100, nothing, self, 6);
        Status status = MPI.COMM_WORLD.Recv(untouched, 0, 100, nothing, self, 6);
        assertThat(untouched).containsExactly(7);
        assertThat(status.Get_count(nothing)).isZero();
        // a part without elements leaves the other parts' base type alone
        Datatype ints = Datatype.Struct(new int[] {1, 2}, new int[] {0, 1}, new Datatype[] {nothing, MPI.INT});
        assertThat(send(new int[] {1, 2, 3}, 0, 1, ints)).containsExactly(2, 3);
    }

    private static void scatteredObjects() {
        Datatype everyOther = Datatype.Vector(2, 1, 2, MPI.OBJECT);
        String[] words = {"a", "b", "c", "d"};
        String[] got = new String[2];
        int self = MPI.COMM_WORLD.Rank();
        MPI.COMM_WORLD.Isend(words, 0, 1, everyOther, self, 5);
        MPI.COMM_WORLD.Recv(got, 0, 2, MPI.OBJECT, self, 5);
        assertThat(got).containsExactly("a", "c");
    }
}
