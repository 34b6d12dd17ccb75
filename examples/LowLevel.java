import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import mpi.*;

/*
 * Low-level communication benchmarks for Java and MPI (Getov, Gray, Sunderam: MPI and Java-MPI: contrasts and comparisons of
 * low-level communication performance, 1999), and the straight lines through their times:
 *
 *   t(m) = t0 + m / r∞        n½ = t0 · r∞, the length at which half of the asymptotic bandwidth is reached
 *
 *   PingPong    a message to and fro, one at a time                                     ranks 0 and 1
 *   PingPong2   a series of messages, then one acknowledgement: they overlap as in a pipeline
 *   PingPing1   both send and receive at once, one message after the other
 *   PingPing2   both send and receive at once, from two threads each
 *   Multicast   rank 0 broadcasts, each answers with an empty message                   all ranks
 *   Multicast2  all ranks send to all, at once
 *   Barrier     all ranks meet
 *
 *   ./mpjrun -np 4 examples/LowLevel.java [byte|int|double] [seconds for each length]
 *
 * The contents of what arrives are compared; short messages (up to 4 KiB) and long ones have a line each.
 *
 *   PingPong    double      4.2 µs at 8 B … 271 µs at 1048576 B
 *     short: t0 3.9 µs, r∞ 1650 MB/s, n½ 6400 B    long: t0 12.1 µs, r∞ 4100 MB/s, n½ 49600 B
 *   ...
 *   7 benchmarks ok
 */
public class LowLevel {
    private static final int SHORT_BYTES = 4 << 10;
    private static final int LONGEST_BYTES = 1 << 20;
    private static final int SERIES = 64;
    private static final int TAG = 11;
    private static final int ACKNOWLEDGEMENT = 12;

    private interface Benchmark {
        /** So many repetitions with so many elements; every rank that takes part calls it. */
        void run(int elements, int repetitions) throws Exception;
    }

    private final int rank = MPI.COMM_WORLD.Rank();
    private final int size = MPI.COMM_WORLD.Size();
    private final String type;
    private final int elementBytes;
    private final Datatype datatype;
    private final double seconds;
    private final Object out;
    private final Object in;
    private int done;

    private LowLevel(String type, double seconds) {
        this.type = type;
        this.seconds = seconds;
        switch (type) {
            case "byte" -> {
                elementBytes = 1;
                datatype = MPI.BYTE;
            }
            case "int" -> {
                elementBytes = 4;
                datatype = MPI.INT;
            }
            case "double" -> {
                elementBytes = 8;
                datatype = MPI.DOUBLE;
            }
            default -> throw new IllegalArgumentException("byte, int or double, not " + type);
        }
        out = array(LONGEST_BYTES / elementBytes);
        in = array(LONGEST_BYTES / elementBytes);
    }

    public static void main(String[] args) throws Exception {
        String[] own = MPI.Init(args);
        if (MPI.COMM_WORLD.Size() < 2) {
            System.err.println("LowLevel needs at least 2 ranks");
            MPI.COMM_WORLD.Abort(2);
        }
        new LowLevel(own.length > 0 ? own[0] : "double", own.length > 1 ? Double.parseDouble(own[1]) : 0.02).all();
        MPI.Finalize();
    }

    private void all() throws Exception {
        pointToPoint("PingPong", 2, this::pingPong);
        pointToPoint("PingPong2", SERIES, this::pingPong2);
        pointToPoint("PingPing1", 1, this::pingPing1);
        pointToPoint("PingPing2", SERIES, this::pingPing2);
        lengths("Multicast", 1, true, this::multicast);
        lengths("Multicast2", 1, true, this::multicast2);
        double micros = time(0, (elements, repetitions) -> {
            for (int i = 0; i < repetitions; i++) {
                MPI.COMM_WORLD.Barrier();
            }
        });
        done++;
        if (rank == 0) {
            System.out.printf(
                    Locale.ROOT, "%-11s %d ranks %10.1f µs%n%d benchmarks ok%n", "Barrier", size, micros, done);
        }
    }

