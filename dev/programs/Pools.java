import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import mpi.MPI;

/** A pool whose tasks talk to the next rank, a thread that is notified of their results and reduces them, one in step with main. */
public class Pools {
    static final class Slot {
        private long value;
        private boolean full;

        synchronized void put(long given) throws InterruptedException {
            while (full) {
                wait();
            }
            value = given;
            full = true;
            notifyAll();
        }

        synchronized long take() throws InterruptedException {
            while (!full) {
                wait();
            }
            full = false;
            notifyAll();
            return value;
        }
    }

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int rounds = Integer.parseInt(args[args.length - 1]);
        Slot slot = new Slot();
        CyclicBarrier step = new CyclicBarrier(2);
        long[] total = new long[1];
        Thread reducer = new Thread(
                () -> {
                    try {
                        long[] own = new long[1];
                        long[] all = new long[1];
                        for (int i = 0; i < rounds; i++) {
                            own[0] = slot.take();
                            MPI.COMM_WORLD.Allreduce(own, 0, all, 0, 1, MPI.LONG, MPI.SUM);
                            total[0] = total[0] * 31 + all[0];
                            if (i % 100 == 0) {
                                step.await();
                            }
                        }
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                "reducer");
        reducer.start();
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            long x = rank;
            for (int i = 0; i < rounds; i++) {
                List<Future<Long>> parts = new ArrayList<>();
                for (int t = 0; t < 2; t++) {
                    int tag = t;
                    long from = x + t;
                    parts.add(pool.submit(() -> exchange(rank, size, tag, from)));
                }
                x = 0;
                for (Future<Long> part : parts) {
                    x = x * 17 + part.get();
                }
                slot.put(x);
                if (i % 100 == 0) {
                    step.await();
                }
            }
        }
        reducer.join();
        List<Long> last = IntStream.range(0, 3)
                .mapToObj(i -> {
                    long[] sum = {i + total[0]};
                    MPI.COMM_WORLD.Bcast(sum, 0, 1, MPI.LONG, 0);
                    return sum[0];
                })
                .collect(Collectors.toList());
        if (rank == 0) {
            System.out.println("total " + total[0] + " " + last);
        }
        MPI.Finalize();
    }

    static long exchange(int rank, int size, int tag, long from) {
        long[] out = {from};
        long[] in = new long[1];
        MPI.COMM_WORLD.Sendrecv(out, 0, 1, MPI.LONG, (rank + 1) % size, tag, in, 0, 1, MPI.LONG, (rank + size - 1) % size, tag);
        long x = in[0] * 6364136223846793005L + 1442695040888963407L;
        for (int k = 0; k < 20000; k++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
