import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All that was measured on a machine, in one session or in several. Owned by one thread.
 *
 * <p>Systems are measured in turn, lap by lap, a fraction of a second each: two are compared by the median of the ratios within the same
 * lap, as the machine may be another one in the next. Figures of near and of far cores differ by up to four, more than most systems
 * do from each other: only laps with near cores are compared, and a number is a median of such laps where there is one.
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
            "round,part,system,np,benchmark,bytes,lap,micros,probe_before_ns,probe_after_ns,date,build,slice_ms,in_turn";
    private static final int FIELDS = HEADER.split(",").length;

    /** A figure: a benchmark with a length; how the tables name their columns. */
    record Figure(String benchmark, int bytes) {}

    /** Where the cores lay before and after a lap. */
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
     * @param inTurn false if one system's program ran after the other's, as it was until November 2026: "laps" are samples then
     */
    record Session(String date, String build, int sliceMillis, boolean inTurn) {
        boolean together(Session other) {
            return build.equals(other.build) && sliceMillis == other.sliceMillis && inTurn == other.inTurn;
        }
    }

    /** A run of a system's program. */
    record Run(int round, String system, String part, int ranks, Session session) {
        boolean startUp() {
            return part.startsWith("hello");
        }
    }

    /** A lap, and the probe before and after it in ns; empty without one. */
    record Tag(int lap, String before, String after) {
        boolean probed() {
            return !before.isEmpty() || !after.isEmpty();
        }
    }

    /** A median, and whether a lap with near cores is behind it. */
    record Median(double micros, boolean near) {}

    /** A ratio of each round, of laps with near cores; when there is none, whether there are laps that are not comparable. */
    record Pairs(double[] ratios, boolean measured) {}

    /** Where the figures of a system come from. */
    record Origin(String build, int sliceMillis, boolean inTurn, String firstDate, String lastDate, int rounds) {}

    private record Measured(Run run, Figure figure, double micros, Tag tag) {}

    private final String machine;
    private double nearNanos = NEAR_NANOS;
    private boolean probed;
    private final Set<Run> runs = new LinkedHashSet<>();
    private final List<Measured> figures = new ArrayList<>();
    /** The samples of a system's figure by round, made when one is asked for; empty after each change. */
    private final Map<Figure, Map<String, TreeMap<Integer, List<Measured>>>> rounds = new LinkedHashMap<>();

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
        for (int i = header + 1; i < lines.size(); i++) {
            String[] field = lines.get(i).split(",", -1);
            if (field.length != FIELDS) {
                throw new IOException(csv + ", line " + (i + 1) + ": " + field.length + " fields, not " + FIELDS);
            }
            Session session = new Session(field[10], field[11], Integer.parseInt(field[12]), Boolean.parseBoolean(field[13]));
            Run run = new Run(Integer.parseInt(field[0]), field[2], field[1], Integer.parseInt(field[3]), session);
            samples.runs.add(run);
            samples.add(
                    run, field[4], Integer.parseInt(field[5]), Double.parseDouble(field[7]),
                    new Tag(Integer.parseInt(field[6]), field[8], field[9]));
        }
        return samples;
    }

    /** Where the cores lay between the two probes of a lap. */
    private Cores cores(Tag tag) {
        if (tag.before().isEmpty() || tag.after().isEmpty()) {
            return Cores.UNKNOWN;
        }
        boolean before = near(tag.before());
        return before != near(tag.after()) ? Cores.CHANGED : before ? Cores.NEAR : Cores.FAR;
    }

    private boolean near(String probe) {
        return !probe.isEmpty() && Double.parseDouble(probe) < nearNanos;
    }

    double nearNanos() {
        return nearNanos;
    }

    /** A machine may have one speed only, which is neither of the two: then this says which probes are comparable. */
    void nearNanos(double nanos) {
        nearNanos = nanos;
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
        rounds.clear();
        return replacedRuns;
    }

    void add(Run run, String benchmark, int bytes, double micros, Tag tag) {
        figures.add(new Measured(run, new Figure(benchmark, bytes), micros, tag));
        probed |= tag.probed();
        rounds.clear();
    }

    /** The first number of a round that no session has had; start-ups have their own. */
    int nextRound(boolean startUps) {
        return 1 + runs.stream().filter(run -> run.startUp() == startUps).mapToInt(Run::round).max().orElse(-1);
    }

    /** Where there is no probe at all, all laps count as comparable, and the report says so. */
    boolean comparable(Tag tag) {
        return cores(tag) == Cores.NEAR || !probed;
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
                    its.stream().allMatch(run -> run.session().inTurn()),
                    dates.get(0), dates.get(dates.size() - 1), (int) its.stream().map(Run::round).distinct().count()));
        });
        return origins;
    }

    /** The median over the rounds of the medians of laps with near cores, or of all laps when there is none; NaN of nothing. */
    Median median(Figure figure, String system) {
        Pairs near = single(figure, system, 1);
        return near.ratios().length > 0
                ? new Median(Statistics.median(near.ratios()), true)
                : new Median(
                        Statistics.median(byRound(figure, system).values().stream().mapToDouble(Samples::median).toArray()),
                        !near.measured());
    }

    /** A figure itself, of each round with near cores, in units of so many microseconds. */
    Pairs single(Figure figure, String system, double unitMicros) {
        TreeMap<Integer, List<Measured>> all = byRound(figure, system);
        double[] near = all.values().stream()
                .map(this::comparable)
                .filter(laps -> !laps.isEmpty())
                .mapToDouble(laps -> median(laps) / unitMicros)
                .toArray();
        return new Pairs(near, !all.isEmpty());
    }

    /** Of each round the median of the ratios of two figures that were measured in the same lap, with near cores. */
    Pairs pairs(Figure figure, String system, Figure baseFigure, String base) {
        TreeMap<Integer, List<Measured>> ours = byRound(figure, system);
        TreeMap<Integer, List<Measured>> others = byRound(baseFigure, base);
        List<Integer> both = ours.keySet().stream().filter(others::containsKey).toList();
        double[] ratios = both.stream()
                .map(round -> ratios(comparable(ours.get(round)), comparable(others.get(round))))
                .filter(ofLaps -> ofLaps.length > 0)
                .mapToDouble(Statistics::median)
                .toArray();
        return new Pairs(ratios, !both.isEmpty());
    }

    private static double[] ratios(List<Measured> ours, List<Measured> others) {
        Map<Integer, Double> byLap = new HashMap<>();
        others.forEach(other -> byLap.put(other.tag().lap(), other.micros()));
        return ours.stream()
                .filter(our -> byLap.containsKey(our.tag().lap()))
                .mapToDouble(our -> our.micros() / byLap.get(our.tag().lap()))
                .toArray();
    }

    private List<Measured> comparable(List<Measured> laps) {
        return laps.stream().filter(lap -> comparable(lap.tag())).toList();
    }

    private static double median(List<Measured> laps) {
        return Statistics.median(laps.stream().mapToDouble(Measured::micros).toArray());
    }

    /** How many samples had their cores so. */
    long count(Cores cores, boolean startUps) {
        return figures.stream().filter(figure -> figure.run().startUp() == startUps && cores(figure.tag()) == cores).count();
    }

    /** All probes, ascending. */
    double[] probes() {
        return figures.stream()
                .flatMap(figure -> Stream.of(figure.tag().before(), figure.tag().after()))
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
            lines.add(String.join(
                    ",", "" + run.round(), run.part(), run.system(), "" + run.ranks(), figure.figure().benchmark(),
                    "" + figure.figure().bytes(), "" + figure.tag().lap(), "" + figure.micros(), figure.tag().before(), figure.tag().after(),
                    run.session().date(), run.session().build(), "" + run.session().sliceMillis(), "" + run.session().inTurn()));
        }
        Path next = Files.write(csv.resolveSibling(csv.getFileName() + ".new"), lines);
        Files.move(next, csv, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private TreeMap<Integer, List<Measured>> byRound(Figure figure, String system) {
        if (rounds.isEmpty()) {
            for (Measured each : figures) {
                rounds.computeIfAbsent(each.figure(), key -> new LinkedHashMap<>())
                        .computeIfAbsent(each.run().system(), name -> new TreeMap<>())
                        .computeIfAbsent(each.run().round(), round -> new ArrayList<>())
                        .add(each);
            }
        }
        return rounds.getOrDefault(figure, Map.of()).getOrDefault(system, new TreeMap<>());
    }
}
