import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All that was measured on a machine, in one session or in several: each sample for the CSV file, the median of each run for
 * the report. Owned by one thread.
 *
 * <p>Figures of near and of far cores differ by up to four, more than most systems do from each other: only runs with near
 * cores are compared, and a number is a median of such runs where there is one.
 *
 * <p>A later session's rounds have numbers of their own, so that a pair is always of one round of one session. Runs of a
 * system's part count together only when the same build was measured in the same way; those of another session stay until
 * that system's part is measured again.
 */
final class Samples {
    /** Between the two speeds that programs/probe.c tells apart where a machine has two, about 45 and 244 ns. */
    static final double NEAR_NANOS = 120;

    static final String FILE = "samples.csv";

    private static final String MACHINE = "# ";
    private static final String NEAR = "# cores are near below ns: ";
    private static final String HEADER =
            "round,part,system,np,benchmark,bytes,sample,micros,probe_before_ns,probe_after_ns,attempt,date,build,slice_ms";
    private static final int FIELDS = HEADER.split(",").length;

    /** A figure: a benchmark with a length; how the tables name their columns. */
    record Figure(String benchmark, int bytes) {}

    /** Where the cores lay before and after a run. */
    enum Cores {
        NEAR,
        FAR,
        CHANGED,
        UNKNOWN
    }

    /**
     * What a run was made with.
     *
     * @param date a day, as 2026-11-23
     * @param build of GridMPJ and the benchmark's programs
     * @param sliceMillis the time of a case: shorter ones are less warm
     */
    record Session(String date, String build, int sliceMillis) {
        boolean together(Session other) {
            return build.equals(other.build) && sliceMillis == other.sliceMillis;
        }
    }

    /** A run of a system's program between two probes; it takes the place of earlier attempts in the same round. */
    record Run(int round, String system, String part, int ranks, int attempt, String before, String after, Session session) {
        boolean startUp() {
            return part.startsWith("hello");
        }

        boolean probed() {
            return !before.isEmpty() || !after.isEmpty();
        }

        private String turn() {
            return round + " " + system + " " + part;
        }
    }

    /** A median, and whether a run with near cores is behind it. */
    record Median(double micros, boolean near) {}

    /** Ratios of runs with near cores; when there is none, whether there are runs that are not comparable. */
    record Pairs(double[] ratios, boolean measured) {}

    /** Where the figures of a system come from. */
    record Origin(String build, int sliceMillis, String firstDate, String lastDate, int rounds) {}

    private record Measured(Run run, Figure figure, double[] micros) {}

    private final String machine;
    private double nearNanos = NEAR_NANOS;
    private final Set<Run> runs = new LinkedHashSet<>();
    private final List<Measured> figures = new ArrayList<>();
    /** Of the figures, made when one is asked for; empty after each change. */
    private final Map<Figure, Map<String, TreeMap<Integer, Median>>> medians = new LinkedHashMap<>();

    Samples(String machine) {
        this.machine = machine;
    }

    /** @throws IOException also if it is a file of another form */
    static Samples read(Path csv) throws IOException {
        List<String> lines = Files.readAllLines(csv);
        boolean near = lines.size() > 1 && lines.get(1).startsWith(NEAR);
        int header = near ? 2 : 1;
        if (lines.size() <= header || !lines.get(0).startsWith(MACHINE) || !lines.get(header).equals(HEADER)) {
            throw new IOException(csv + " does not begin with a machine and \"" + HEADER + "\"");
        }
        Samples samples = new Samples(lines.get(0).substring(MACHINE.length()));
        if (near) {
            samples.nearNanos = Double.parseDouble(lines.get(1).substring(NEAR.length()));
        }
        Map<Map.Entry<Run, Figure>, List<Double>> read = new LinkedHashMap<>();
        for (int i = header + 1; i < lines.size(); i++) {
            String[] field = lines.get(i).split(",", -1);
            if (field.length != FIELDS) {
                throw new IOException(csv + ", line " + (i + 1) + ": " + field.length + " fields, not " + FIELDS);
            }
            Run run = new Run(
                    Integer.parseInt(field[0]), field[2], field[1], Integer.parseInt(field[3]), Integer.parseInt(field[10]),
                    field[8], field[9], new Session(field[11], field[12], Integer.parseInt(field[13])));
            read.computeIfAbsent(Map.entry(run, new Figure(field[4], Integer.parseInt(field[5]))), key -> new ArrayList<>())
                    .add(Double.parseDouble(field[7]));
        }
        read.forEach((key, micros) -> {
            samples.runs.add(key.getKey());
            samples.figures.add(new Measured(
                    key.getKey(), key.getValue(), micros.stream().mapToDouble(Double::doubleValue).toArray()));
        });
        return samples;
    }

