import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Scanner;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicLong;
import mpi.*;

/**
 * What a program has outside of its arrays: rank 0 reads lines from standard input, rank 1 writes them to the file of its first
 * argument and to another one beside it, rank 2 reads its own lines from that of the second, twice, rank 3 reads it at places and
 * by a channel, all have a Random and a Timer.
 */
public class Outside {
    public static void main(String[] args) throws Exception {
        String[] own = MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.Rank();
        BufferedReader in = rank == 0 ? new BufferedReader(new InputStreamReader(System.in)) : null;
        PrintWriter out = rank == 1 ? new PrintWriter(own[0]) : null;
        BufferedWriter log = rank == 1 ? Files.newBufferedWriter(Path.of(own[0] + ".log")) : null;
        BufferedReader other = rank == 2 ? new BufferedReader(new FileReader(own[1])) : null;
        Scanner same = rank == 2 ? new Scanner(Path.of(own[1])) : null;
        RandomAccessFile places = rank == 3 ? new RandomAccessFile(own[1], "r") : null;
        FileChannel channel = rank == 3 ? FileChannel.open(Path.of(own[1])) : null;
        Random random = new Random(rank);
        AtomicLong ticks = new AtomicLong();
        Timer timer = new Timer("ticks", true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                ticks.incrementAndGet();
            }
        }, 5, 5);
        long[] sum = new long[1];
        for (int step = 0; ; step++) {
            Object[] line = {rank == 0 ? in.readLine() : null};
            world.Bcast(line, 0, 1, MPI.OBJECT, 0);
            if (line[0] == null) {
                break;
            }
            sum[0] = sum[0] * 31 + line[0].hashCode() + random.nextInt();
            if (rank == 1) {
                out.println(step + " " + line[0]);
                log.write(step + ";");
            } else if (rank == 2) {
                sum[0] += other.readLine().hashCode() - 3 * same.nextLine().hashCode();
            } else if (rank == 3) {
                places.seek(8L * (step % 1000));
                ByteBuffer next = ByteBuffer.allocate(8);
                channel.read(next);
                sum[0] += places.readLong() + next.flip().hashCode();
            }
            if (step % 10 == 0) {
                long[] all = new long[1];
                world.Allreduce(sum, 0, all, 0, 1, MPI.LONG, MPI.SUM);
                sum[0] += all[0];
            }
        }
        if (rank == 1) {
            out.close();
            log.close();
            sum[0] += Files.readString(Path.of(own[0])).hashCode();
            sum[0] += Files.readString(Path.of(own[0] + ".log")).hashCode();
        }
        long before = ticks.get();
        for (int look = 0; look < 1000 && ticks.get() == before; look++) {
            Thread.sleep(5);
        }
        long[] late = {ticks.get() > before ? 0 : 1};
        timer.cancel();
        long[] total = new long[2];
        world.Allreduce(sum, 0, total, 0, 1, MPI.LONG, MPI.SUM);
        world.Allreduce(late, 0, total, 1, 1, MPI.LONG, MPI.SUM);
        if (rank == 0) {
            System.out.println("checksum " + Long.toHexString(total[0]) + ", timers that stand still: " + total[1]);
        }
        MPI.Finalize();
    }
}
