import java.util.Locale;
import mpj.*;

/*
 * PingPong as the report of 2005 ran it: the MPJ names, and started by hand, without a launcher. Build GridMPJ first
 * (./mpjrun does), then in one terminal
 *
 *   java -cp gridmpj.jar examples/report2005/PingPong.java localhost 10000 -np 2
 *
 * and in another
 *
 *   java -cp gridmpj.jar examples/report2005/PingPong.java localhost 10000 -yourrank 1 -amslave -yourname localhost -np 2
 *
 * On several hosts both sides need the same secret: set GRIDMPJ_SECRET; without it only loopback is used. It runs under
 * the launcher as well: ./mpjrun -np 2 examples/report2005/PingPong.java
 *
 *   loop = 25, msgSize = 512bytes, elapsedTime=1.208msec
 *   transfer rate = 169.5Mbps
 *   ...
 *   12 sizes ok
 */
public class PingPong {
    private static final int LOOPS = 25;
    private static final int SMALLEST_BYTES = 512;
    private static final int LARGEST_BYTES = 1 << 20;
    private static final int TAG = 7;

    public static void main(String[] args) {
        MPJ.Init(args);
        int rank = MPJ.COMM_WORLD.Rank();
        // The permanent buffers of the communicator: room for the largest message.
        MPJ.COMM_WORLD.SetBufferSize(LARGEST_BYTES + 1024);

        int sizes = 0;
        for (int bytes = SMALLEST_BYTES; bytes <= LARGEST_BYTES; bytes *= 2) {
            byte[] message = new byte[bytes];
            message[bytes - 1] = rank == 0 ? (byte) 42 : 0;
            MPJ.COMM_WORLD.Barrier();
            long start = System.nanoTime();
            for (int loop = 0; loop < LOOPS; loop++) {
                if (rank == 0) {
                    MPJ.COMM_WORLD.Send(message, 0, bytes, MPJ.BYTE, 1, TAG);
                    MPJ.COMM_WORLD.Recv(message, 0, bytes, MPJ.BYTE, 1, TAG);
                } else if (rank == 1) {
                    MPJ.COMM_WORLD.Recv(message, 0, bytes, MPJ.BYTE, 0, TAG);
                    MPJ.COMM_WORLD.Send(message, 0, bytes, MPJ.BYTE, 0, TAG);
                }
            }
            double millis = (System.nanoTime() - start) / 1e6;
            if (rank == 0) {
                double megabitsPerSecond = 2.0 * LOOPS * bytes * 8 / (millis * 1000);
                System.out.println(String.format(
                        Locale.ROOT, "loop = %d, msgSize = %dbytes, elapsedTime=%.3fmsec", LOOPS, bytes, millis));
                System.out.println(String.format(Locale.ROOT, "transfer rate = %.1fMbps", megabitsPerSecond));
                if (message[bytes - 1] != 42) {
                    throw new IllegalStateException("a message of " + bytes + " bytes came back changed");
                }
            }
            sizes++;
        }
        if (rank == 0) {
            System.out.println(sizes + " sizes ok");
        }
        MPJ.Finalize();
    }
}