    /** Where the cores lay between the two probes of a run. */
    private Cores cores(Run run) {
        if (run.before().isEmpty() || run.after().isEmpty()) {
            return Cores.UNKNOWN;
        }
        boolean before = near(run.before());
        return before != near(run.after()) ? Cores.CHANGED : before ? Cores.NEAR : Cores.FAR;
    }

    boolean near(String probe) {
        return !probe.isEmpty() && Double.parseDouble(probe) < nearNanos;
    }

    double nearNanos() {
        return nearNanos;
    }

    /** A machine may have one speed only, which is neither of the two: then this says which probes are comparable. */
    void nearNanos(double nanos) {
        nearNanos = nanos;
        medians.clear();
    }

    String machine() {
        return machine;
    }

    /**
     * Before the figures of this run.
     *
     * @return how many runs it takes the place of: those of the same system's part with another build or other slices
     */
    int add(Run run) {
        Predicate<Run> replaced = earlier -> earlier.part().equals(run.part())
                && earlier.system().equals(run.system())
                && !earlier.session().together(run.session());
        int replacedRuns = (int) runs.stream().filter(replaced).count();
        runs.removeIf(replaced);
        figures.removeIf(figure -> replaced.test(figure.run()));
        runs.add(run);
        medians.clear();
        return replacedRuns;
    }

    /** @param values microseconds, with a semicolon after each */
    void add(Run run, String benchmark, int bytes, String values) {
        double[] all = Arrays.stream(values.split(";")).mapToDouble(Double::parseDouble).toArray();
        figures.add(new Measured(run, new Figure(benchmark, bytes), all));
        medians.clear();
    }

    /** The first number of a round that no session has had; start-ups have their own. */
    int nextRound(boolean startUps) {
        return 1 + runs.stream().filter(run -> run.startUp() == startUps).mapToInt(Run::round).max().orElse(-1);
    }

    /** Where there is no probe at all, all runs count as comparable, and the report says so. */
    boolean comparable(Run run) {
        return cores(run) == Cores.NEAR || runs.stream().noneMatch(Run::probed);
    }

    Set<String> parts() {
        Set<String> parts = new LinkedHashSet<>();
        figures.forEach(figure -> parts.add(figure.run().part()));
        return parts;
    }

    Set<String> systems() {
        Set<String> systems = new LinkedHashSet<>();
        figures.forEach(figure -> systems.add(figure.run().system()));
        return systems;
    }

    /** In the order of the systems' first runs; a system without any of the figures is not in it. */
    Map<String, Origin> origins(Collection<Figure> wanted) {
        Map<String, List<Run>> bySystem = new LinkedHashMap<>();
        figures.stream()
                .filter(figure -> wanted.contains(figure.figure()))
                .forEach(figure -> bySystem.computeIfAbsent(figure.run().system(), name -> new ArrayList<>()).add(figure.run()));
        Map<String, Origin> origins = new LinkedHashMap<>();
        bySystem.forEach((system, its) -> {
            List<String> dates = its.stream().map(run -> run.session().date()).sorted().toList();
            // A table may be of several parts, each of a session of its own.
            List<String> builds = its.stream().map(run -> run.session().build()).distinct().toList();
            origins.put(system, new Origin(
                    String.join(" and ", builds), its.stream().mapToInt(run -> run.session().sliceMillis()).min().orElseThrow(),
                    dates.get(0), dates.get(dates.size() - 1), (int) its.stream().map(Run::round).distinct().count()));
        });
        return origins;
    }

