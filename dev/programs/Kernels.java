import java.util.Locale;
import java.util.Random;
import mpi.*;

/**
 * The kernels of Java Grande's section 2 (Smith, Bull, Obdržálek: A Parallel Java Grande Benchmark Suite, SC 2001), written anew from their
 * description: {@code Kernels SECONDS KERNEL…}. Sizes are of that suite, but where its larger ones measure the memory, which other machines
 * of the same host use too. Each kernel is repeated until so many seconds are over, at least twice, and each result is checked: a wrong one
 * aborts the job.
 *
 * <pre>
 *   series   25,000 Fourier coefficients of (x + 1)^x on [0, 2], a share for each rank       one gather
 *   crypt    20 MB by IDEA and back, a share for each rank                                    scatter, gather
 *   lufact   a system of 1000 equations by LU with partial pivoting, columns dealt in turn    a broadcast of a column for each step
 *   sor      100 sweeps over 1000 × 1000 points, red and black, a block of rows for each      two neighbours, twice in a sweep
 *   sparse   200 products of a 100,000 × 100,000 matrix of 500,000 elements, dealt by element an Allreduce of 800 KB for each
 * </pre>
 *
 * Output: {@code csv,KERNEL,MILLISECONDS;MILLISECONDS;…}, the time of the slowest rank of each repetition; and {@code
 * begins,KERNEL,MILLISECONDS;MILLISECONDS;…}, when each began, since 1970.
 */
public class Kernels {
    private static final int SERIES = 25_000, SERIES_POINTS = 1000;
    private static final int CRYPT_BYTES = 20_000_000;
    private static final int EQUATIONS = 1000;
    private static final int GRID = 1000, SWEEPS = 100;
    private static final double OMEGA = 1.25;
    private static final int SPARSE_ROWS = 100_000, SPARSE_ELEMENTS = 500_000, PRODUCTS = 200;
    private static final int TAG = 1;

    private static int rank, size;
    /** Of the last repetition. */
    private static long begunMillis;

    private interface Kernel {
        /** One repetition; the milliseconds of the part that is measured. */
        double run();
    }

    public static void main(String[] args) {
        String[] own = MPI.Init(args);
        rank = MPI.COMM_WORLD.Rank();
        size = MPI.COMM_WORLD.Size();
        double seconds = Double.parseDouble(own[0]);
        for (int i = 1; i < own.length; i++) {
            String name = own[i];
            repeat(name, seconds, switch (name) {
                case "series" -> Kernels::series;
                case "crypt" -> Kernels::crypt;
                case "lufact" -> Kernels::lufact;
                case "sor" -> Kernels::sor;
                case "sparse" -> Kernels::sparse;
                default -> throw new IllegalArgumentException("no kernel " + name);
            });
        }
        MPI.Finalize();
    }

    private static void repeat(String name, double seconds, Kernel kernel) {
        StringBuilder line = new StringBuilder("csv," + name + ","), begins = new StringBuilder("begins," + name + ",");
        double[] mine = new double[2], slowest = new double[2];
        long begin = System.nanoTime();
        for (int done = 0; done < 2 || slowest[1] < seconds; done++) {
            mine[0] = kernel.run();
            mine[1] = (System.nanoTime() - begin) / 1e9;
            MPI.COMM_WORLD.Allreduce(mine, 0, slowest, 0, 2, MPI.DOUBLE, MPI.MAX);
            line.append(String.format(Locale.ROOT, "%.3f;", slowest[0]));
            begins.append(begunMillis).append(';');
        }
        if (rank == 0) System.out.println(begins + "\n" + line);
    }

    private static long begin() {
        MPI.COMM_WORLD.Barrier();
        begunMillis = System.currentTimeMillis();
        return System.nanoTime();
    }

    private static double end(long begin) {
        MPI.COMM_WORLD.Barrier();
        return (System.nanoTime() - begin) / 1e6;
    }

    private static void check(boolean right, String what) {
        if (!right) {
            System.err.println("wrong: " + what);
            MPI.COMM_WORLD.Abort(1);
        }
    }

    private static int share(int all) {
        return (all + size - 1) / size;
    }

