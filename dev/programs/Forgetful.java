import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import mpi.*;
import org.gridmpj.ateam.Ateam;

/**
 * Takes cooperative snapshots, and never asks whether it is resumed: {@code Forgetful STEPS [read]} begins anew after each crash.
 * With "read" rank 0 reads a line of input in each step.
 */
public class Forgetful {
    public static void main(String[] args) throws IOException, InterruptedException {
        String[] own = MPI.Init(args);
        int steps = Integer.parseInt(own[0]), rank = MPI.COMM_WORLD.Rank();
        BufferedReader input = own.length > 1 && rank == 0 ? new BufferedReader(new InputStreamReader(System.in)) : null;
        long[] in = new long[1], sum = new long[1];
        for (int step = 0; step < steps; step++) {
            Ateam.registerLocalVar("step", step);
            Ateam.takeSnapshot(step);
            in[0] = sum[0] + step + rank + (input == null ? 0 : input.readLine().length());
            MPI.COMM_WORLD.Allreduce(in, 0, sum, 0, 1, MPI.LONG, MPI.SUM);
            if (rank == 0) System.out.println("step " + step + ": " + sum[0]);
            Thread.sleep(10);
        }
        MPI.Finalize();
    }
}
