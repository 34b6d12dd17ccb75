import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What bench/faults has measured on one machine: what surviving costs, against the targets. */
final class Faults {
    static final String FILE = "faults.csv";

    private static final String HEADER = "date,build,machine,round,row,mode,millis,probe_before_ns,probe_after_ns";
    private static final double MOST_INSTRUMENTED = 1.02;
    private static final double MOST_LOGGED = 1.04;
    private static final double MOST_STALLED = 40;
    private static final double MOST_MOVING = 300;
    private static final double MOST_CRASHED = 1500;

    /** One job: what it printed, in order. */
    private record Job(String date, String build, String machine, List<Double> probes, List<Double> millis) {
        /** Cores are near or far by a factor of four and more. */
        boolean like(Job other) {
            double[] all = Stream.of(probes, other.probes).flatMap(List::stream).mapToDouble(Double::doubleValue).sorted().toArray();
            return all.length == 4 && all[3] < 2 * all[0];
        }

        String origin() {
            return date + ", " + build + ", " + machine;
        }
    }

    /** Row → mode → round. */
    private final Map<String, Map<String, TreeMap<Integer, Job>>> jobs = new LinkedHashMap<>();

    /**
     * Rows of a Markdown table without its head, those of each machine together; none where there is no such file.
     *
     * @throws IOException also if the file has another form
     */
    static List<String> rows(Path csv) throws IOException {
        Map<String, List<String[]>> samples = new LinkedHashMap<>();
        for (String[] field : Files.exists(csv) ? Csv.read(csv, HEADER) : List.<String[]>of()) {
            samples.computeIfAbsent(field[2], machine -> new ArrayList<>()).add(field);
        }
        return samples.values().stream().flatMap(ofMachine -> new Faults(ofMachine).rows().stream()).toList();
    }

    private Faults(List<String[]> samples) {
        for (String[] field : samples) {
            List<Double> probes = Stream.of(field[7], field[8]).filter(probe -> !probe.isEmpty()).map(Double::valueOf).toList();
            List<Double> millis = Arrays.stream(field[6].split(";")).map(Double::valueOf).toList();
            jobs.computeIfAbsent(field[4], key -> new LinkedHashMap<>())
                    .computeIfAbsent(field[5], key -> new TreeMap<>())
                    .put(Integer.parseInt(field[3]), new Job(field[0], field[1], field[2], probes, millis));
        }
        // rounds of a row count together only if they are of one build: the newest
        for (Map<String, TreeMap<Integer, Job>> modes : jobs.values()) {
            String newest = modes.values().stream()
                    .map(TreeMap::lastEntry)
                    .max(Comparator.comparing(Map.Entry::getKey))
                    .orElseThrow()
                    .getValue()
                    .build;
            modes.values().forEach(rounds -> rounds.values().removeIf(job -> !job.build.equals(newest)));
        }
    }

    private List<String> rows() {
        List<String> rows = new ArrayList<>();
        ratio(rows, "instrumentation, no snapshot taken: time of a kernel with the agent by the time without, second half of a job",
                MOST_INSTRUMENTED, "instrumentation ", "plain", "agent", Faults::ofTheLastHalf);
        ratio(rows, "the same, first run: with what it takes to load, to instrument and to compile", 0, "instrumentation ", "plain", "agent",
                millis -> millis.get(0));
        ratio(rows, "log of messages, a snapshot each 500 ms: time of a kernel with `--ft local` by `--ft restart`, second half of a job", MOST_LOGGED, "logs ",
                "restart", "local", Faults::ofTheLastHalf);
        times(rows, "first snapshot of a job, 100 MB for each rank: longest gap of the program", MOST_STALLED, "stalls stall", 0, 1);
        times(rows, "later ones", MOST_STALLED, "stalls stall", 1, Integer.MAX_VALUE);
        times(rows, "live move of a rank of 10 MB on one host", MOST_MOVING, "moves", 0, Integer.MAX_VALUE);
        times(rows, "crash of a rank to computing again, 4 ranks, Life 512 × 512", MOST_CRASHED, "crashes", 0, Integer.MAX_VALUE);
        return rows;
    }

    private static double ofTheLastHalf(List<Double> millis) {
        return Statistics.median(values(millis.subList(millis.size() / 2, millis.size())));
    }