    private void pingPong(int elements, int repetitions) throws MPIException {
        for (int i = 0; i < repetitions; i++) {
            if (rank == 0) {
                MPI.COMM_WORLD.Send(out, 0, elements, datatype, 1, TAG);
                MPI.COMM_WORLD.Recv(in, 0, elements, datatype, 1, TAG);
            } else {
                MPI.COMM_WORLD.Recv(in, 0, elements, datatype, 0, TAG);
                MPI.COMM_WORLD.Send(in, 0, elements, datatype, 0, TAG);
            }
        }
    }

    private void pingPong2(int elements, int repetitions) throws MPIException {
        for (int i = 0; i < repetitions; i++) {
            for (int message = 0; message < SERIES; message++) {
                if (rank == 0) {
                    MPI.COMM_WORLD.Send(out, 0, elements, datatype, 1, TAG);
                } else {
                    MPI.COMM_WORLD.Recv(in, 0, elements, datatype, 0, TAG);
                }
            }
            acknowledge();
        }
    }

    private void acknowledge() throws MPIException {
        byte[] nothing = new byte[0];
        if (rank == 0) {
            MPI.COMM_WORLD.Recv(nothing, 0, 0, MPI.BYTE, 1, ACKNOWLEDGEMENT);
        } else {
            MPI.COMM_WORLD.Send(nothing, 0, 0, MPI.BYTE, 0, ACKNOWLEDGEMENT);
        }
    }

    private void pingPing1(int elements, int repetitions) throws MPIException {
        for (int i = 0; i < repetitions; i++) {
            MPI.COMM_WORLD.Sendrecv(
                    out, 0, elements, datatype, 1 - rank, TAG, in, 0, elements, datatype, 1 - rank, TAG);
        }
    }

    private void pingPing2(int elements, int repetitions) throws Exception {
        for (int i = 0; i < repetitions; i++) {
            Thread sender = new Thread(() -> {
                for (int message = 0; message < SERIES; message++) {
                    MPI.COMM_WORLD.Send(out, 0, elements, datatype, 1 - rank, TAG);
                }
            });
            sender.start();
            for (int message = 0; message < SERIES; message++) {
                MPI.COMM_WORLD.Recv(in, 0, elements, datatype, 1 - rank, TAG);
            }
            sender.join();
            acknowledge();
        }
    }

    private void multicast(int elements, int repetitions) throws MPIException {
        byte[] nothing = new byte[0];
        Object message = rank == 0 ? out : in;
        for (int i = 0; i < repetitions; i++) {
            MPI.COMM_WORLD.Bcast(message, 0, elements, datatype, 0);
            if (rank == 0) {
                for (int other = 1; other < size; other++) {
                    MPI.COMM_WORLD.Recv(nothing, 0, 0, MPI.BYTE, MPI.ANY_SOURCE, ACKNOWLEDGEMENT);
                }
            } else {
                MPI.COMM_WORLD.Send(nothing, 0, 0, MPI.BYTE, 0, ACKNOWLEDGEMENT);
            }
        }
    }

    private void multicast2(int elements, int repetitions) throws MPIException {
        Request[] requests = new Request[2 * (size - 1)];
        Object[] inboxes = new Object[size];
        for (int other = 0; other < size; other++) {
            inboxes[other] = other == (rank + 1) % size ? in : array(elements);
        }
        for (int i = 0; i < repetitions; i++) {
            int next = 0;
            for (int other = 0; other < size; other++) {
                if (other != rank) {
                    requests[next++] = MPI.COMM_WORLD.Irecv(inboxes[other], 0, elements, datatype, other, TAG);
                    requests[next++] = MPI.COMM_WORLD.Isend(out, 0, elements, datatype, other, TAG);
                }
            }
            Request.Waitall(requests);
        }
    }

    /** Ranks 0 and 1 measure; the others wait. */
    private void pointToPoint(String name, int parts, Benchmark benchmark) throws Exception {
        lengths(name, parts, false, benchmark);
    }

