import java.util.Locale;
import mpi.*;

/*
 * PingPong: the measurement of the 2005 report on MPJ. Ranks 0 and 1 send a message to and fro, `loops` times for each
 * size from 512 bytes to 1 MiB. The transfer rate counts the bits of both directions.
 *
 *   ./mpjrun -np 2 examples/PingPong.java [loops [largestBytes]]
 *
 *   loop = 25, msgSize = 512bytes, elapsedTime=0.412msec
 *   transfer rate = 497.1Mbps
 *   ...
 *   loop = 25, msgSize = 1048576bytes, elapsedTime=17.803msec
 *   transfer rate = 23559.1Mbps
 *   12 sizes ok
 *
 * The first sizes include the time in which the JVM compiles; more loops (say 10000) show the steady state. With one rank
 * it sends to itself. The report's own program, for its `MPJ` names and its start by hand, is in examples/report2005.
 */
public class PingPong {
    private static final int SMALLEST_BYTES = 512;
    private static final int TAG = 7;

    public static void main(String[] args) {
        String[] user = MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int loops = user.length > 0 ? Integer.parseInt(user[0]) : 25;
        int largestBytes = user.length > 1 ? Integer.parseInt(user[1]) : 1 << 20;

        int sizes = 0;
        for (int bytes = SMALLEST_BYTES; bytes <= largestBytes; bytes *= 2) {
            byte[] message = new byte[bytes];
            if (rank == 0) {
                for (int i = 0; i < bytes; i++) {
                    message[i] = (byte) (31 * i + bytes / SMALLEST_BYTES);
                }
            }
            MPI.COMM_WORLD.Barrier();
            double start = MPI.Wtime();
            for (int loop = 0; loop < loops; loop++) {
                if (size == 1) {
                    Request sent = MPI.COMM_WORLD.Isend(message.clone(), 0, bytes, MPI.BYTE, 0, TAG);
                    MPI.COMM_WORLD.Recv(message, 0, bytes, MPI.BYTE, 0, TAG);
                    sent.Wait();
                } else if (rank == 0) {
                    MPI.COMM_WORLD.Send(message, 0, bytes, MPI.BYTE, 1, TAG);
                    MPI.COMM_WORLD.Recv(message, 0, bytes, MPI.BYTE, 1, TAG);
                } else if (rank == 1) {
                    MPI.COMM_WORLD.Recv(message, 0, bytes, MPI.BYTE, 0, TAG);
                    MPI.COMM_WORLD.Send(message, 0, bytes, MPI.BYTE, 0, TAG);
                }
            }
            double millis = (MPI.Wtime() - start) * 1000;
            if (rank == 0) {
                double megabitsPerSecond = 2.0 * loops * bytes * 8 / (millis * 1000);
                System.out.println(String.format(
                        Locale.ROOT, "loop = %d, msgSize = %dbytes, elapsedTime=%.3fmsec", loops, bytes, millis));
                System.out.println(String.format(Locale.ROOT, "transfer rate = %.1fMbps", megabitsPerSecond));
                for (int i = 0; i < bytes; i++) {
                    if (message[i] != (byte) (31 * i + bytes / SMALLEST_BYTES)) {
                        throw new IllegalStateException("byte " + i + " of " + bytes + " came back changed");
                    }
                }
            }
            sizes++;
        }
        if (rank == 0) {
            System.out.println(sizes + " sizes ok");
        }
        MPI.Finalize();
    }
}
