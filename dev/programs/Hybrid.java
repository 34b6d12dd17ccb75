import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import mpi.MPI;

/** Threads that each talk to the same thread of the next rank, while main computes and reduces; callbacks of the JDK. */
public class Hybrid {
    static final int THREADS = 3;

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int rounds = Integer.parseInt(args[args.length - 1]);
        long[] sums = new long[THREADS];
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int tag = t;
            Thread thread = new Thread(() -> exchange(rank, size, tag, rounds, sums), "exchange-" + t);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long[] total = new long[1];
        long[] own = new long[1];
        IntStream.range(0, THREADS).forEach(i -> {
            MPI.COMM_WORLD.Allreduce(sums, i, own, 0, 1, MPI.LONG, MPI.SUM);
            total[0] = total[0] * 31 + own[0];
        });
        List.of(1, 2, 3).forEach(each -> MPI.COMM_WORLD.Barrier());
        Hybrid.class.getMethod("shout", long.class).invoke(null, total[0]);
        MPI.Finalize();
    }

    public static void shout(long value) {
        MPI.COMM_WORLD.Barrier();
        if (MPI.COMM_WORLD.Rank() == 0) {
            System.out.println("total " + value);
        }
    }

    static void exchange(int rank, int size, int tag, int rounds, long[] sums) {
        long[] out = new long[100];
        long[] in = new long[100];
        long x = rank * 7 + tag;
        for (int i = 0; i < rounds; i++) {
            out[0] = x;
            MPI.COMM_WORLD.Sendrecv(out, 0, 100, MPI.LONG, (rank + 1) % size, tag, in, 0, 100, MPI.LONG, (rank + size - 1) % size, tag);
            x = in[0] * 6364136223846793005L + 1442695040888963407L + i;
            for (int k = 0; k < 20000; k++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            sums[tag] += x & 0xff;
        }
    }
}
