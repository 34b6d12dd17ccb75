import java.util.Locale;
import mpi.*;

/**
 * Each rank computes a little in 100 MB of arrays and agrees with the others, over and over: {@code Stall SECONDS PERIOD}. How long a
 * snapshot makes it stand still shows as a gap between two steps, which is more than what the snapshot takes by itself.
 *
 * <p>Output: {@code csv,stall,MILLISECONDS;…}, the longest gap of any rank around each multiple of the period but 0 (in seconds, from
 * the start), which is how often snapshots are taken.
 */
public class Stall {
    private static final int ARRAYS = 10, LENGTH = 1_310_720;
    private static final int TOUCHED = 20_000;

    public static void main(String[] args) {
        String[] own = MPI.Init(args);
        double seconds = Double.parseDouble(own[0]), period = Double.parseDouble(own[1]);
        int rank = MPI.COMM_WORLD.Rank();
        double[][] state = new double[ARRAYS][LENGTH];
        for (double[] each : state) for (int i = 0; i < LENGTH; i++) each[i] = i * 0.5 + rank;
        double[] gaps = new double[(int) (seconds / period) + 1], longest = new double[gaps.length];
        double[] mine = new double[1], most = new double[1];
        double sum = 0;
        long begin = System.nanoTime(), last = begin;
        for (int step = 0; most[0] < seconds; step++) {
            double[] each = state[step % ARRAYS];
            for (int i = 0; i < TOUCHED; i++) {
                int at = (i * 61 + step) % LENGTH;
                sum += each[at];
                each[at] = sum * 1e-9;
            }
            mine[0] = (System.nanoTime() - begin) / 1e9;
            MPI.COMM_WORLD.Allreduce(mine, 0, most, 0, 1, MPI.DOUBLE, MPI.MAX);
            long now = System.nanoTime();
            int near = (int) Math.round((now - begin) / 1e9 / period);
            if (near < gaps.length) gaps[near] = Math.max(gaps[near], (now - last) / 1e6);
            last = now;
        }
        MPI.COMM_WORLD.Reduce(gaps, 0, longest, 0, gaps.length, MPI.DOUBLE, MPI.MAX, 0);
        if (rank == 0) {
            StringBuilder line = new StringBuilder("csv,stall,");
            for (int i = 1; i < longest.length; i++) line.append(String.format(Locale.ROOT, "%.1f;", longest[i]));
            System.out.println(line);
        }
        MPI.Finalize();
    }
}