    // ------------------------------------------------------------------------------------------------------------ series
    private static double series() {
        int share = share(SERIES);
        double[] a = new double[share], b = new double[share];
        double[] allA = new double[share * size], allB = new double[share * size];
        long begin = begin();
        for (int i = 0; i < share; i++) {
            int n = rank * share + i;
            a[i] = n == 0 ? integral(0, 0) / 2 : integral(n, 1);
            b[i] = n == 0 ? 0 : integral(n, 2);
        }
        MPI.COMM_WORLD.Gather(a, 0, share, MPI.DOUBLE, allA, 0, share, MPI.DOUBLE, 0);
        MPI.COMM_WORLD.Gather(b, 0, share, MPI.DOUBLE, allB, 0, share, MPI.DOUBLE, 0);
        double millis = end(begin);
        // the first coefficients, by quadrature to ten digits
        check(rank != 0 || Math.abs(allA[0] - 2.8819) < 0.01 && Math.abs(allA[1] - 1.1340) < 0.02 && Math.abs(allB[1] + 1.8820) < 0.01,
                "series: " + allA[0] + " " + allA[1] + " " + allB[1]);
        return millis;
    }

    /** Trapezoids over [0, 2] of (x + 1)^x, alone (0), by cos nπx (1) or by sin nπx (2). */
    private static double integral(int n, int by) {
        double step = 2.0 / SERIES_POINTS, omega = Math.PI * n;
        double sum = (term(0, omega, by) + term(2, omega, by)) / 2;
        for (int i = 1; i < SERIES_POINTS; i++) sum += term(i * step, omega, by);
        return sum * step;
    }

    private static double term(double x, double omega, int by) {
        double power = Math.pow(x + 1, x);
        return by == 0 ? power : power * (by == 1 ? Math.cos(omega * x) : Math.sin(omega * x));
    }

    // ------------------------------------------------------------------------------------------------------------- crypt
    private static double crypt() {
        int share = (share(CRYPT_BYTES) + 7) / 8 * 8;
        byte[] plain = new byte[rank == 0 ? share * size : 0], back = new byte[plain.length], secret = new byte[plain.length];
        if (rank == 0) for (int i = 0; i < plain.length; i++) plain[i] = (byte) (i * 31 ^ i >>> 11);
        int[] encrypt = new int[52];
        Random random = new Random(136506717L);
        int[] key = new int[8];
        for (int i = 0; i < 8; i++) key[i] = random.nextInt(1 << 16);
        for (int i = 0; i < 52; i++) { // the key, rotated by 25 bits for each eight words
            int at = i % 8 * 16 + i / 8 * 25;
            encrypt[i] = bits(key, at % 128);
        }
        int[] decrypt = inverse(encrypt);
        byte[] part = new byte[share], sealed = new byte[share];
        long begin = begin();
        MPI.COMM_WORLD.Scatter(plain, 0, share, MPI.BYTE, part, 0, share, MPI.BYTE, 0);
        idea(part, sealed, encrypt);
        MPI.COMM_WORLD.Gather(sealed, 0, share, MPI.BYTE, secret, 0, share, MPI.BYTE, 0);
        idea(sealed, part, decrypt);
        MPI.COMM_WORLD.Gather(part, 0, share, MPI.BYTE, back, 0, share, MPI.BYTE, 0);
        double millis = end(begin);
        int same = 0;
        for (int i = 0; i < plain.length; i++) {
            check(plain[i] == back[i], "crypt at " + i);
            if (plain[i] == secret[i]) same++;
        }
        check(same <= plain.length / 100, "crypt: not encrypted");
        return millis;
    }

    /** The 16 bits that begin at this one of 128. */
    private static int bits(int[] key, int at) {
        int word = at / 16, shift = at % 16;
        return (key[word] << shift | key[(word + 1) % 8] >>> 16 - shift) & 0xFFFF;
    }

    private static int[] inverse(int[] key) {
        int[] inverse = new int[52];
        for (int round = 0; round <= 8; round++) {
            int to = 6 * round, from = 6 * (8 - round);
            boolean outer = round == 0 || round == 8;
            inverse[to] = reciprocal(key[from]);
            inverse[to + 1] = -key[from + (outer ? 1 : 2)] & 0xFFFF;
            inverse[to + 2] = -key[from + (outer ? 2 : 1)] & 0xFFFF;
            inverse[to + 3] = reciprocal(key[from + 3]);
            if (round < 8) {
                inverse[to + 4] = key[from - 2];
                inverse[to + 5] = key[from - 1];
            }
        }
        return inverse;
    }

    /** Modulo 65537, where 0 stands for 65536. */
    private static int reciprocal(int x) {
        long value = x == 0 ? 65536 : x, result = 1, power = value;
        for (int exponent = 65535; exponent > 0; exponent >>= 1) {
            if ((exponent & 1) == 1) result = result * power % 65537;
            power = power * power % 65537;
        }
        return (int) (result & 0xFFFF);
    }

