import java.util.Arrays;
import mpi.*;

/**
 * Long messages round a ring: arguments are steps and longs for each message. With a third one, "chance", the first number of
 * each message of rank 1 is the time, which the answer does not depend on.
 */
public class Flood {
    public static void main(String[] args) throws Exception {
        String[] own = MPI.Init(args);
        int steps = Integer.parseInt(own[0]);
        int length = Integer.parseInt(own[1]);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.Rank();
        int size = world.Size();
        boolean chance = own.length > 2 && rank == 1;
        long[] out = new long[length];
        long[] in = new long[length];
        long sum = rank;
        for (int step = 0; step < steps; step++) {
            Arrays.fill(out, sum + step);
            out[0] = chance ? System.nanoTime() : 0;
            world.Sendrecv(out, 0, length, MPI.LONG, (rank + 1) % size, 1, in, 0, length, MPI.LONG, (rank + size - 1) % size, 1);
            sum = sum * 31 + in[1] + in[length - 1];
        }
        long[] all = new long[1];
        world.Allreduce(new long[] {sum}, 0, all, 0, 1, MPI.LONG, MPI.SUM);
        if (rank == 0) {
            System.out.println("checksum " + Long.toHexString(all[0]));
        }
        MPI.Finalize();
    }
}
