import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * A column of a table: its head, its figure, and how microseconds become the number shown. And the columns that there are.
 */
record Column(String head, Samples.Figure figure, DoubleUnaryOperator shown) {
    static final List<Integer> LENGTHS = List.of(1, 1 << 10, 8 << 10, 64 << 10, 1 << 20, 16 << 20);
    static final List<Integer> SIDES = List.of(128, 256, 512, 1024);

    private static final DoubleUnaryOperator SAME = value -> value;

    static List<Column> pingPongs() {
        return LENGTHS.stream()
                .map(bytes -> new Column(length(bytes), new Samples.Figure("pingpong", bytes), SAME))
                .toList();
    }

    static List<Column> streams() {
        return List.of(
                new Column("8 B, k msg/s", new Samples.Figure("stream", 8), micros -> 1e3 / micros),
                new Column("1 MiB, MB/s", new Samples.Figure("stream", 1 << 20), micros -> (1 << 20) / micros));
    }

    static List<Column> bothWays() {
        return List.of(
                new Column("1 KiB", new Samples.Figure("pingping", 1 << 10), SAME),
                new Column("1 MiB", new Samples.Figure("pingping", 1 << 20), SAME));
    }

    static List<Column> collectives() {
        return List.of(
                new Column("Barrier", new Samples.Figure("barrier", 0), SAME),
                new Column("Allreduce 8 B", new Samples.Figure("allreduce", 8), SAME),
                new Column("Allreduce 64 KiB", new Samples.Figure("allreduce", 64 << 10), SAME),
                new Column("Allreduce 4 MiB", new Samples.Figure("allreduce", 4 << 20), SAME),
                new Column("Bcast 1 MiB", new Samples.Figure("bcast", 1 << 20), SAME),
                new Column("Alltoall 64 KiB", new Samples.Figure("alltoall", 64 << 10), SAME),
                new Column("Allgather 64 KiB", new Samples.Figure("allgather", 64 << 10), SAME));
    }

    static List<Column> scaling() {
        List<Column> columns = new ArrayList<>();
        for (String operation : List.of("barrier", "allreduce")) {
            int bytes = operation.equals("barrier") ? 0 : 8;
            for (int ranks : new int[] {2, 4, 8, 16}) {
                // four ranks are measured with the other collectives
                columns.add(new Column(
                        operation + (bytes > 0 ? " 8 B" : "") + ", np " + ranks,
                        new Samples.Figure(ranks == 4 ? operation : operation + "-np" + ranks, bytes),
                        SAME));
            }
        }
        return columns;
    }

    static List<Column> objects() {
        List<Column> columns = new ArrayList<>();
        for (int n : SIDES) {
            columns.add(new Column("float[" + n + "*" + n + "]", new Samples.Figure("vector", 4 * n * n), SAME));
            columns.add(new Column("float[" + n + "][" + n + "]", new Samples.Figure("matrix", 4 * n * n), SAME));
        }
        return columns;
    }

    static List<Column> twoPairs() {
        return List.of(
                new Column("1 B", new Samples.Figure("pairs", 1), SAME),
                new Column("1 KiB", new Samples.Figure("pairs", 1 << 10), SAME));
    }

    static List<Column> tails() {
        return List.of(
                new Column("1 B", new Samples.Figure("p99", 1), SAME),
                new Column("1 KiB", new Samples.Figure("p99", 1 << 10), SAME),
                new Column("64 KiB", new Samples.Figure("p99", 64 << 10), SAME));
    }

    static List<Column> overlap() {
        return List.of(new Column("hidden", new Samples.Figure("overlap", 1 << 20), perMille -> perMille / 10));
    }

    static List<Column> startUps() {
        return List.of(
                new Column("hello", new Samples.Figure("startup", 0), micros -> micros / 1e3),
                new Column("hello, --checkpoint", new Samples.Figure("startup-checkpoint", 0), micros -> micros / 1e3));
    }

    static String length(int bytes) {
        return bytes >= 1 << 20 ? (bytes >> 20) + " MiB" : bytes >= 1 << 10 ? (bytes >> 10) + " KiB" : bytes + " B";
    }
}
