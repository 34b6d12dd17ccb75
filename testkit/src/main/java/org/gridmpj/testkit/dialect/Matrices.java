package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.Consumer;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;

/** Matrices as OBJECT go round by all kinds of receives. The first argument says whether rows are to be filled in place. */
public final class Matrices {
    private static final int TAG = 3;
    private static final int ROWS = 20;

    private final boolean inPlace;
    private final int rank = MPI.COMM_WORLD.Rank();
    private final int size = MPI.COMM_WORLD.Size();
    private final int left = (rank + size - 1) % size;
    private final int right = (rank + 1) % size;
    private int round;

    private Matrices(boolean inPlace) {
        this.inPlace = inPlace;
    }

    public static void main(String[] args) throws Exception {
        String[] own = MPI.Init(args);
        Matrices matrices = new Matrices(Boolean.parseBoolean(own[0]));
        for (int columns : new int[] {5, 20_000}) {
            matrices.allKinds(columns);
        }
        MPI.Finalize();
    }

    private static double value(int from, int round, int row) {
        return from * 10_000 + round * 100 + row;
    }

    private double[][] matrix(int columns) {
        double[][] matrix = new double[ROWS][columns];
        for (int i = 0; i < ROWS; i++) {
            Arrays.fill(matrix[i], value(rank, round, i));
        }
        return matrix;
    }

    private void allKinds(int columns) {
        exchange(columns, inPlace, target -> MPI.COMM_WORLD.Recv(target, 0, ROWS, MPI.OBJECT, left, TAG));
        exchange(
                columns,
                inPlace,
                target -> MPI.COMM_WORLD.Irecv(target, 0, ROWS, MPI.OBJECT, left, TAG)
                        .Wait());
        exchange(columns, inPlace, target -> {
            Prequest receive = MPI.COMM_WORLD.Recv_init(target, 0, ROWS, MPI.OBJECT, left, TAG);
            receive.Start();
            receive.Wait();
            receive.Free();
        });
        round++;
        double[][] sent = matrix(columns);
        double[][] target = new double[ROWS][columns];
        double[][] before = target.clone();
        MPI.COMM_WORLD.Sendrecv(sent, 0, ROWS, MPI.OBJECT, right, TAG, target, 0, ROWS, MPI.OBJECT, left, TAG);
        check(target, before, inPlace);
        round++;
        double[][] both = matrix(columns);
        before = both.clone();
        MPI.COMM_WORLD.Sendrecv_replace(both, 0, ROWS, MPI.OBJECT, right, TAG, left, TAG);
        // rows that are under way are never filled
        check(both, before, false);
        for (int i = 0; i < ROWS; i++) {
            assertThat(before[i]).containsOnly(value(rank, round, i));
        }
        collective(columns);
    }

    /** Collectives keep their promise of new objects: who combines may have kept what came before. */
    private void collective(int columns) {
        round++;
        double[][] target = rank == 0 ? matrix(columns) : new double[ROWS][columns];
        double[][] before = target.clone();
        MPI.COMM_WORLD.Bcast(target, 0, ROWS, MPI.OBJECT, 0);
        for (int i = 0; i < ROWS; i++) {
            checkRow(target[i], before[i], rank == 0, value(0, round, i), i);
        }
    }

    private void exchange(int columns, boolean filled, Consumer<double[][]> receive) {
        double[][] target = new double[ROWS][columns];
        for (int again = 0; again < 3; again++) {
            round++;
            double[][] before = target.clone();
            Request send = MPI.COMM_WORLD.Isend(matrix(columns), 0, ROWS, MPI.OBJECT, right, TAG);
            receive.accept(target);
            send.Wait();
            check(target, before, filled);
        }
    }

    private void check(double[][] target, double[][] before, boolean filled) {
        for (int i = 0; i < ROWS; i++) {
            checkRow(target[i], before[i], filled, value(left, round, i), i);
        }
    }

    private void checkRow(double[] now, double[] before, boolean same, double value, int row) {
        if (same) {
            assertThat(now).as("row %d, round %d", row, round).isSameAs(before);
        } else {
            assertThat(now).as("row %d, round %d", row, round).isNotSameAs(before);
        }
        assertThat(now).as("row %d, round %d", row, round).containsOnly(value);
    }
}
