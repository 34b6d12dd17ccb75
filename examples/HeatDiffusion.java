import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import mpi.*;
import org.gridmpj.ateam.Ateam;

/*
 * HeatDiffusion: heat spreads over a plate; the two-dimensional heat equation by Jacobi's method, in blocks of rows with
 * halo exchange. It survives the death of its processes: every hundred steps it offers a snapshot of its state.
 *
 *   ./mpjrun -np 4 --checkpoint 1s examples/HeatDiffusion.java [options]
 *
 *     --size N           side of the square grid (default 1024)
 *     --steps N          time steps (default 30000: some tens of seconds)
 *     --png FILE|none    picture of the result (default heat.png)
 *     --kill R@S|random  a demonstration: rank R kills its own process with signal 9 after S seconds, once;
 *                        random chooses both
 *
 *   step  1000 of 30000, largest change 0.0242
 *   ...
 *   step 30000 of 30000, largest change 0.0012
 *   checksum d31977a978c74bfc
 *   heat.png written
 *
 * Kill any rank at any time (kill -9, or --kill random): all ranks go back to the last snapshot and the checksum is the
 * same. It is also the same for any number of ranks, since the arithmetic of a cell does not depend on where it is done.
 * Without --checkpoint the program runs just as well, only a killed rank then ends the job.
 *
 *        row 0 of the block: copy of the upper neighbour's last row
 *       ┌───────────────────────────────┐
 *       │ rows 1 … rows: the own ones   │   Sendrecv up, Sendrecv down, then one Jacobi step
 *       └───────────────────────────────┘
 *        row rows + 1: copy of the lower neighbour's first row
 */
public class HeatDiffusion {
    /** Share of the difference to its neighbours that a cell takes over in a step; stable below 0.25. */
    private static final double DIFFUSION = 0.24;

    private static final double HOT = 100;
    private static final int STEPS_PER_SNAPSHOT_OFFER = 100;
    private static final int REPORTS = 30;
    private static final int TAG_UP = 1;
    private static final int TAG_DOWN = 2;

    private static final int DEFAULT_SIDE = 1024;
    private static final int DEFAULT_STEPS = 30_000;
    private static final long DEFAULT_CHECKSUM = 0xd31977a978c74bfcL;

    public static void main(String[] args) throws IOException {
        String[] user = MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int side = Integer.parseInt(option(user, "--size", "" + DEFAULT_SIDE));
        int steps = Integer.parseInt(option(user, "--steps", "" + DEFAULT_STEPS));
        String png = option(user, "--png", "heat.png");
        String kill = option(user, "--kill", "");
        if (side < 2 * size) {
            throw new IllegalArgumentException("a grid of " + side + " rows is too small for " + size + " ranks");
        }

        int firstRow = firstRow(side, rank, size);
        int rows = firstRow(side, rank + 1, size) - firstRow;
        int up = rank > 0 ? rank - 1 : MPI.PROC_NULL;
        int down = rank + 1 < size ? rank + 1 : MPI.PROC_NULL;

        double[] now = new double[(rows + 2) * side];
        int step = 0;
        if (Ateam.isResumed()) {
            now = (double[]) Ateam.retrieveLocalVar("grid");
            step = (Integer) Ateam.retrieveLocalVar("step");
        } else {
            coldPlate(now, side, firstRow, rows);
            if (!kill.isEmpty()) {
                killLater(kill, rank, size);
            }
        }
        double[] next = now.clone();

        int stepsPerReport = Math.max(1, steps / REPORTS);
        while (step < steps) {
            MPI.COMM_WORLD.Sendrecv(
                    now, side, side, MPI.DOUBLE, up, TAG_UP, now, (rows + 1) * side, side, MPI.DOUBLE, down, TAG_UP);
            MPI.COMM_WORLD.Sendrecv(
                    now, rows * side, side, MPI.DOUBLE, down, TAG_DOWN, now, 0, side, MPI.DOUBLE, up, TAG_DOWN);
            diffuse(now, next, side, firstRow, rows);
            heat(next, side, firstRow, rows);
            step++;
            if (step % stepsPerReport == 0 || step == steps) {
                double change = largestChange(now, next, side, rows);
                if (rank == 0) {
                    System.out.println(
                            String.format(Locale.ROOT, "step %5d of %d, largest change %.4f", step, steps, change));
                }
            }
            double[] former = now;
            now = next;
            next = former;

            if (step % STEPS_PER_SNAPSHOT_OFFER == 0 && step < steps) {
                Ateam.registerLocalVar("grid", now);
                Ateam.registerLocalVar("step", step);
                // Collective. Rank 0 decides whether the interval of --checkpoint is over; mostly it is not.
                Ateam.takeSnapshot(step);
            }
        }

        double[] plate = gather(now, side, rows, rank, size);
        if (rank == 0) {
            long checksum = checksum(plate);
            System.out.println("checksum " + String.format("%016x", checksum));
            if (side == DEFAULT_SIDE && steps == DEFAULT_STEPS && checksum != DEFAULT_CHECKSUM) {
                throw new IllegalStateException(String.format("the checksum should be %016x", DEFAULT_CHECKSUM));
            }
            if (!png.equals("none")) {
                paint(plate, side, new File(png));
                System.out.println(png + " written");
            }
        }
        MPI.Finalize();
    }

    private static String option(String[] arguments, String name, String otherwise) {
        int at = Arrays.asList(arguments).indexOf(name);
        return at >= 0 && at + 1 < arguments.length ? arguments[at + 1] : otherwise;
    }

    private static int firstRow(int side, int rank, int size) {
        return (int) ((long) side * rank / size);
    }

