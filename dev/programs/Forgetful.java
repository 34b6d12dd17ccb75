import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import mpi.*;
import org.gridmpj.ateam.Ateam;

/**
 * Takes cooperative snapshots, and never asks whether it is resumed: {@code Forgetful STEPS [read | tell]} begins anew after each crash.
 * With "read" rank 0 reads a line of input in each step; with "tell" it asks for its state, and tells the others, which do not ask.
 */
public class Forgetful {
    public static void main(String[] args) throws IOException, InterruptedException {
        String[] own = MPI.Init(args);
        int steps = Integer.parseInt(own[0]), rank = MPI.COMM_WORLD.Rank();
        String how = own.length > 1 ? own[1] : "";
        BufferedReader input = how.equals("read") && rank == 0 ? new BufferedReader(new InputStreamReader(System.in)) : null;
        long[] in = new long[1], sum = new long[1], begin = new long[2];
        if (how.equals("tell")) {
            if (rank == 0 && Ateam.isResumed()) {
                begin[0] = (Integer) Ateam.retrieveLocalVar("step");
                begin[1] = (Long) Ateam.retrieveLocalVar("sum");
            }
            MPI.COMM_WORLD.Bcast(begin, 0, 2, MPI.LONG, 0);
            sum[0] = begin[1];
        }
        for (int step = (int) begin[0]; step < steps; step++) {
            Ateam.registerLocalVar("step", step);
            Ateam.registerLocalVar("sum", sum[0]);
            Ateam.takeSnapshot(step);
            in[0] = sum[0] + step + rank + (input == null ? 0 : input.readLine().length());
            MPI.COMM_WORLD.Allreduce(in, 0, sum, 0, 1, MPI.LONG, MPI.SUM);
            if (rank == 0 || how.equals("tell")) System.out.println("rank " + rank + ", step " + step + ": " + sum[0]);
            Thread.sleep(10);
        }
        MPI.Finalize();
    }
}
