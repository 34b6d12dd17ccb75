import mpi.*;

/**
 * Ranks that hold so many megabytes each and change them all the time, in a ring: {@code Ballast MEGABYTES ROUNDS [MILLISECONDS]}.
 * With milliseconds to sleep in each round the job lasts so long on any machine, and leaves its cores to others.
 */
public class Ballast {
    private static final int WINDOW = 1000;

    public static void main(String[] args) throws InterruptedException {
        String[] own = MPI.Init(args);
        int megabytes = own.length > 0 ? Integer.parseInt(own[0]) : 10;
        int rounds = own.length > 1 ? Integer.parseInt(own[1]) : 1000;
        int milliseconds = own.length > 2 ? Integer.parseInt(own[2]) : 0;
        int rank = MPI.COMM_WORLD.Rank(), size = MPI.COMM_WORLD.Size();
        int right = (rank + 1) % size, left = (rank + size - 1) % size;
        long[] ballast = new long[megabytes * 125_000];
        for (int i = 0; i < ballast.length; i++) ballast[i] = (i + 1L) * 0x9E3779B97F4A7C15L + rank;
        long[] in = new long[WINDOW];
        for (int round = 0; round < rounds; round++) {
            int from = (int) ((long) round * WINDOW % (ballast.length - WINDOW));
            MPI.COMM_WORLD.Sendrecv(ballast, from, WINDOW, MPI.LONG, right, 1, in, 0, WINDOW, MPI.LONG, left, 1);
            for (int i = 0; i < WINDOW; i++) ballast[from + i] = ballast[from + i] * 31 + in[i] + round;
            Thread.sleep(milliseconds);
        }
        long[] sum = {1}, total = new long[1];
        for (long each : ballast) sum[0] = sum[0] * 31 + each;
        MPI.COMM_WORLD.Reduce(sum, 0, total, 0, 1, MPI.LONG, MPI.BXOR, 0);
        if (rank == 0) System.out.println("checksum " + Long.toHexString(total[0]));
        MPI.Finalize();
    }
}
