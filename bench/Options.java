import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The command line of bench/run.
 *
 * @param quick a trial of the benchmark itself
 * @param fresh forgets what lies beside the report
 * @param onlyReport measures nothing
 * @param near below how many nanoseconds of the probe cores are near; kept in the samples, so seldom given
 * @param add the samples to go on with, in place of those beside the report; empty if it was not given
 */
record Options(
        boolean quick, boolean fresh, boolean onlyReport, OptionalDouble near, String add, double minutes, List<String> systems, List<String> parts,
        Path out, Path report) {
    private static final String DEFAULT_MINUTES = "20";
    private static final List<String> FLAGS = List.of("--quick", "--fresh", "--only-report");
    private static final List<String> VALUES = List.of("--minutes", "--systems", "--parts", "--out", "--report", "--add", "--near");

    /** @throws IllegalArgumentException with what to say */
    static Options of(String[] args, List<String> allParts) {
        for (int i = 0; i < args.length; i++) {
            if (VALUES.contains(args[i]) && i + 1 < args.length) {
                i++;
            } else if (!FLAGS.contains(args[i])) {
                throw new IllegalArgumentException(
                        args[i] + "?\nUsage: bench/run [--quick] [--minutes " + DEFAULT_MINUTES
                                + "] [--systems a,b] [--parts a,b] [--add FILE | --fresh] [--near NANOS] [--only-report] [--out FOLDER]"
                                + " [--report FILE]\nSystems: " + String.join(",", Competitor.ALL) + "\nand, not by default: "
                                + String.join(",", Competitor.FURTHER) + "\nParts: " + String.join(",", allParts));
            }
        }
        boolean quick = List.of(args).contains("--quick");
        List<String> known = new ArrayList<>(Competitor.ALL);
        known.addAll(Competitor.FURTHER);
        String out = value(args, "--out", quick ? "bench/target/performance" : "docs/performance");
        // The report of a folder of one's own lies in it.
        String report = List.of(args).contains("--out") || quick ? out + "/PERFORMANCE.md" : "docs/PERFORMANCE.md";
        Options options = new Options(
                quick, List.of(args).contains("--fresh"), List.of(args).contains("--only-report"),
                Stream.of(value(args, "--near", "")).filter(near -> !near.isEmpty()).mapToDouble(Double::parseDouble).findFirst(),
                value(args, "--add", ""),
                Double.parseDouble(value(args, "--minutes", quick ? "1" : DEFAULT_MINUTES)),
                chosen(value(args, "--systems", String.join(",", Competitor.ALL)), known, "system"),
                chosen(value(args, "--parts", String.join(",", allParts)), allParts, "part"),
                Path.of(out), Path.of(value(args, "--report", report)));
        if (options.fresh() && !options.add().isEmpty()) {
            throw new IllegalArgumentException("--fresh and --add contradict each other");
        }
        return options;
    }

    private static List<String> chosen(String names, List<String> known, String what) {
        List<String> chosen = List.of(names.split(","));
        for (String name : chosen) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("no " + what + " " + name + "; there are " + String.join(",", known));
            }
        }
        return chosen;
    }

    private static String value(String[] args, String name, String otherwise) {
        int at = Arrays.asList(args).indexOf(name);
        return at >= 0 && at + 1 < args.length ? args[at + 1] : otherwise;
    }
}
