import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import mpi.Intracomm;
import mpi.MPI;

/**
 * Collectives of random kinds and lengths in two communicators of each thread, and messages between them; what each sends depends on all
 * that it has received. Rank 0 prints a digest of that for each thread of each rank.
 */
public class Collectives {
    private static final int MOST = 9_000;

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int threads = Integer.parseInt(args[args.length - 2]);
        int rounds = Integer.parseInt(args[args.length - 1]);
        long[] mine = new long[threads];
        List<Thread> others = new ArrayList<>();
        for (int each = 1; each < threads; each++) {
            int number = each;
            Intracomm all = MPI.COMM_WORLD.Split(0, rank);
            Intracomm half = MPI.COMM_WORLD.Split(rank % 2, rank);
            Thread other = new Thread(() -> mine[number] = digest(number, all, half, rounds), "other " + each);
            others.add(other);
            other.start();
        }
        mine[0] = digest(0, MPI.COMM_WORLD, MPI.COMM_WORLD.Split(rank % 2, rank), rounds);
        for (Thread other : others) {
            other.join();
        }
        // by one rank: lines of several may come in any order
        long[] digests = new long[threads * size];
        MPI.COMM_WORLD.Gather(mine, 0, threads, MPI.LONG, digests, 0, threads, MPI.LONG, 0);
        for (int each = 0; rank == 0 && each < digests.length; each++) {
            System.out.println("rank " + each / threads + " has " + Long.toHexString(digests[each]));
        }
        MPI.Finalize();
    }

    private static long digest(int thread, Intracomm all, Intracomm half, int rounds) {
        int rank = all.Rank();
        int size = all.Size();
        Random random = new Random(7 + thread);
        double[] out = new double[MOST + 40];
        double[] in = new double[(MOST + 40) * size];
        int[] counts = new int[size];
        int[] places = new int[size];
        long digest = rank + 1;
        for (int round = 0; round < rounds; round++) {
            int operation = random.nextInt(12);
            int count = 1 + (random.nextInt(4) == 0 ? random.nextInt(MOST) : random.nextInt(40));
            int anyRoot = random.nextInt(size);
            Intracomm comm = random.nextInt(4) == 0 ? half : all;
            int ranks = comm.Size();
            int root = anyRoot % ranks;
            for (int i = 0; i < count; i++) {
                out[i] = (digest >>> 7 & 0xFFFF) + i;
            }
            int received = count;
            switch (operation) {
                case 0 -> {
                    comm.Barrier();
                    received = 0;
                }
                case 1 -> {
                    comm.Bcast(out, 0, count, MPI.DOUBLE, root);
                    System.arraycopy(out, 0, in, 0, count);
                }
                case 2 -> {
                    comm.Reduce(out, 0, in, 0, count, MPI.DOUBLE, MPI.SUM, root);
                    received = comm.Rank() == root ? count : 0;
                }
                case 3 -> comm.Allreduce(out, 0, in, 0, count, MPI.DOUBLE, MPI.SUM);
                case 4 -> {
                    comm.Gather(out, 0, count, MPI.DOUBLE, in, 0, count, MPI.DOUBLE, root);
                    received = comm.Rank() == root ? count * ranks : 0;
                }
                case 5 -> {
                    comm.Allgather(out, 0, count, MPI.DOUBLE, in, 0, count, MPI.DOUBLE);
                    received = count * ranks;
                }
                case 6 -> {
                    int block = Math.max(1, count / ranks);
                    comm.Alltoall(out, 0, block, MPI.DOUBLE, in, 0, block, MPI.DOUBLE);
                    received = block * ranks;
                }
                case 7 -> {
                    comm.Scan(out, 0, in, 0, count, MPI.DOUBLE, MPI.SUM);
                    received = count;
                }
                case 8 -> {
                    received = places(ranks, count, counts, places);
                    comm.Allgatherv(out, 0, counts[comm.Rank()], MPI.DOUBLE, in, 0, counts, places, MPI.DOUBLE);
                }
                case 9 -> {
                    int _ = places(ranks, count / ranks, counts, places);
                    comm.Reduce_scatter(out, 0, in, 0, counts, MPI.DOUBLE, MPI.SUM);
                    received = counts[comm.Rank()];
                }
                case 10 -> {
                    // each block is as long as its sender and receiver together say
                    int[] sent = new int[ranks];
                    int[] sentAt = new int[ranks];
                    received = 0;
                    for (int peer = 0, end = 0; peer < ranks; peer++) {
                        sent[peer] = count / ranks * ((comm.Rank() + 2 * peer) % 3) / 2;
                        counts[peer] = count / ranks * ((peer + 2 * comm.Rank()) % 3) / 2;
                        sentAt[peer] = end;
                        places[peer] = received;
                        end += sent[peer];
                        received += counts[peer];
                    }
                    comm.Alltoallv(out, 0, sent, sentAt, MPI.DOUBLE, in, 0, counts, places, MPI.DOUBLE);
                }
                default ->
                    all.Sendrecv(
                            out, 0, count, MPI.DOUBLE, (rank + 1) % size, 5, in, 0, count, MPI.DOUBLE, (rank + size - 1) % size, 5);
            }
            for (int i = 0; i < received; i++) {
                digest = digest * 31 + Double.hashCode(in[i]);
            }
        }
        return digest;
    }

    /** Unequal counts of blocks that lie one behind the other; their sum. */
    private static int places(int ranks, int most, int[] counts, int[] places) {
        int end = 0;
        for (int each = 0; each < ranks; each++) {
            counts[each] = most * (each + 1) / ranks;
            places[each] = end;
            end += counts[each];
        }
        return end;
    }
}