    private static int times(int a, int b) {
        if (a == 0) return 1 - b & 0xFFFF;
        if (b == 0) return 1 - a & 0xFFFF;
        int product = a * b, low = product & 0xFFFF, high = product >>> 16;
        return low - high + (low < high ? 1 : 0) & 0xFFFF;
    }

    private static int word(byte[] from, int at) {
        return from[at] & 0xFF | (from[at + 1] & 0xFF) << 8;
    }

    private static void put(byte[] to, int at, int word) {
        to[at] = (byte) word;
        to[at + 1] = (byte) (word >>> 8);
    }

    private static void idea(byte[] in, byte[] out, int[] key) {
        for (int at = 0; at < in.length; at += 8) {
            int a = word(in, at), b = word(in, at + 2), c = word(in, at + 4), d = word(in, at + 6), k = 0;
            for (int round = 0; round < 8; round++) {
                a = times(a, key[k++]);
                b = b + key[k++] & 0xFFFF;
                c = c + key[k++] & 0xFFFF;
                d = times(d, key[k++]);
                int e = times(a ^ c, key[k++]);
                int f = times((b ^ d) + e & 0xFFFF, key[k++]);
                e = e + f & 0xFFFF;
                a ^= f;
                d ^= e;
                int other = b ^ e;
                b = c ^ f;
                c = other;
            }
            put(out, at, times(a, key[k++]));
            put(out, at + 2, c + key[k++]);
            put(out, at + 4, b + key[k++]);
            put(out, at + 6, times(d, key[k]));
        }
    }

    // ------------------------------------------------------------------------------------------------------------ lufact
    /** Columns j with j mod size = rank are here; the right side is one that makes each unknown 1. */
    private static double lufact() {
        int n = EQUATIONS;
        double[][] columns = new double[n][];
        double[] right = new double[n];
        Random random = new Random(1325);
        for (int j = 0; j < n; j++) {
            double[] column = new double[n];
            for (int i = 0; i < n; i++) {
                column[i] = random.nextDouble() * 4 - 2;
                right[i] += column[i];
            }
            if (j % size == rank) columns[j] = column;
        }
        double[] pivot = new double[n + 1]; // the column's multipliers, and its row
        long begin = begin();
        for (int k = 0; k < n - 1; k++) {
            if (k % size == rank) eliminate(columns[k], k, pivot);
            MPI.COMM_WORLD.Bcast(pivot, k, n + 1 - k, MPI.DOUBLE, k % size);
            int row = (int) pivot[n];
            for (int j = first(k + 1); j < n; j += size) update(columns[j], k, row, pivot);
            update(right, k, row, pivot);
        }
        // back substitution: the owner of each column gives it to rank 0
        double[] column = new double[n];
        for (int k = n - 1; k >= 0; k--) {
            int owner = k % size;
            if (rank == 0 && owner != 0) MPI.COMM_WORLD.Recv(column, 0, k + 1, MPI.DOUBLE, owner, TAG);
            else if (rank == owner && owner != 0) MPI.COMM_WORLD.Send(columns[k], 0, k + 1, MPI.DOUBLE, 0, TAG);
            if (rank == 0) substitute(owner == 0 ? columns[k] : column, k, right);
        }
        double millis = end(begin);
        if (rank == 0) for (int i = 0; i < n; i++) check(Math.abs(right[i] - 1) < 1e-6, "lufact: unknown " + i + " is " + right[i]);
        return millis;
    }

    private static int first(int from) {
        return from + Math.floorMod(rank - from, size);
    }

    private static void eliminate(double[] column, int k, double[] pivot) {
        int row = k;
        for (int i = k + 1; i < column.length; i++) if (Math.abs(column[i]) > Math.abs(column[row])) row = i;
        double largest = column[row];
        column[row] = column[k];
        column[k] = largest;
        double scale = -1 / largest;
        for (int i = k + 1; i < column.length; i++) pivot[i] = column[i] *= scale;
        pivot[column.length] = row;
    }

    private static void update(double[] column, int k, int row, double[] pivot) {
        double factor = column[row];
        column[row] = column[k];
        column[k] = factor;
        for (int i = k + 1; i < column.length; i++) column[i] += factor * pivot[i];
    }

