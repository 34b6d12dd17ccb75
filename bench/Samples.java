import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** All that was measured: each sample for the CSV file, the median of each run for the report. Owned by one thread. */
final class Samples {
    /** A figure: a benchmark with a length; how the tables name their columns. */
    record Figure(String benchmark, int bytes) {}

    private final List<String> lines = new ArrayList<>();
    private final Map<Figure, Map<String, TreeMap<Integer, Double>>> medians = new LinkedHashMap<>();

    Samples() {
        lines.add("round,system,np,benchmark,bytes,sample,micros,probe_before_ns,probe_after_ns");
    }

    /** @param values microseconds, with a semicolon after each */
    void add(int round, String system, int ranks, String benchmark, int bytes, String values, String before, String after) {
        double[] all = Arrays.stream(values.split(";")).mapToDouble(Double::parseDouble).toArray();
        for (int i = 0; i < all.length; i++) {
            lines.add(String.join(",", "" + round, system, "" + ranks, benchmark, "" + bytes, "" + i, "" + all[i], before, after));
        }
        medians.computeIfAbsent(new Figure(benchmark, bytes), figure -> new LinkedHashMap<>())
                .computeIfAbsent(system, name -> new TreeMap<>())
                .put(round, Statistics.median(all));
    }

    /** The median of each round, by round. */
    TreeMap<Integer, Double> byRound(Figure figure, String system) {
        return medians.getOrDefault(figure, Map.of()).getOrDefault(system, new TreeMap<>());
    }

    /** The median over the rounds; NaN when nothing was measured. */
    double median(Figure figure, String system) {
        return Statistics.median(byRound(figure, system).values().stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** Ratios of two figures measured in the same round. */
    double[] pairs(Figure figure, String system, Figure baseFigure, String base) {
        TreeMap<Integer, Double> others = byRound(baseFigure, base);
        return byRound(figure, system).entrySet().stream()
                .filter(entry -> others.containsKey(entry.getKey()))
                .mapToDouble(entry -> entry.getValue() / others.get(entry.getKey()))
                .toArray();
    }

    /** Runs between two near probes, between two far ones, and others (mixed): near, far, mixed, not probed. */
    int[] placements() {
        Map<String, int[]> runs = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] field = line.split(",", -1);
            // one run has the same two probes in all its lines
            runs.put(String.join(",", field[0], field[1], field[2], field[7], field[8], Boolean.toString(field[3].equals("startup"))),
                    new int[] {kind(field[7], field[8])});
        }
        int[] count = new int[4];
        runs.values().forEach(kind -> count[kind[0]]++);
        return count;
    }

    /** All probes, ascending. */
    double[] probes() {
        Set<String> runs = new LinkedHashSet<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] field = line.split(",", -1);
            runs.add(String.join(",", field[0], field[1], field[2], field[7], field[8]));
        }
        return runs.stream()
                .flatMap(run -> Arrays.stream(run.split(",")).skip(3))
                .filter(probe -> !probe.isEmpty())
                .mapToDouble(Double::parseDouble)
                .sorted()
                .toArray();
    }

    private static int kind(String before, String after) {
        if (before.isEmpty() || after.isEmpty()) {
            return 3;
        }
        boolean nearBefore = Double.parseDouble(before) < Report.NEAR_NANOS;
        boolean nearAfter = Double.parseDouble(after) < Report.NEAR_NANOS;
        return nearBefore && nearAfter ? 0 : !nearBefore && !nearAfter ? 1 : 2;
    }

    void write(Path csv) throws IOException {
        Files.write(csv, lines);
    }
}
