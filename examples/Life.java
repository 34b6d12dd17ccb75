import mpi.*;

/*
 * Life: Conway's game on a torus, in blocks of rows; neighbours exchange their border rows with Sendrecv. The beginning is
 * the R-pentomino, five cells that live on for 1103 generations and leave 116 cells, gliders among them.
 *
 *   ./mpjrun -np 4 examples/Life.java [side [generations]]
 *
 *   768 x 768, generation 1103: population 116 ok
 *
 * For other sizes rank 0 plays the game alone as well and compares.
 */
public class Life {
    private static final int FAMOUS_GENERATIONS = 1103;
    private static final int FAMOUS_POPULATION = 116;
    /** From here on no glider has come round the torus by then. */
    private static final int FAMOUS_SIDE = 640;

    private static final int TAG_UP = 1;
    private static final int TAG_DOWN = 2;

    public static void main(String[] args) {
        String[] user = MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int side = user.length > 0 ? Integer.parseInt(user[0]) : 768;
        int generations = user.length > 1 ? Integer.parseInt(user[1]) : FAMOUS_GENERATIONS;

        int firstRow = (int) ((long) side * rank / size);
        int rows = (int) ((long) side * (rank + 1) / size) - firstRow;
        int up = (rank + size - 1) % size;
        int down = (rank + 1) % size;

        // Row 0 and row rows + 1 are copies of the neighbours' border rows.
        byte[] now = new byte[(rows + 2) * side];
        byte[] next = new byte[(rows + 2) * side];
        begin(now, side, firstRow, rows);
        for (int generation = 0; generation < generations; generation++) {
            MPI.COMM_WORLD.Sendrecv(
                    now, side, side, MPI.BYTE, up, TAG_UP, now, (rows + 1) * side, side, MPI.BYTE, down, TAG_UP);
            MPI.COMM_WORLD.Sendrecv(
                    now, rows * side, side, MPI.BYTE, down, TAG_DOWN, now, 0, side, MPI.BYTE, up, TAG_DOWN);
            step(now, next, side, rows);
            byte[] former = now;
            now = next;
            next = former;
        }

        int[] population = {population(now, side, rows)};
        int[] total = new int[1];
        MPI.COMM_WORLD.Reduce(population, 0, total, 0, 1, MPI.INT, MPI.SUM, 0);
        if (rank == 0) {
            boolean famous = generations == FAMOUS_GENERATIONS && side >= FAMOUS_SIDE;
            int expected = famous ? FAMOUS_POPULATION : playAlone(side, generations);
            boolean right = total[0] == expected;
            System.out.println(side + " x " + side + ", generation " + generations + ": population " + total[0]
                    + (right ? " ok" : " WRONG"));
            if (!right) {
                throw new IllegalStateException("the population should be " + expected);
            }
        }
        MPI.Finalize();
    }

    /** The R-pentomino in the middle: .XX, XX., .X. */
    private static void begin(byte[] cells, int side, int firstRow, int rows) {
        int middle = side / 2;
        int[][] pentomino = {{-1, 0}, {-1, 1}, {0, -1}, {0, 0}, {1, 0}};
        for (int[] cell : pentomino) {
            int row = middle + cell[0] - firstRow;
            if (row >= 0 && row < rows) {
                cells[(row + 1) * side + middle + cell[1]] = 1;
            }
        }
    }

    private static void step(byte[] now, byte[] next, int side, int rows) {
        for (int row = 1; row <= rows; row++) {
            int here = row * side;
            for (int column = 0; column < side; column++) {
                int west = column == 0 ? side - 1 : column - 1;
                int east = column == side - 1 ? 0 : column + 1;
                int above = here - side;
                int below = here + side;
                int neighbours = now[above + west]
                        + now[above + column]
                        + now[above + east]
                        + now[here + west]
                        + now[here + east]
                        + now[below + west]
                        + now[below + column]
                        + now[below + east];
                next[here + column] = (byte) (neighbours == 3 || (neighbours == 2 && now[here + column] == 1) ? 1 : 0);
            }
        }
    }

    private static int population(byte[] cells, int side, int rows) {
        int population = 0;
        for (int i = side; i < (rows + 1) * side; i++) {
            population += cells[i];
        }
        return population;
    }

    private static int playAlone(int side, int generations) {
        byte[] now = new byte[(side + 2) * side];
        byte[] next = new byte[(side + 2) * side];
        begin(now, side, 0, side);
        for (int generation = 0; generation < generations; generation++) {
            System.arraycopy(now, side, now, (side + 1) * side, side);
            System.arraycopy(now, side * side, now, 0, side);
            step(now, next, side, side);
            byte[] former = now;
            now = next;
            next = former;
        }
        return population(now, side, side);
    }
}