    private void lengths(String name, int parts, boolean everybody, Benchmark benchmark) throws Exception {
        List<double[]> points = new ArrayList<>();
        for (int bytes = elementBytes; bytes <= LONGEST_BYTES; bytes *= 2) {
            int elements = bytes / elementBytes;
            boolean takesPart = everybody || rank < 2;
            fill(in, 0);
            fill(out, 1);
            double micros = time(elements, takesPart ? benchmark : (ignored, repetitions) -> {}) / parts;
            boolean receives =
                    takesPart && !(name.equals("Multicast") && rank == 0) && !(name.equals("PingPong2") && rank == 0);
            if (receives) {
                compare(name, elements);
            }
            points.add(new double[] {bytes, micros});
        }
        done++;
        if (rank == 0) {
            double[] first = points.get(0);
            double[] last = points.get(points.size() - 1);
            System.out.printf(
                    Locale.ROOT,
                    "%-11s %-6s %8.1f µs at %.0f B … %.0f µs at %.0f B%n",
                    name,
                    type,
                    first[1],
                    first[0],
                    last[1],
                    last[0]);
            System.out.println("  short: "
                    + fit(points.stream()
                            .filter(point -> point[0] <= SHORT_BYTES)
                            .toList()) + "    long: "
                    + fit(points.stream()
                            .filter(point -> point[0] > SHORT_BYTES)
                            .toList()));
        }
    }

    /** The mean time of a repetition in µs; rank 0 finds how many fill the time. */
    private double time(int elements, Benchmark benchmark) throws Exception {
        int[] repetitions = {1};
        double[] elapsed = new double[1];
        do {
            repetitions[0] *= 2;
            MPI.COMM_WORLD.Barrier();
            long start = System.nanoTime();
            benchmark.run(elements, repetitions[0]);
            elapsed[0] = (System.nanoTime() - start) / 1e9;
            MPI.COMM_WORLD.Bcast(elapsed, 0, 1, MPI.DOUBLE, 0);
        } while (elapsed[0] < seconds);
        return elapsed[0] / repetitions[0] * 1e6;
    }

    /** Least squares through the points (bytes, µs). */
    private static String fit(List<double[]> points) {
        double n = points.size();
        double x = points.stream().mapToDouble(point -> point[0]).sum() / n;
        double y = points.stream().mapToDouble(point -> point[1]).sum() / n;
        double slope = points.stream()
                        .mapToDouble(point -> (point[0] - x) * (point[1] - y))
                        .sum()
                / points.stream()
                        .mapToDouble(point -> (point[0] - x) * (point[0] - x))
                        .sum();
        double latency = y - slope * x;
        if (slope <= 0 || latency <= 0) {
            return String.format(Locale.ROOT, "no line (t0 %.1f µs, %.3g µs/B)", latency, slope);
        }
        return String.format(Locale.ROOT, "t0 %.1f µs, r∞ %.0f MB/s, n½ %.0f B", latency, 1 / slope, latency / slope);
    }

    private Object array(int elements) {
        return switch (type) {
            case "byte" -> new byte[elements];
            case "int" -> new int[elements];
            default -> new double[elements];
        };
    }

    /** Contents that tell their place; nothing else than zero when sign is 0. */
    private static void fill(Object array, int sign) {
        for (int i = 0; i < java.lang.reflect.Array.getLength(array); i++) {
            switch (array) {
                case byte[] bytes -> bytes[i] = (byte) (sign * (i % 127 + 1));
                case int[] ints -> ints[i] = sign * (i + 1);
                case double[] doubles -> doubles[i] = sign * (i + 0.5);
                default -> throw new AssertionError(array);
            }
        }
    }

    private void compare(String name, int elements) throws MPIException {
        boolean same = switch (in) {
            case byte[] bytes -> java.util.Arrays.equals(bytes, 0, elements, (byte[]) out, 0, elements);
            case int[] ints -> java.util.Arrays.equals(ints, 0, elements, (int[]) out, 0, elements);
            default -> java.util.Arrays.equals((double[]) in, 0, elements, (double[]) out, 0, elements);
        };
        if (!same) {
            System.err.println(
                    name + ": rank " + rank + " has received something else than was sent, " + elements + " elements");
            MPI.COMM_WORLD.Abort(1);
        }
    }
}