    private static void substitute(double[] column, int k, double[] right) {
        right[k] /= column[k];
        double factor = -right[k];
        for (int i = 0; i < k; i++) right[i] += factor * column[i];
    }

    // --------------------------------------------------------------------------------------------------------------- sor
    private static double sor() {
        int share = share(GRID), from = rank * share, rows = Math.min(share, GRID - from);
        double[][] grid = new double[rows + 2][GRID]; // a row of each neighbour around
        Random random = new Random(10101010);
        double before = 0;
        for (int i = 0; i < GRID; i++) {
            for (int j = 0; j < GRID; j++) {
                double value = random.nextDouble() * 1e-6;
                before += value;
                if (i >= from - 1 && i <= from + rows) grid[i - from + 1][j] = value;
            }
        }
        int up = rank == 0 ? MPI.PROC_NULL : rank - 1, down = rank == size - 1 ? MPI.PROC_NULL : rank + 1;
        long begin = begin();
        for (int half = 0; half < 2 * SWEEPS; half++) {
            for (int i = 1; i <= rows; i++) {
                int row = from + i - 1;
                if (row > 0 && row < GRID - 1) relax(grid[i - 1], grid[i], grid[i + 1], 1 + (row + half) % 2);
            }
            MPI.COMM_WORLD.Sendrecv(grid[1], 0, GRID, MPI.DOUBLE, up, TAG, grid[rows + 1], 0, GRID, MPI.DOUBLE, down, TAG);
            MPI.COMM_WORLD.Sendrecv(grid[rows], 0, GRID, MPI.DOUBLE, down, TAG, grid[0], 0, GRID, MPI.DOUBLE, up, TAG);
        }
        double millis = end(begin);
        double[] sums = {0, 0, 1}, all = new double[3]; // the points, the roughness inside, and ranks
        for (int i = 1; i <= rows; i++) {
            for (int j = 1; j < GRID - 1; j++) {
                sums[0] += grid[i][j];
                sums[1] += Math.abs(grid[i][j] - (grid[i][j - 1] + grid[i][j + 1]) / 2);
            }
        }
        MPI.COMM_WORLD.Allreduce(sums, 0, all, 0, 3, MPI.DOUBLE, MPI.SUM);
        // the mean stays, the roughness of random points (a third of 1e-6 each) is gone
        check(Math.abs(all[0] / before - 1) < 0.01 && all[1] / (GRID * (double) GRID) < 0.05e-6, "sor: " + all[0] / before + " " + all[1]);
        return millis;
    }

    private static void relax(double[] above, double[] row, double[] below, int first) {
        for (int j = first; j < row.length - 1; j += 2) {
            row[j] = OMEGA / 4 * (above[j] + below[j] + row[j - 1] + row[j + 1]) + (1 - OMEGA) * row[j];
        }
    }

    // ------------------------------------------------------------------------------------------------------------ sparse
    private static double sparse() {
        int share = share(SPARSE_ELEMENTS), from = rank * share, elements = Math.min(share, SPARSE_ELEMENTS - from);
        Random random = new Random(10101010);
        double[] x = new double[SPARSE_ROWS], y = new double[SPARSE_ROWS], part = new double[SPARSE_ROWS];
        for (int i = 0; i < x.length; i++) x[i] = random.nextDouble() * 1e-6;
        double[] values = new double[elements];
        int[] rows = new int[elements], columns = new int[elements];
        double wanted = 0;
        for (int i = 0; i < SPARSE_ELEMENTS; i++) {
            int row = random.nextInt(SPARSE_ROWS), column = random.nextInt(SPARSE_ROWS);
            double value = random.nextDouble();
            wanted += value * x[column] * PRODUCTS;
            if (i >= from && i < from + elements) {
                rows[i - from] = row;
                columns[i - from] = column;
                values[i - from] = value;
            }
        }
        long begin = begin();
        for (int product = 0; product < PRODUCTS; product++) {
            multiply(part, values, rows, columns, x);
            MPI.COMM_WORLD.Allreduce(part, 0, y, 0, y.length, MPI.DOUBLE, MPI.SUM);
        }
        double millis = end(begin), got = 0;
        for (double each : y) got += each;
        check(Math.abs(got / wanted - 1) < 1e-9, "sparse: " + got + ", not " + wanted);
        return millis;
    }

    private static void multiply(double[] y, double[] values, int[] rows, int[] columns, double[] x) {
        for (int i = 0; i < values.length; i++) y[rows[i]] += x[columns[i]] * values[i];
    }
}
