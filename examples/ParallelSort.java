import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import mpi.*;

/*
 * ParallelSort: odd-even transposition sort of blocks. In each of np phases neighbours exchange their sorted blocks with
 * Sendrecv; the left one keeps the lower half, the right one the upper half.
 *
 *   ./mpjrun -np 4 examples/ParallelSort.java [numbers per rank]
 *
 *   4 x 1000000 numbers sorted in 0.33 s ok
 */
public class ParallelSort {
    private static final int TAG = 3;

    public static void main(String[] args) {
        String[] user = MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int count = user.length > 0 ? Integer.parseInt(user[0]) : 1_000_000;

        long[] block = new SplittableRandom(2026 + rank).longs(count).toArray();
        long[] sums = {sumOf(block), 0};
        MPI.COMM_WORLD.Barrier();
        double start = MPI.Wtime();

        Arrays.sort(block);
        long[] other = new long[count];
        long[] merged = new long[count];
        for (int phase = 0; phase < size; phase++) {
            boolean left = (rank + phase) % 2 == 0;
            int partner = left ? rank + 1 : rank - 1;
            if (partner < 0 || partner >= size) {
                // Sendrecv with PROC_NULL does nothing: the ranks at the ends need no case of their own.
                partner = MPI.PROC_NULL;
            }
            MPI.COMM_WORLD.Sendrecv(block, 0, count, MPI.LONG, partner, TAG, other, 0, count, MPI.LONG, partner, TAG);
            if (partner != MPI.PROC_NULL) {
                if (left) {
                    lowerHalf(block, other, merged);
                } else {
                    upperHalf(block, other, merged);
                }
                long[] former = block;
                block = merged;
                merged = former;
            }
        }
        double seconds = MPI.Wtime() - start;

        // Sorted within the rank, not below the last number of the rank to the left, and nothing lost.
        boolean sorted = true;
        for (int i = 1; i < count; i++) {
            sorted &= block[i - 1] <= block[i];
        }
        long[] lastOfLeft = {Long.MIN_VALUE};
        long[] last = {count > 0 ? block[count - 1] : Long.MIN_VALUE};
        int left = rank > 0 ? rank - 1 : MPI.PROC_NULL;
        int right = rank + 1 < size ? rank + 1 : MPI.PROC_NULL;
        MPI.COMM_WORLD.Sendrecv(last, 0, 1, MPI.LONG, right, TAG, lastOfLeft, 0, 1, MPI.LONG, left, TAG);
        sorted &= count == 0 || lastOfLeft[0] <= block[0];
        sums[1] = sumOf(block);
        long[] allSums = new long[2];
        MPI.COMM_WORLD.Allreduce(sums, 0, allSums, 0, 2, MPI.LONG, MPI.SUM);
        boolean[] allSorted = new boolean[1];
        MPI.COMM_WORLD.Allreduce(new boolean[] {sorted}, 0, allSorted, 0, 1, MPI.BOOLEAN, MPI.LAND);
        if (!allSorted[0] || allSums[0] != allSums[1]) {
            throw new IllegalStateException("the numbers are not sorted, or not the same as before");
        }
        if (rank == 0) {
            System.out.println(String.format(Locale.ROOT, "%d x %d numbers sorted in %.2f s ok", size, count, seconds));
        }
        MPI.Finalize();
    }

    private static long sumOf(long[] numbers) {
        return Arrays.stream(numbers).sum();
    }

    private static void lowerHalf(long[] a, long[] b, long[] result) {
        int i = 0;
        int j = 0;
        for (int k = 0; k < result.length; k++) {
            result[k] = a[i] <= b[j] ? a[i++] : b[j++];
        }
    }

    private static void upperHalf(long[] a, long[] b, long[] result) {
        int i = a.length - 1;
        int j = b.length - 1;
        for (int k = result.length - 1; k >= 0; k--) {
            result[k] = a[i] > b[j] ? a[i--] : b[j--];
        }
    }
}