    /** A cold plate whose upper edge is hot in the middle; the edges keep their temperature. */
    private static void coldPlate(double[] cells, int side, int firstRow, int rows) {
        if (firstRow == 0) {
            for (int column = 0; column < side; column++) {
                // A parabola rather than a sine: only + − × are the same bits everywhere.
                double x = (double) column / (side - 1);
                cells[side + column] = HOT * 4 * x * (1 - x);
            }
        }
        heat(cells, side, firstRow, rows);
    }

    /** Three round heaters keep their temperature. */
    private static void heat(double[] cells, int side, int firstRow, int rows) {
        heater(cells, side, firstRow, rows, side * 5 / 16, side * 5 / 8, side / 16, HOT);
        heater(cells, side, firstRow, rows, side * 5 / 8, side * 5 / 16, side / 24, HOT * 0.75);
        heater(cells, side, firstRow, rows, side * 3 / 4, side * 3 / 4, side / 10, HOT * 0.5);
    }

    private static void heater(
            double[] cells, int side, int firstRow, int rows, int atRow, int atColumn, int radius, double temperature) {
        int from = Math.max(atRow - radius, firstRow);
        int to = Math.min(atRow + radius, firstRow + rows - 1);
        for (int row = from; row <= to; row++) {
            int height = row - atRow;
            int halfWidth = (int) Math.sqrt(radius * radius - height * height);
            int middle = (row - firstRow + 1) * side + atColumn;
            Arrays.fill(cells, middle - halfWidth, middle + halfWidth + 1, temperature);
        }
    }

    /** One step of Jacobi's method; the edges of the plate stay as they are. */
    private static void diffuse(double[] now, double[] next, int side, int firstRow, int rows) {
        int from = firstRow == 0 ? 2 : 1;
        int to = firstRow + rows == side ? rows - 1 : rows;
        for (int row = from; row <= to; row++) {
            int last = row * side + side - 1;
            for (int i = row * side + 1; i < last; i++) {
                next[i] = now[i] + DIFFUSION * (now[i - side] + now[i + side] + now[i - 1] + now[i + 1] - 4 * now[i]);
            }
        }
    }

    private static double largestChange(double[] now, double[] next, int side, int rows) {
        double[] mine = {0};
        for (int i = side; i < (rows + 1) * side; i++) {
            mine[0] = Math.max(mine[0], Math.abs(next[i] - now[i]));
        }
        double[] largest = new double[1];
        MPI.COMM_WORLD.Allreduce(mine, 0, largest, 0, 1, MPI.DOUBLE, MPI.MAX);
        return largest[0];
    }

    private static double[] gather(double[] cells, int side, int rows, int rank, int size) {
        double[] plate = new double[rank == 0 ? side * side : 0];
        int[] counts = new int[size];
        int[] displacements = new int[size];
        for (int source = 0; source < size; source++) {
            displacements[source] = firstRow(side, source, size) * side;
            counts[source] = firstRow(side, source + 1, size) * side - displacements[source];
        }
        MPI.COMM_WORLD.Gatherv(cells, side, rows * side, MPI.DOUBLE, plate, 0, counts, displacements, MPI.DOUBLE, 0);
        return plate;
    }

    /** FNV-1a over the bits of all cells. */
    private static long checksum(double[] plate) {
        long hash = 0xcbf29ce484222325L;
        for (double cell : plate) {
            long bits = Double.doubleToRawLongBits(cell);
            for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
                hash = (hash ^ (bits >>> shift & 0xff)) * 0x100000001b3L;
            }
        }
        return hash;
    }

    /** The temperatures in the colours of glowing iron. */
    private static void paint(double[] plate, int side, File file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        BufferedImage picture = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < plate.length; i++) {
            double t = plate[i] / HOT;
            int red = level(3 * t);
            int green = level(3 * t - 1);
            int blue = Math.max(level(3 * t - 2), level(0.4 - 2 * Math.abs(t - 0.15)));
            picture.setRGB(i % side, i / side, red << 16 | green << 8 | blue);
        }
        ImageIO.write(picture, "png", file);
    }

    private static int level(double share) {
        return (int) (255 * Math.clamp(share, 0, 1));
    }

    /** The demonstration: one rank of the first start dies as if somebody had typed kill -9. */
    private static void killLater(String kill, int rank, int size) {
        double[] plan = {0, 0};
        if (rank == 0) {
            SplittableRandom random = new SplittableRandom();
            int at = kill.indexOf('@');
            plan[0] = at < 0 ? random.nextInt(size) : Integer.parseInt(kill.substring(0, at));
            plan[1] = at < 0 ? random.nextDouble(2, 8) : Double.parseDouble(kill.substring(at + 1));
        }
        MPI.COMM_WORLD.Bcast(plan, 0, 2, MPI.DOUBLE, 0);
        boolean firstStart =
                System.getenv().getOrDefault("GRIDMPJ_INCARNATION", "0").equals("0");
        if (rank != (int) plan[0] || !firstStart) {
            return;
        }
        Thread killer = new Thread(() -> {
            try {
                Thread.sleep((long) (1000 * plan[1]));
                System.out.println("rank " + rank + " kills itself now (signal 9)");
                System.out.flush();
                long pid = ProcessHandle.current().pid();
                new ProcessBuilder("kill", "-9", Long.toString(pid))
                        .inheritIO()
                        .start()
                        .waitFor();
            } catch (InterruptedException | IOException e) {
                System.err.println("rank " + rank + " could not kill itself: " + e.getMessage());
            }
        });
        killer.setDaemon(true);
        killer.start();
    }
}
