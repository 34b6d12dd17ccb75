import java.io.Serializable;
import java.util.SplittableRandom;
import mpi.*;

/*
 * MatrixMultiply: master and workers. The master hands out blocks of rows as objects, to whoever asks next (ANY_SOURCE);
 * a worker sends its result and gets another block, or null when there is none left.
 *
 *   ./mpjrun -np 4 examples/MatrixMultiply.java [order]
 *
 *   600 x 600, 60 blocks by 3 workers: product ok
 *
 * The check is Freivalds': C x = A (B x) for a random x. The numbers are integers, so it is exact. With one rank the master
 * does the work itself.
 */
public class MatrixMultiply {
    private static final int ROWS_PER_BLOCK = 10;
    private static final int TAG_RESULT = 1;
    private static final int TAG_BLOCK = 2;

    /** Rows of A to multiply, or rows of C. Any Serializable can be sent as MPI.OBJECT. */
    static class Block implements Serializable {
        private static final long serialVersionUID = 1L;

        final int firstRow;
        final double[][] rows;

        Block(int firstRow, double[][] rows) {
            this.firstRow = firstRow;
            this.rows = rows;
        }
    }

    public static void main(String[] args) {
        String[] user = MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int order = user.length > 0 ? Integer.parseInt(user[0]) : 600;

        double[][] a = rank == 0 ? random(order, 1) : new double[0][];
        // An array of rows is an array of objects.
        double[][] b = rank == 0 ? random(order, 2) : new double[order][];
        MPI.COMM_WORLD.Bcast(b, 0, order, MPI.OBJECT, 0);

        if (rank == 0) {
            double[][] c = new double[order][];
            int blocks = size == 1 ? alone(a, b, c) : master(a, c, size - 1);
            check(a, b, c);
            System.out.println(order + " x " + order + ", " + blocks + " blocks by " + Math.max(1, size - 1)
                    + " workers: product ok");
        } else {
            worker(b);
        }
        MPI.Finalize();
    }

    private static int master(double[][] a, double[][] c, int workers) {
        int blocks = 0;
        int nextRow = 0;
        int working = workers;
        Block[] message = new Block[1];
        while (working > 0) {
            Status status = MPI.COMM_WORLD.Recv(message, 0, 1, MPI.OBJECT, MPI.ANY_SOURCE, TAG_RESULT);
            Block result = message[0];
            if (result != null) {
                System.arraycopy(result.rows, 0, c, result.firstRow, result.rows.length);
                blocks++;
            }
            if (nextRow < a.length) {
                int rows = Math.min(ROWS_PER_BLOCK, a.length - nextRow);
                double[][] part = new double[rows][];
                System.arraycopy(a, nextRow, part, 0, rows);
                message[0] = new Block(nextRow, part);
                nextRow += rows;
            } else {
                message[0] = null;
                working--;
            }
            MPI.COMM_WORLD.Send(message, 0, 1, MPI.OBJECT, status.source, TAG_BLOCK);
        }
        return blocks;
    }

    private static void worker(double[][] b) {
        Block[] message = new Block[1];
        while (true) {
            // The first "result" is null: it only asks for work.
            MPI.COMM_WORLD.Send(message, 0, 1, MPI.OBJECT, 0, TAG_RESULT);
            MPI.COMM_WORLD.Recv(message, 0, 1, MPI.OBJECT, 0, TAG_BLOCK);
            Block block = message[0];
            if (block == null) {
                return;
            }
            message[0] = new Block(block.firstRow, multiply(block.rows, b));
        }
    }

    private static int alone(double[][] a, double[][] b, double[][] c) {
        System.arraycopy(multiply(a, b), 0, c, 0, a.length);
        return 1;
    }

    private static double[][] multiply(double[][] rows, double[][] b) {
        int order = b.length;
        double[][] product = new double[rows.length][order];
        for (int i = 0; i < rows.length; i++) {
            for (int k = 0; k < order; k++) {
                double factor = rows[i][k];
                for (int j = 0; j < order; j++) {
                    product[i][j] += factor * b[k][j];
                }
            }
        }
        return product;
    }

    private static void check(double[][] a, double[][] b, double[][] c) {
        double[] x = random(a.length, 3)[0];
        double[] expected = times(a, times(b, x));
        double[] actual = times(c, x);
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != actual[i]) {
                throw new IllegalStateException("row " + i + " of the product is wrong");
            }
        }
    }

    private static double[] times(double[][] matrix, double[] vector) {
        double[] product = new double[matrix.length];
        for (int i = 0; i < matrix.length; i++) {
            for (int j = 0; j < vector.length; j++) {
                product[i] += matrix[i][j] * vector[j];
            }
        }
        return product;
    }

    private static double[][] random(int order, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] matrix = new double[order][order];
        for (double[] row : matrix) {
            for (int j = 0; j < order; j++) {
                row[j] = random.nextInt(-9, 10);
            }
        }
        return matrix;
    }
}
