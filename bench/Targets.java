import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The targets that the samples decide. */
final class Targets {
    private static final int COLUMNS_TO_WIN = 5;
    private static final String COLLECTIVES_TARGET = ", collectives, faster than Open MPI shared memory";
    private static final String COLLECTIVES_BOUND = "in at least " + COLUMNS_TO_WIN + " of 7 columns";

    private final Samples samples;

    /** A row: the pairs whose median must not exceed the bound. */
    private record Target(String what, String bound, List<String> columns, List<Samples.Pairs> pairs, double most) {}

    Targets(Samples samples) {
        this.samples = samples;
    }

    /** Rows of a Markdown table: what, bound, measured, verdict. */
    List<String> rows() {
        List<Target> targets = new ArrayList<>();
        List<Integer> shortLengths = List.of(1, 1 << 10);
        List<Integer> longLengths = List.of(64 << 10, 1 << 20, 16 << 20);
        targets.add(new Target(
                Report.SHM + ", 1 B – 1 KiB, by Open MPI's C library over shared memory", "≤ 1.1",
                shortLengths.stream().map(Column::length).toList(),
                shortLengths.stream().map(bytes -> pairs("pingpong", bytes, Report.SHM, "openmpi")).toList(), 1.1));
        targets.add(new Target(
                Report.SHM + ", 1 B – 1 KiB, matching included, by raw-ring", "≤ 1.5",
                shortLengths.stream().map(Column::length).toList(),
                shortLengths.stream().map(bytes -> pairs("pingpong", bytes, Report.SHM, "raw-ring")).toList(), 1.5));
        for (String other : List.of("openmpi", "mpich")) {
            targets.add(new Target(
                    Report.SHM + ", 64 KiB – 16 MiB, faster than " + other, "≤ 1", longLengths.stream().map(Column::length).toList(),
                    longLengths.stream().map(bytes -> pairs("pingpong", bytes, Report.SHM, other)).toList(), 1));
        }
        targets.add(new Target(
                Report.SHM + ", messages of 8 B: at least 10 million in a second, µs for each", "≤ 0.1", List.of("8 B"),
                List.of(samples.single(new Samples.Figure("stream", 8), Report.SHM, 1)),
                0.1));
        objectAndCollectiveTargets(Report.SHM, targets);
        for (String ours : List.of(Report.GRIDTCP, "gridmpj-java")) {
            List<Integer> small = List.of(1, 1 << 10, 8 << 10);
            List<String> raw = ours.equals(Report.GRIDTCP) ? List.of("raw-c", "raw-c-reno") : List.of("raw-c");
            for (String other : Stream.concat(raw.stream(), Stream.of("openmpi-tcp", "mpich-tcp")).toList()) {
                double most = raw.contains(other) ? 1.15 : 1;
                targets.add(new Target(
                        ours + ", TCP, 1 B – 8 KiB, by " + other, "≤ " + most, small.stream().map(Column::length).toList(),
                        small.stream().map(bytes -> pairs("pingpong", bytes, ours, other)).toList(), most));
            }
            for (String other : raw) {
                targets.add(new Target(
                        ours + ", stream of 1 MiB, bandwidth at least 0.9 × " + other + ": time by its time", "≤ 1.11", List.of("1 MiB"),
                        List.of(pairs("stream", 1 << 20, ours, other)), 1 / 0.9));
                targets.add(new Target(
                        ours + ", 16 MiB ping-pong, bandwidth at least 0.9 × " + other + ": time by its time", "≤ 1.11",
                        List.of("16 MiB"), List.of(pairs("pingpong", 16 << 20, ours, other)), 1 / 0.9));
            }
            objectAndCollectiveTargets(ours, targets);
        }
        List<String> rows = new ArrayList<>();
        for (Target target : targets) {
            rows.add(row(target));
        }
        for (String ours : Report.OURS) {
            rows.add(row(ours, Column.collectives().stream()
                    .map(column -> samples.pairs(column.figure(), ours, column.figure(), "openmpi"))
                    .toList()));
            rows.add(row(new Target(
                    ours + ", start-up of `mpjrun -np 4` hello, s", "≤ 1.2 s", List.of("hello"),
                    List.of(samples.single(new Samples.Figure("startup", 0), ours, 1e6)), 1.2)));
        }
        for (String ours : List.of(Report.SHM, Report.GRIDTCP)) {
            rows.add(row(new Target(
                    ours + ", start-up of `mpjrun -np 4 --checkpoint 60s` hello, s", "–", List.of("hello"),
                    List.of(samples.single(new Samples.Figure("startup-checkpoint", 0), ours, 1e6)), Double.NaN)));
        }
        return rows;
    }

