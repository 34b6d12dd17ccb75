import java.util.Locale;
import java.util.SplittableRandom;
import mpi.*;

/*
 * MonteCarloPi: random points in a square, how many fall into the circle? The blocks of points are shared out among the
 * ranks, and every block has a seed of its own, so the answer is the same for any number of ranks. Shows Bcast and Reduce.
 *
 *   ./mpjrun -np 4 examples/MonteCarloPi.java [millions of points]
 *
 *   pi = 3.141469, 64000000 points, error 0.000124 ok
 */
public class MonteCarloPi {
    private static final int BLOCKS = 64;

    public static void main(String[] args) {
        String[] user = MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();

        // Only rank 0 need know the arguments.
        double[] millions = {user.length > 0 ? Double.parseDouble(user[0]) : 64};
        MPI.COMM_WORLD.Bcast(millions, 0, 1, MPI.DOUBLE, 0);
        long pointsPerBlock = (long) (millions[0] * 1e6 / BLOCKS);

        long[] hits = {0};
        for (int block = rank; block < BLOCKS; block += size) {
            SplittableRandom random = new SplittableRandom(1000 + block);
            for (long point = 0; point < pointsPerBlock; point++) {
                double x = random.nextDouble();
                double y = random.nextDouble();
                if (x * x + y * y < 1) {
                    hits[0]++;
                }
            }
        }
        long[] allHits = {0};
        MPI.COMM_WORLD.Reduce(hits, 0, allHits, 0, 1, MPI.LONG, MPI.SUM, 0);

        if (rank == 0) {
            long points = pointsPerBlock * BLOCKS;
            double pi = 4.0 * allHits[0] / points;
            double error = Math.abs(pi - Math.PI);
            // Five standard deviations of the estimate.
            double allowed = 5 * Math.sqrt(Math.PI * (4 - Math.PI) / points);
            System.out.println(String.format(
                    Locale.ROOT,
                    "pi = %.6f, %d points, error %.6f %s",
                    pi,
                    points,
                    error,
                    error < allowed ? "ok" : "WRONG"));
            if (error >= allowed) {
                throw new IllegalStateException("pi is further off than chance allows");
            }
        }
        MPI.Finalize();
    }
}