    /** The median over the rounds with near cores, or over all when there is none; NaN when nothing was measured. */
    Median median(Figure figure, String system) {
        Pairs near = single(figure, system, 1);
        return near.ratios().length > 0
                ? new Median(Statistics.median(near.ratios()), true)
                : new Median(Statistics.median(micros(byRound(figure, system).values().stream())), !near.measured());
    }

    /** A figure itself, of each round with near cores, in units of so many microseconds. */
    Pairs single(Figure figure, String system, double unitMicros) {
        TreeMap<Integer, Median> all = byRound(figure, system);
        double[] near = micros(all.values().stream().filter(Median::near));
        return new Pairs(Arrays.stream(near).map(micros -> micros / unitMicros).toArray(), !all.isEmpty());
    }

    /** Ratios of two figures measured in the same round, both with near cores. */
    Pairs pairs(Figure figure, String system, Figure baseFigure, String base) {
        TreeMap<Integer, Median> ours = byRound(figure, system);
        TreeMap<Integer, Median> others = byRound(baseFigure, base);
        List<Integer> rounds = ours.keySet().stream().filter(others::containsKey).toList();
        double[] ratios = rounds.stream()
                .filter(round -> ours.get(round).near() && others.get(round).near())
                .mapToDouble(round -> ours.get(round).micros() / others.get(round).micros())
                .toArray();
        return new Pairs(ratios, !rounds.isEmpty());
    }

    /** How many runs had their cores so, earlier attempts left out. */
    long count(Cores cores, boolean startUps) {
        Map<String, Run> kept = new LinkedHashMap<>();
        runs.forEach(run -> kept.put(run.turn(), run));
        return kept.values().stream().filter(run -> run.startUp() == startUps && cores(run) == cores).count();
    }

    long repeated() {
        return runs.stream().filter(run -> run.attempt() > 0).count();
    }

    /** All probes, ascending. */
    double[] probes() {
        return runs.stream()
                .flatMap(run -> Stream.of(run.before(), run.after()))
                .filter(probe -> !probe.isEmpty())
                .mapToDouble(Double::parseDouble)
                .sorted()
                .toArray();
    }

    /** Who ends it meanwhile has the file as it was. */
    void write(Path csv) throws IOException {
        List<String> lines = new ArrayList<>(List.of(MACHINE + machine));
        if (nearNanos != NEAR_NANOS) {
            lines.add(NEAR + nearNanos);
        }
        lines.add(HEADER);
        for (Measured figure : figures) {
            Run run = figure.run();
            for (int i = 0; i < figure.micros().length; i++) {
                lines.add(String.join(
                        ",", "" + run.round(), run.part(), run.system(), "" + run.ranks(), figure.figure().benchmark(),
                        "" + figure.figure().bytes(), "" + i, "" + figure.micros()[i], run.before(), run.after(),
                        "" + run.attempt(), run.session().date(), run.session().build(), "" + run.session().sliceMillis()));
            }
        }
        Path next = Files.write(csv.resolveSibling(csv.getFileName() + ".new"), lines);
        Files.move(next, csv, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private TreeMap<Integer, Median> byRound(Figure figure, String system) {
        if (medians.isEmpty()) {
            boolean probed = runs.stream().anyMatch(Run::probed);
            for (Measured each : figures) { // in the order they were measured: the last attempt stays
                medians.computeIfAbsent(each.figure(), key -> new LinkedHashMap<>())
                        .computeIfAbsent(each.run().system(), name -> new TreeMap<>())
                        .put(each.run().round(), new Median(
                                Statistics.median(each.micros()), !probed || cores(each.run()) == Cores.NEAR));
            }
        }
        return medians.getOrDefault(figure, Map.of()).getOrDefault(system, new TreeMap<>());
    }

    private static double[] micros(Stream<Median> medians) {
        return medians.mapToDouble(Median::micros).toArray();
    }
}
