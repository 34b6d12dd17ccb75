import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import mpi.*;

/*
 * The whole-system benchmark: only the classic API, so that the same source measures GridMPJ and MPJ Express, and
 * wholesystem.c the C libraries. bench/run runs it. The environment says what: BENCH_PART is pointtopoint (two ranks),
 * objects (two ranks), pairs, collectives or hello (any number); BENCH_SECONDS the time of a case, of which a sample takes a
 * fifth. Of each case BENCH_SAMPLES are taken; or, if BENCH_TURNS names a pipe, one for each letter s that comes from it, until
 * another letter comes: a line says before each letter that one is waited for. So several systems can be measured in turn.
 *
 * A line of output: csv,BENCHMARK,BYTES,SAMPLE, in microseconds. A sample is the mean of many operations.
 *
 *   pingpong   half a round trip; bytes of the message
 *   stream     messages one way, with one small answer for each hundred; per message
 *   matrix     half a round trip of float[n][n] as n elements of MPI.OBJECT; bytes of its numbers
 *   vector     the same numbers as float[n * n] and MPI.FLOAT
 *   pairs      a ping-pong of each two neighbours at once (part pairs, an even number of ranks), the slower pair's time
 *   barrier, allreduce, bcast, alltoall, allgather
 *              one operation of all ranks; bytes each rank puts in (alltoall: to all destinations together)
 */
public class WholeSystem {
    private static final int TAG = 1;
    private static final int STREAM_WINDOW = 100;
    private static final long CALIBRATION_STEPS = 100_000;

    // All cases of a part are warmed up before the first is measured, twice: what a later one makes the compiler of the virtual
    // machine take back, it makes anew before it matters.
    private static final int WARM_UP_PASSES = 2;
    // Times the length of a case, for each case.
    private static final int WARM_UP = 10;
    // With more ranks than processors the compilers of all of them wait for each other.
    private static final int LONG_WARM_UP = 20;
    // For each rank of a collective: an Allreduce of four on two processors alone takes six seconds of it until its time does not
    // fall any more, and the more of them there are, the longer it takes.
    private static final int WARM_UP_OF_A_RANK = 15;
    // A measurement for practice takes such a part of its time.
    private static final int REHEARSAL = 5;
    // No batch of a warm-up is much longer than such a part of it, so that it ends in time.
    private static final int WARM_UP_BATCHES = 20;
    // A sample takes such a part of a case's time.
    private static final int SAMPLES_OF_A_CASE = 5;
    // And before it such a part of its operations are not timed: other systems may have had the caches since the last one.
    private static final int UNTIMED = 2;
    // How many operations a sample takes is found by the quickest of so many batches.
    private static final int BATCHES = 3;

    /** Seen from outside, so that no compiler leaves the computation out. */
    public static volatile double work = 1;

    private interface Operation {
        void run() throws MPIException;
    }

    private interface Sample {
        void take() throws MPIException;
    }