    private static double[] values(List<Double> list) {
        return list.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /**
     * For each kernel the median over the rounds; then their geometric mean. Cores that change their place in the middle of a job, as they
     * do, are as often in one mode as in the other.
     */
    private void ratio(
            List<String> rows, String what, double bound, String prefix, String by, String mode, ToDoubleFunction<List<Double>> figure) {
        Map<String, TreeMap<Integer, Double>> ratios = new LinkedHashMap<>();
        String origin = "";
        int like = 0;
        for (Map.Entry<String, Map<String, TreeMap<Integer, Job>>> row : jobs.entrySet()) {
            if (!row.getKey().startsWith(prefix)) {
                continue;
            }
            TreeMap<Integer, Job> others = row.getValue().getOrDefault(by, new TreeMap<>());
            TreeMap<Integer, Double> ofKernel = new TreeMap<>();
            for (Map.Entry<Integer, Job> one : row.getValue().getOrDefault(mode, new TreeMap<>()).entrySet()) {
                Job other = others.get(one.getKey());
                if (other != null) {
                    ofKernel.put(one.getKey(), figure.applyAsDouble(one.getValue().millis) / figure.applyAsDouble(other.millis));
                    like += ratios.isEmpty() && one.getValue().like(other) ? 1 : 0;
                    origin = one.getValue().origin();
                }
            }
            if (!ofKernel.isEmpty()) {
                ratios.put(row.getKey().substring(prefix.length()), ofKernel);
            }
        }
        if (ratios.isEmpty()) {
            return;
        }
        List<Integer> rounds = new ArrayList<>(ratios.values().iterator().next().keySet());
        ratios.values().forEach(ofKernel -> rounds.retainAll(ofKernel.keySet()));
        double mean = mean(ratios, rounds);
        double[] interval = Statistics.interval(rounds, drawn -> mean(ratios, drawn));
        boolean believed = rounds.size() >= Cells.PAIRS_FOR_AN_INTERVAL;
        String kernels = String.join(", ", ratios.entrySet().stream()
                .map(kernel -> kernel.getKey() + " " + Cells.number(mean(Map.of("", kernel.getValue()), rounds), 2))
                .toList());
        String measured = Cells.number(mean, 3) + (believed ? " [" + Cells.number(interval[0], 3) + ", " + Cells.number(interval[1], 3) + "]" : "") + ": " + kernels
                + " (" + rounds.size() + " pairs, " + like + " of them on like cores)";
        String verdict = bound == 0
                ? "no bound of its own"
                : (mean <= bound ? "reached" : "missed")
                        + (believed && interval[0] <= bound == interval[1] <= bound ? "" : ", unsure");
        rows.add(row(what, bound == 0 ? "–" : "≤ " + Math.round(100 * (bound - 1)) + " %", measured, verdict, origin));
    }

    private static double mean(Map<String, TreeMap<Integer, Double>> ratios, List<Integer> rounds) {
        return Math.exp(ratios.values().stream()
                .mapToDouble(ofKernel -> Math.log(Statistics.median(rounds.stream().mapToDouble(ofKernel::get).toArray())))
                .average()
                .orElseThrow());
    }

    /** Times of which each has to be within the bound. */
    private void times(List<String> rows, String what, double bound, String name, int from, int to) {
        List<Double> all = new ArrayList<>();
        String origin = "";
        for (TreeMap<Integer, Job> rounds : jobs.getOrDefault(name, Map.of()).values()) {
            for (Job job : rounds.values()) {
                all.addAll(job.millis.subList(Math.min(from, job.millis.size()), Math.min(to, job.millis.size())));
                origin = job.origin();
            }
        }
        if (all.isEmpty()) {
            return;
        }
        double[] sorted = values(all);
        Arrays.sort(sorted);
        long above = Arrays.stream(sorted).filter(millis -> millis > bound).count();
        double median = Statistics.median(sorted);
        String verdict = above == 0 ? "reached" : (median <= bound ? "reached by the median, " : "missed, ") + above + " of " + sorted.length + " above";
        rows.add(row(what, "≤ " + Cells.number(bound, 0) + " ms",
                Cells.number(sorted[0], 0) + " to " + Cells.number(sorted[sorted.length - 1], 0) + " ms, median " + Cells.number(median, 0) + " (" + sorted.length + ")",
                verdict, origin));
    }

    private static String row(String what, String bound, String measured, String verdict, String origin) {
        return "| " + what + " | " + bound + " | " + measured + " | " + verdict + " | " + origin + " |";
    }
}