    private void objectAndCollectiveTargets(String ours, List<Target> targets) {
        targets.add(new Target(
                ours + ", `float[N][N]` as OBJECT by FLOAT", "≤ 1.2", Column.SIDES.stream().map(n -> Integer.toString(n)).toList(), Column.SIDES.stream().map(n -> objects(ours, n)).toList(),
                1.2));
        for (String other : List.of("mpjexpress-multicore", "mpjexpress-niodev")) {
            targets.add(new Target(
                    ours + ", collectives, never slower than " + other, "≤ 1",
                    Column.collectives().stream().map(Column::head).toList(),
                    Column.collectives().stream().map(column -> samples.pairs(column.figure(), ours, column.figure(), other)).toList(),
                    1));
        }
    }

    private Samples.Pairs pairs(String benchmark, int bytes, String ours, String other) {
        Samples.Figure figure = new Samples.Figure(benchmark, bytes);
        return samples.pairs(figure, ours, figure, other);
    }

    /** A column that misses the bound decides, whatever the others are; no target is reached with a column that is not known. */
    private static String row(Target target) {
        List<String> cells = new ArrayList<>();
        boolean measured = true;
        boolean comparable = true;
        boolean reached = true;
        boolean unsure = false;
        for (int i = 0; i < target.pairs().size(); i++) {
            Samples.Pairs pairs = target.pairs().get(i);
            cells.add(target.columns().get(i) + ": " + Cells.ratio(pairs));
            measured &= pairs.measured();
            if (pairs.ratios().length == 0) {
                comparable = false;
                continue;
            }
            double[] interval = Statistics.interval(pairs.ratios());
            reached &= Statistics.median(pairs.ratios()) <= target.most();
            unsure |= pairs.ratios().length < Cells.PAIRS_FOR_AN_INTERVAL || interval[0] <= target.most() && interval[1] > target.most();
        }
        String verdict = !measured
                ? "not measured"
                : Double.isNaN(target.most())
                        ? "no bound of its own"
                : reached && !comparable
                        ? "not comparable: cores far"
                        : (reached ? "reached" : "missed") + (unsure ? ", unsure" : "");
        return Cells.row(target.what(), target.bound(), measured ? String.join("; ", cells) : "–", verdict);
    }

    private static String row(String ours, List<Samples.Pairs> columns) {
        long comparable = columns.stream().filter(pairs -> pairs.ratios().length > 0).count();
        long faster = columns.stream().filter(pairs -> Statistics.median(pairs.ratios()) < 1).count();
        boolean unsure = columns.stream()
                .anyMatch(pairs -> pairs.ratios().length < Cells.PAIRS_FOR_AN_INTERVAL
                        || Statistics.interval(pairs.ratios())[0] < 1 && Statistics.interval(pairs.ratios())[1] >= 1);
        String verdict = faster >= COLUMNS_TO_WIN
                ? "reached"
                : faster + columns.size() - comparable < COLUMNS_TO_WIN ? "missed" : "not comparable: cores far";
        return columns.stream().allMatch(Samples.Pairs::measured)
                ? Cells.row(
                        ours + COLLECTIVES_TARGET, COLLECTIVES_BOUND,
                        faster + " of " + comparable
                                + (comparable < columns.size() ? ", " + (columns.size() - comparable) + " " + Cells.NOT_COMPARABLE : ""),
                        verdict + (unsure && !verdict.startsWith("not") ? ", unsure" : ""))
                : Cells.row(ours + COLLECTIVES_TARGET, COLLECTIVES_BOUND, "–", "not measured");
    }

    /** Matrices as OBJECT by the same numbers as FLOAT. */
    Samples.Pairs objects(String system, int n) {
        return samples.pairs(new Samples.Figure("matrix", 4 * n * n), system, new Samples.Figure("vector", 4 * n * n), system);
    }
}
