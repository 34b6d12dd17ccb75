import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What bench/overlap has measured over a slow connection, where a transfer takes long and no processor. */
final class SlowOverlap {
    static final String FILE = "overlap.csv";

    private static final String HEADER = "date,build,rate,round,system,bytes,sample,percent,probe_before_ns,probe_after_ns";

    private SlowOverlap() {}

    /**
     * A paragraph and a Markdown table; none where there is no such file.
     *
     * @throws IOException also if the file has another form
     */
    static List<String> lines(Path csv) throws IOException {
        if (!Files.exists(csv)) {
            return List.of();
        }
        // system → bytes → round → samples
        Map<String, TreeMap<Integer, TreeMap<String, List<Double>>>> hidden = new LinkedHashMap<>();
        TreeSet<String> rounds = new TreeSet<>();
        TreeSet<String> origins = new TreeSet<>();
        TreeSet<Integer> lengths = new TreeSet<>();
        DoubleSummaryStatistics probes = new DoubleSummaryStatistics();
        for (String[] field : Csv.read(csv, HEADER)) {
            origins.add(field[0] + ", build " + field[1] + ", " + field[2]);
            rounds.add(field[3]);
            lengths.add(Integer.parseInt(field[5]));
            hidden.computeIfAbsent(field[4], key -> new TreeMap<>())
                    .computeIfAbsent(Integer.parseInt(field[5]), key -> new TreeMap<>())
                    .computeIfAbsent(field[3], key -> new ArrayList<>())
                    .add(Double.parseDouble(field[7]));
            for (String probe : List.of(field[8], field[9])) {
                if (!probe.isEmpty()) {
                    probes.accept(Double.parseDouble(probe));
                }
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add("The same over a connection so slow that a transfer takes long and no processor, by `bench/overlap`: "
                + rounds.size() + (rounds.size() == 1 ? " round, " : " rounds, ") + String.join("; ", origins) + "; probe "
                + (probes.getCount() == 0 ? "not there" : (int) probes.getMin() + " to " + (int) probes.getMax() + " ns")
                + ". Samples: `" + FILE + "`.");
        lines.add("");
        lines.add("| system | " + String.join(" | ", lengths.stream().map(Column::length).toList()) + " |");
        lines.add("|---|" + "---:|".repeat(lengths.size()));
        hidden.forEach((system, byLength) -> lines.add("| " + system + " | "
                + String.join(" | ", lengths.stream().map(bytes -> cell(byLength.get(bytes))).toList()) + " |"));
        lines.add("");
        return lines;
    }

    /** The median over the rounds of the medians of their samples. */
    private static String cell(TreeMap<String, List<Double>> byRound) {
        if (byRound == null) {
            return "–";
        }
        double[] medians = byRound.values().stream()
                .mapToDouble(samples -> Statistics.median(samples.stream().mapToDouble(Double::doubleValue).toArray()))
                .toArray();
        return String.format(Locale.ROOT, "%.0f", Statistics.median(medians));
    }
}
