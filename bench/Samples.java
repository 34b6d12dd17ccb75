import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All that was measured: each sample for the CSV file, the median of each run for the report. Owned by one thread.
 *
 * <p>Figures of near and of far cores differ by up to four, more than most systems do from each other: only runs with near
 * cores are compared, and a number is a median of such runs where there is one.
 */
final class Samples {
    /** Between the two speeds that programs/probe.c tells apart, about 45 and 244 ns. */
    static final double NEAR_NANOS = 120;

    /** A figure: a benchmark with a length; how the tables name their columns. */
    record Figure(String benchmark, int bytes) {}

    /** Where the cores lay before and after a run. */
    enum Cores {
        NEAR,
        FAR,
        CHANGED,
        UNKNOWN
    }

    /** A run of a system's program between two probes; it takes the place of earlier attempts in the same round. */
    record Run(int round, String system, String part, int ranks, int attempt, String before, String after) {
        Cores cores() {
            if (before.isEmpty() || after.isEmpty()) {
                return Cores.UNKNOWN;
            }
            return near(before) ? near(after) ? Cores.NEAR : Cores.CHANGED : near(after) ? Cores.CHANGED : Cores.FAR;
        }

        boolean startUp() {
            return part.startsWith("hello");
        }
    }

    /** A median, and whether a run with near cores is behind it. */
    record Median(double micros, boolean near) {}

    /** Ratios of runs with near cores; when there is none, whether there are runs that are not comparable. */
    record Pairs(double[] ratios, boolean measured) {}

    private final List<String> lines = new ArrayList<>();
    private final Map<String, Run> kept = new LinkedHashMap<>();
    private final List<Run> runs = new ArrayList<>();
    private final Map<Figure, Map<String, TreeMap<Integer, Median>>> medians = new LinkedHashMap<>();
    private final boolean probing;

    /** @param probing false where there is no probe: all runs count as comparable then, and the report says so */
    Samples(boolean probing) {
        this.probing = probing;
        lines.add("round,system,np,benchmark,bytes,sample,micros,probe_before_ns,probe_after_ns,attempt");
    }

    static boolean near(String probe) {
        return !probe.isEmpty() && Double.parseDouble(probe) < NEAR_NANOS;
    }

    /** Before the figures of this run. */
    void add(Run run) {
        runs.add(run);
        kept.put(run.round() + run.system() + run.part(), run);
    }

    /** @param values microseconds, with a semicolon after each */
    void add(Run run, String benchmark, int bytes, String values) {
        double[] all = Arrays.stream(values.split(";")).mapToDouble(Double::parseDouble).toArray();
        for (int i = 0; i < all.length; i++) {
            lines.add(String.join(
                    ",", "" + run.round(), run.system(), "" + run.ranks(), benchmark, "" + bytes, "" + i, "" + all[i], run.before(),
                    run.after(), "" + run.attempt()));
        }
        medians.computeIfAbsent(new Figure(benchmark, bytes), figure -> new LinkedHashMap<>())
                .computeIfAbsent(run.system(), name -> new TreeMap<>())
                .put(run.round(), new Median(Statistics.median(all), comparable(run)));
    }

    boolean comparable(Run run) {
        return !probing || run.cores() == Cores.NEAR;
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
        return kept.values().stream().filter(run -> run.startUp() == startUps && run.cores() == cores).count();
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

    void write(Path csv) throws IOException {
        Files.write(csv, lines);
    }

    private TreeMap<Integer, Median> byRound(Figure figure, String system) {
        return medians.getOrDefault(figure, Map.of()).getOrDefault(system, new TreeMap<>());
    }

    private static double[] micros(Stream<Median> medians) {
        return medians.mapToDouble(Median::micros).toArray();
    }
}