    private static InputStream turns;
    private static final int samples = Integer.parseInt(environment("BENCH_SAMPLES", "5"));
    private static final double secondsPerCase = Double.parseDouble(environment("BENCH_SECONDS", "0.1"));
    /** For each case in a pass; 0 once all are warm. */
    private static double warmUpSeconds;
    /** A sample is the time of the slowest rank, and not that of rank 0. */
    private static boolean slowestRank;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        final int rank = MPI.COMM_WORLD.Rank();
        final int size = MPI.COMM_WORLD.Size();
        String part = environment("BENCH_PART", size == 2 ? "pointtopoint" : "collectives");
        if (part.equals("pointtopoint")) {
            warm(WARM_UP, () -> pointToPoint(rank));
        } else if (part.equals("overlap")) {
            warm(WARM_UP, () -> overlaps(rank));
        } else if (part.equals("objects")) {
            warm(WARM_UP, () -> objects(rank));
        } else if (part.equals("collectives")) {
            warm(WARM_UP_OF_A_RANK * size, () -> collectives(size));
        } else if (part.equals("pairs")) {
            warm(LONG_WARM_UP, () -> pairs(rank));
        } else if (part.startsWith("scaling")) {
            // Each virtual machine compiles for about two seconds: all together, on the processors there are.
            warm(WARM_UP_OF_A_RANK * size, () -> scaling(size));
        } else {
            System.out.println("hello from " + rank + " of " + size);
        }
        MPI.Finalize();
    }

    private static void warm(int lengths, Operation part) throws MPIException {
        warmUpSeconds = lengths * secondsPerCase / WARM_UP_PASSES;
        for (int pass = 0; pass < WARM_UP_PASSES; pass++) {
            part.run();
        }
        warmUpSeconds = 0;
        part.run();
    }

    private static void pointToPoint(int rank) throws MPIException {
        for (int bytes : new int[] {1, 1 << 10, 8 << 10, 64 << 10, 1 << 20, 16 << 20}) {
            pingPong(rank, bytes);
        }
        stream(rank, 8);
        stream(rank, 1 << 20);
        for (int bytes : new int[] {1 << 10, 1 << 20}) {
            bidirectional(rank, bytes);
        }
        for (int bytes : new int[] {1, 1 << 10, 64 << 10}) {
            tail(rank, bytes);
        }
        overlap(rank, 1 << 20);
    }

    /** Where a transfer takes long, and no processor: bench/overlap. */
    private static void overlaps(int rank) throws MPIException {
        for (int bytes : new int[] {256 << 10, 1 << 20, 4 << 20, 16 << 20}) {
            overlap(rank, bytes);
        }
    }

    private static void objects(int rank) throws MPIException {
        for (int n : new int[] {128, 256, 512, 1024}) {
            inTurn(
                    4 * n * n,
                    2,
                    new String[] {"vector", "matrix"},
                    exchange(rank, new float[n * n], n * n, MPI.FLOAT),
                    exchange(rank, new float[n][n], n, MPI.OBJECT));
        }
    }

    private static void scaling(int size) throws MPIException {
        measure("barrier-np" + size, 0, 1, () -> MPI.COMM_WORLD.Barrier());
        final double[] in = new double[1];
        final double[] out = new double[1];
        measure("allreduce-np" + size, 8, 1, () -> MPI.COMM_WORLD.Allreduce(in, 0, out, 0, 1, MPI.DOUBLE, MPI.SUM));
    }

    private static void pingPong(int rank, int bytes) throws MPIException {
        measure("pingpong", bytes, 2, exchange(rank, new byte[bytes], bytes, MPI.BYTE));
    }

    /** More ranks than processors: who waits for a message has to leave its core to those of the other pair. */
    private static void pairs(final int rank) throws MPIException {
        final int peer = rank ^ 1;
        for (final int bytes : new int[] {1, 1 << 10}) {
            final byte[] message = new byte[bytes];
            slowestRank = true;
            measure("pairs", bytes, 2, () -> {
                if (rank < peer) {
                    MPI.COMM_WORLD.Send(message, 0, bytes, MPI.BYTE, peer, TAG);
                    MPI.COMM_WORLD.Recv(message, 0, bytes, MPI.BYTE, peer, TAG);
                } else {
                    MPI.COMM_WORLD.Recv(message, 0, bytes, MPI.BYTE, peer, TAG);
                    MPI.COMM_WORLD.Send(message, 0, bytes, MPI.BYTE, peer, TAG);
                }
            });
            slowestRank = false;
        }
    }

    private static Operation exchange(final int rank, final Object message, final int count, final Datatype type) {
        return () -> {
            if (rank == 0) {
                MPI.COMM_WORLD.Send(message, 0, count, type, 1, TAG);
                MPI.COMM_WORLD.Recv(message, 0, count, type, 1, TAG);
            } else {
                MPI.COMM_WORLD.Recv(message, 0, count, type, 0, TAG);
                MPI.COMM_WORLD.Send(message, 0, count, type, 0, TAG);
            }
        };
    }

    private static String environment(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? otherwise : value;
    }

    private static void stream(final int rank, final int bytes) throws MPIException {
        final byte[] message = new byte[bytes];
        measure("stream", bytes, STREAM_WINDOW, () -> {
            for (int i = 0; i < STREAM_WINDOW; i++) {
                if (rank == 0) {
                    MPI.COMM_WORLD.Send(message, 0, bytes, MPI.BYTE, 1, TAG);
                } else {
                    MPI.COMM_WORLD.Recv(message, 0, bytes, MPI.BYTE, 0, TAG);
                }
            }
            if (rank == 0) {
                MPI.COMM_WORLD.Recv(message, 0, 1, MPI.BYTE, 1, TAG);
            } else {
                MPI.COMM_WORLD.Send(message, 0, 1, MPI.BYTE, 0, TAG);
            }
        });
    }

    /** PingPing: both send at once. */
    private static void bidirectional(int rank, final int bytes) throws MPIException {
        final byte[] message = new byte[bytes];
        final byte[] other = new byte[bytes];
        final int peer = 1 - rank;
        measure("pingping", bytes, 1, () ->
                MPI.COMM_WORLD.Sendrecv(
                        message, 0, bytes, MPI.BYTE, peer, TAG, other, 0, bytes, MPI.BYTE, peer, TAG));
    }

    /** Single round trips, each timed: half of the 99th percentile. */
    private static void tail(int rank, final int bytes) throws MPIException {
        final Operation roundTrip = exchange(rank, new byte[bytes], bytes, MPI.BYTE);
        final double[] micros = new double[Math.max(100, (int) (10000 * secondsPerCase))];
        samples(() -> {
            time(roundTrip, micros.length / UNTIMED);
            MPI.COMM_WORLD.Barrier();
            for (int trip = 0; trip < micros.length; trip++) {
                micros[trip] = time(roundTrip, 1) * 1e6 / 2;
            }
            java.util.Arrays.sort(micros);
            print("p99", bytes, micros[micros.length * 99 / 100]);
        });
    }

    /**
     * How much of a transfer is hidden behind a computation of about its length: 1 − (both − computation) / transfer, in
     * per mille, at least 1. The computation is so many steps, not so much time: who takes the core from it pays.
     */
    private static void overlap(final int rank, final int bytes) throws MPIException {
        final byte[] message = new byte[bytes];
        samples(() -> {
            double transfer = 0;
            double computation = 0;
            double both = 0;
            for (int i = -20 / UNTIMED; i < 20; i++) {
                double one = exchange(rank, message, 0);
                transfer += i < 0 ? 0 : one;
            }
            double[] length = {transfer / 20};
            MPI.COMM_WORLD.Bcast(length, 0, 1, MPI.DOUBLE, 0);
            long steps = (long) (length[0] / compute(CALIBRATION_STEPS) * CALIBRATION_STEPS);
            for (int i = 0; i < 20; i++) {
                computation += compute(steps);
                both += exchange(rank, message, steps);
            }
            double[] agreed = {transfer, computation, both};
            MPI.COMM_WORLD.Bcast(agreed, 0, 3, MPI.DOUBLE, 0);
            print("overlap", bytes, Math.max(1, Math.min(1000, 1000 * (1 - (agreed[2] - agreed[1]) / agreed[0]))));
        });
    }

    private static double exchange(int rank, byte[] message, long steps) throws MPIException {
        MPI.COMM_WORLD.Barrier();
        long start = System.nanoTime();
        Request request = rank == 0
                ? MPI.COMM_WORLD.Isend(message, 0, message.length, MPI.BYTE, 1, TAG)
                : MPI.COMM_WORLD.Irecv(message, 0, message.length, MPI.BYTE, 0, TAG);
        compute(steps);
        request.Wait();
        return (System.nanoTime() - start) / 1e9;
    }

    private static double compute(long steps) {
        long start = System.nanoTime();
        for (long step = 0; step < steps; step++) {
            work = work * 0.9999999 + 1e-9;
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private static void collectives(final int size) throws MPIException {
        measure("barrier", 0, 1, () -> MPI.COMM_WORLD.Barrier());
        for (final int bytes : new int[] {8, 64 << 10, 4 << 20}) {
            final double[] in = new double[bytes / 8];
            final double[] out = new double[bytes / 8];
            measure("allreduce", bytes, 1, () ->
                    MPI.COMM_WORLD.Allreduce(in, 0, out, 0, in.length, MPI.DOUBLE, MPI.SUM));
        }
        final byte[] large = new byte[1 << 20];
        measure("bcast", large.length, 1, () -> MPI.COMM_WORLD.Bcast(large, 0, large.length, MPI.BYTE, 0));
        final int bytes = 64 << 10;
        final byte[] in = new byte[bytes];
        final byte[] out = new byte[bytes * size];
        final int share = bytes / size;
        measure("alltoall", bytes, 1, () -> MPI.COMM_WORLD.Alltoall(in, 0, share, MPI.BYTE, out, 0, share, MPI.BYTE));
        measure("allgather", bytes, 1, () -> MPI.COMM_WORLD.Allgather(in, 0, bytes, MPI.BYTE, out, 0, bytes, MPI.BYTE));
    }

    private static void warmUp(Operation operation) throws MPIException {
        int repetitions = 1;
        double total = 0;
        while (total < warmUpSeconds) {
            double seconds = agreed(time(operation, repetitions));
            total += seconds;
            if (seconds < warmUpSeconds / WARM_UP_BATCHES) {
                repetitions *= 2;
            }
        }
    }

    /** The number of rank 0. */
    private static double agreed(double mine) throws MPIException {
        double[] number = {mine};
        MPI.COMM_WORLD.Bcast(number, 0, 1, MPI.DOUBLE, 0);
        return number[0];
    }

    private static double slowest(double mine) throws MPIException {
        double[] in = {mine};
        double[] out = new double[1];
        MPI.COMM_WORLD.Allreduce(in, 0, out, 0, 1, MPI.DOUBLE, MPI.MAX);
        return out[0];
    }

    private static void measure(String name, int bytes, int parts, Operation operation) throws MPIException {
        inTurn(bytes, parts, new String[] {name}, operation);
    }

    /** As measure, for operations that are to be compared: a sample of each, and again. */
    private static void inTurn(final int bytes, final int parts, final String[] names, final Operation... operations)
            throws MPIException {
        double seconds = secondsPerCase / SAMPLES_OF_A_CASE;
        if (warmUpSeconds > 0) {
            for (int i = 0; i < operations.length; i++) {
                // What a measurement calls besides, and what that makes the compiler take back, comes before the warm-up's end.
                sampled(bytes, parts, seconds / REHEARSAL, new String[] {names[i]}, operations[i]);
                warmUp(operations[i]);
            }
            return;
        }
        sampled(bytes, parts, seconds, names, operations);
    }

    private static void sampled(
            final int bytes, final int parts, double seconds, final String[] names, final Operation... operations)
            throws MPIException {
        final int[] repetitions = new int[operations.length];
        for (int i = 0; i < operations.length; i++) {
            repetitions[i] = repetitions(seconds, operations[i]);
        }
        samples(() -> {
            for (int i = 0; i < operations.length; i++) {
                print(names[i], bytes, sample(parts, repetitions[i], operations[i]));
            }
        });
    }

    /** Rank 0 finds out how many operations take so long. */
    private static int repetitions(double seconds, Operation operation) throws MPIException {
        int repetitions = 1;
        double taken;
        do {
            repetitions *= 2;
            taken = agreed(quickest(operation, repetitions));
        } while (taken < seconds);
        return (int) agreed(Math.max(1, (int) (repetitions * seconds / taken)));
    }

    /** The time without what stands between by chance: a sample of very few operations says more of its beginning than of them. */
    private static double quickest(Operation operation, int repetitions) throws MPIException {
        double least = Double.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) {
            least = Math.min(least, time(operation, repetitions));
        }
        return least;
    }

    private static double sample(int parts, int repetitions, Operation operation) throws MPIException {
        time(operation, Math.max(1, repetitions / UNTIMED));
        MPI.COMM_WORLD.Barrier();
        double time = time(operation, repetitions);
        return (slowestRank ? slowest(time) : time) * 1e6 / repetitions / parts;
    }

    /** So many as there are to be, each when it is its turn. */
    private static void samples(Sample sample) throws MPIException {
        for (int taken = 0; due(taken); taken++) {
            sample.take();
        }
    }

    /** Whether there is to be another sample. A warm-up hears of it in the same way: its first message of ints comes before its end. */
    private static boolean due(int taken) throws MPIException {
        String pipe = environment("BENCH_TURNS", "");
        if (warmUpSeconds == 0 && pipe.isEmpty()) {
            return taken < samples;
        }
        int[] word = {taken == 0 ? 's' : 'n'};
        if (warmUpSeconds == 0 && MPI.COMM_WORLD.Rank() == 0) {
            System.out.println("waiting for its turn");
            System.out.flush();
            try {
                turns = turns == null ? new FileInputStream(pipe) : turns;
                word[0] = turns.read();
            } catch (IOException failed) {
                throw new MPIException(pipe + ": " + failed);
            }
        }
        MPI.COMM_WORLD.Bcast(word, 0, 1, MPI.INT, 0);
        return word[0] == 's';
    }

    private static void print(String name, int bytes, double value) throws MPIException {
        if (MPI.COMM_WORLD.Rank() == 0 && warmUpSeconds == 0) {
            System.out.println(String.format(Locale.ROOT, "csv,%s,%d,%.3f", name, bytes, value));
        }
    }

    private static double time(Operation operation, int repetitions) throws MPIException {
        long start = System.nanoTime();
        for (int i = 0; i < repetitions; i++) {
            operation.run();
        }
        return (System.nanoTime() - start) / 1e9;
    }
}
