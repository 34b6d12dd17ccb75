import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/*
 * Runs the whole-system programs of several systems in turn, round after round until the time is over, so that a machine
 * that changes its speed changes it for all. Each run is tagged with the probe (programs/probe.c) before and after it.
 * bench/run starts it and says how.
 */
public class Benchmark {
    private static final int START_UPS = 10;
    private static final double START_UP_SHARE = 0.2;
    private static final long LONGEST_RUN_SECONDS = 90;
    private static final long FIRST_ROUND_NANOS = TimeUnit.MINUTES.toNanos(6);
    private static final int FAILURES_TO_LEAVE_OUT = 2;
    private static final long LONGEST_WAIT_FOR_NEAR_NANOS = TimeUnit.SECONDS.toNanos(60);

    // What start-ups and a round take with full slices, for each system: a JVM has to be warm, with 16 ranks for half a minute.
    private static final double MINUTES_OF_A_JVM = 3;
    private static final double MINUTES_OF_OTHERS = 0.5;
    private static final double SLICE_SECONDS = 0.1;
    private static final double SHORTEST_SLICE_SECONDS = 0.02;
    private static final double QUICK_SLICE_SECONDS = 0.01;

    /** Of a run in a round, while the cores are not near. */
    static final int REPETITIONS = 2;

    private static final String START_UP = "hello";
    static final List<String> PARTS =
            List.of(START_UP, "pointtopoint", "collectives", "objects", "pairs", "scaling2", "scaling8", "scaling16");

    private final Path root = Path.of("").toAbsolutePath();
    private final Path work;
    private final Options options;
    private final boolean quick;
    private final List<Competitor> competitors = new ArrayList<>();
    private final List<String> notRun = new ArrayList<>();
    private final Set<String> leftOut = new LinkedHashSet<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private final Map<Turn, Long> lastNanos = new HashMap<>();
    private double sliceSeconds = SLICE_SECONDS;
    private Samples.Session session;
    private final boolean probing;
    private final Samples samples;

    /** What runs in its turn. */
    private record Turn(String part, Competitor competitor) {}

    private Benchmark(Path work, Options options, Samples samples) throws InterruptedException {
        this.work = work;
        this.options = options;
        this.samples = samples;
        quick = options.quick();
        probing = !options.onlyReport()
                && compiles(
                        "cc", "-O2", "-pthread", root.resolve("bench/programs/probe.c").toString(), "-o",
                        work.resolve("probe").toString());
        if (!probing && !options.onlyReport()) {
            note("the probe: no C compiler, or fewer than two cores; where the cores lie is not known, all runs are compared");
        }
    }

    public static void main(String[] args) throws Exception {
        Options options;
        Samples samples;
        try {
            options = Options.of(args, PARTS);
            samples = earlier(options, Build.machine());
            options.near().ifPresent(samples::nearNanos);
        } catch (IllegalArgumentException | IOException wrong) {
            System.err.println("bench/run: " + wrong.getMessage());
            System.exit(2);
            return;
        }
        Path work = Files.createTempDirectory("gridmpj-bench");
        // Interrupted, it leaves no process behind.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() ->
                        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
        try {
            new Benchmark(work, options, samples).run();
        } finally {
            try (Stream<Path> files = Files.walk(work)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** What earlier sessions have measured on this machine, if the session goes on with it. */
    static Samples earlier(Options options, String machine) throws IOException {
        Path beside = options.out().resolve(Samples.FILE);
        boolean given = !options.add().isEmpty();
        if (options.fresh() || options.quick() && !given && !options.onlyReport() || !given && !Files.exists(beside)) {
            return new Samples(machine);
        }
        Path file = given ? Path.of(options.add()) : beside;
        Samples samples = Samples.read(file);
        if (options.onlyReport() || samples.machine().equals(machine)) {
            return samples;
        }
        String other = file + " is of another machine: " + samples.machine();
        if (given) {
            throw new IOException(other);
        }
        System.err.println("bench/run: begun anew, " + other);
        return new Samples(machine);
    }

    private void run() throws IOException, InterruptedException {
        Path csv = options.out().resolve(Samples.FILE);
        note("Open MPI's Java bindings: " + Competitor.openMpiJava());
        note("mpiJava itself: not packaged");
        if (options.onlyReport()) {
            report();
            return;
        }
        for (String name : options.systems()) {
            Competitor competitor = Competitor.prepare(name, root, work);
            if (competitor.present()) {
                competitors.add(competitor);
            } else {
                note(name + ": absent, " + competitor.absent());
            }
        }
        List<String> parts = options.parts();
        // Every row gets its share: with less time all of them get shorter slices, instead of the last ones nothing.
        double needed = competitors.stream()
                        .mapToDouble(competitor -> competitor.virtualMachine() ? MINUTES_OF_A_JVM : MINUTES_OF_OTHERS)
                        .sum()
                * parts.size() / PARTS.size();
        if (quick) {
            sliceSeconds = QUICK_SLICE_SECONDS;
        } else if (options.minutes() < needed) {
            sliceSeconds = Math.max(SHORTEST_SLICE_SECONDS, SLICE_SECONDS * options.minutes() / needed);
            System.err.printf(Locale.ROOT, "slices of %.3f s: these systems need %.0f minutes for a round of them%n", sliceSeconds, needed);
        }
        session = new Samples.Session(
                LocalDate.now(ZoneOffset.UTC).toString(), Build.of(root), (int) Math.round(1e3 * sliceSeconds));
        Files.createDirectories(options.out());
        long begin = System.nanoTime();
        long nanos = (long) (options.minutes() * 60e9);
        if (parts.contains(START_UP)) {
            startUps(begin + (long) (nanos * START_UP_SHARE));
        }
        samples.write(csv);
        int first = samples.nextRound(false);
        int round = first;
        long roundNanos = 0;
        // A round that would not end in time is not begun; one is always made.
        while (round == first || System.nanoTime() - begin + roundNanos <= nanos) {
            long roundBegin = System.nanoTime();
            long deadline = begin + Math.max(nanos, round > first ? 0 : FIRST_ROUND_NANOS);
            List<Turn> notNear = new ArrayList<>();
            for (String part : PARTS) {
                if (part.equals(START_UP) || !parts.contains(part)) {
                    continue;
                }
                for (Competitor competitor : turned(round)) {
                    Turn turn = new Turn(part, competitor);
                    // Only a machine in trouble comes here: rounds are not begun when they would not end in time.
                    if (System.nanoTime() > deadline) {
                        note("round " + (round + 1) + ", " + part + ", " + competitor.name() + ": no time was left");
                    } else if (!measure(round, 0, turn)) {
                        notNear.add(turn);
                    }
                }
                samples.write(csv);
            }
            roundNanos = System.nanoTime() - roundBegin;
            if (samples.count(Samples.Cores.NEAR, false) == 0 && samples.count(Samples.Cores.FAR, false) > 0) {
                System.err.printf(
                        Locale.ROOT, "no run had near cores: if the probe is below another limit than %.0f ns always, name it by --near%n",
                        samples.nearNanos());
            }
            repeat(round, notNear, deadline);
            samples.write(csv);
            round++;
            report();
            System.err.printf("round %d took %.0f s, %.0f s of %.0f s are over%n",
                    round, roundNanos / 1e9, (System.nanoTime() - begin) / 1e9, nanos / 1e9);
        }
        System.err.println("Written: " + options.report() + ", " + csv);
    }

    private void report() throws IOException {
        new Report(samples, notRun, quick, options.out(), options.report()).write();
    }

    private static int ranks(String part) {
        return part.startsWith("scaling")
                ? Integer.parseInt(part.substring("scaling".length()))
                : part.equals("collectives") || part.equals("pairs") ? 4 : 2;
    }

    /** Another system begins each round: none is always the one after the slowest. */
    private List<Competitor> turned(int round) {
        List<Competitor> turned = new ArrayList<>(competitors);
        if (!turned.isEmpty()) {
            Collections.rotate(turned, -(round % turned.size()));
        }
        return turned;
    }

    /** The cores stay far for minutes: behind the round they may be near again. */
    private void repeat(int round, List<Turn> turns, long deadline) throws IOException, InterruptedException {
        List<Turn> notNear = turns;
        for (int attempt = 1; attempt <= REPETITIONS; attempt++) {
            List<Turn> still = new ArrayList<>();
            for (Turn turn : notNear) {
                long latest = deadline - lastNanos.getOrDefault(turn, 0L);
                if (System.nanoTime() > latest) {
                    continue; // a shorter one may still end in time
                }
                if (!awaitNear(Math.min(latest, System.nanoTime() + LONGEST_WAIT_FOR_NEAR_NANOS))) {
                    return;
                }
                if (!measure(round, attempt, turn)) {
                    still.add(turn);
                }
            }
            notNear = still;
        }
    }

    private boolean awaitNear(long deadline) throws IOException, InterruptedException {
        while (System.nanoTime() < deadline) {
            if (samples.near(probe())) {
                return true;
            }
            TimeUnit.SECONDS.sleep(1);
        }
        return false;
    }

    /** Returns false after a run that is to be repeated. */
    private boolean measure(int round, int attempt, Turn turn) throws IOException, InterruptedException {
        String part = turn.part();
        Competitor competitor = turn.competitor();
        int ranks = ranks(part);
        List<String> command = leftOut.contains(competitor.name() + " " + part) ? null : competitor.launch().command(part, ranks);
        if (command == null) {
            return true;
        }
        String before = probe();
        long begin = System.nanoTime();
        Outcome outcome = outcome(competitor, command, part);
        lastNanos.put(turn, System.nanoTime() - begin);
        Samples.Run run = new Samples.Run(round, competitor.name(), part, ranks, attempt, before, probe(), session);
        System.err.printf("round %d%s, %s, %s: %.1f s, probe %s and %s ns%n",
                round + 1, attempt > 0 ? ", once more" : "", part, competitor.name(), lastNanos.get(turn) / 1e9, before, run.after());
        List<String[]> figures = outcome.printed()
                .lines()
                .filter(line -> line.contains("csv,"))
                .map(line -> line.substring(line.indexOf("csv,")).strip().split(","))
                .toList();
        if (!figures.isEmpty()) {
            begin(run);
            figures.forEach(field -> samples.add(run, field[1], Integer.parseInt(field[2]), field[3]));
        }
        if (!outcome.good() || figures.isEmpty()) {
            failed(competitor, part, outcome);
            return true;
        }
        return samples.comparable(run);
    }

    private void startUps(long deadline) throws IOException, InterruptedException {
        for (Competitor competitor : competitors) { // fills the caches
            for (int i = 0; i < (quick ? 1 : 2); i++) {
                startUp(-1, new Turn(START_UP, competitor));
                startUp(-1, new Turn(Competitor.HELLO_CHECKPOINT, competitor));
            }
        }
        int first = samples.nextRound(true);
        int last = first + (quick ? 1 : START_UPS);
        for (int round = first; round < last && (round == first || System.nanoTime() < deadline); round++) {
            for (Competitor competitor : turned(round)) {
                startUp(round, new Turn(START_UP, competitor));
                startUp(round, new Turn(Competitor.HELLO_CHECKPOINT, competitor));
            }
        }
    }

    private void startUp(int round, Turn turn) throws IOException, InterruptedException {
        Competitor competitor = turn.competitor();
        String part = turn.part();
        boolean checkpoint = part.equals(Competitor.HELLO_CHECKPOINT);
        List<String> command = leftOut.contains(competitor.name() + " " + part)
                        || competitor.name().startsWith("raw")
                        || checkpoint && !competitor.name().startsWith("gridmpj")
                ? null
                : competitor.launch().command(part, 4);
        if (command == null) {
            return;
        }
        String before = round < 0 ? "" : probe();
        long begin = System.nanoTime();
        Outcome outcome = outcome(competitor, command, part);
        double micros = (System.nanoTime() - begin) / 1e3;
        System.err.printf(
                "start-up %s, %s, %s: %.2f s%n", round < 0 ? "to warm up" : round + 1, part, competitor.name(), micros / 1e6);
        if (!outcome.good() || outcome.printed().split("hello from").length != 5) {
            failed(competitor, part, outcome);
        } else if (round >= 0) {
            Samples.Run run = new Samples.Run(round, competitor.name(), part, 4, 0, before, probe(), session);
            begin(run);
            samples.add(run, checkpoint ? "startup-checkpoint" : "startup", 0, String.format(Locale.ROOT, "%.0f", micros));
        }
    }

    private void begin(Samples.Run run) {
        int replaced = samples.add(run);
        if (replaced > 0) {
            System.err.println(run.part() + ", " + run.system() + ": takes the place of " + replaced
                    + " runs of another build or with other slices");
        }
    }

    private void failed(Competitor competitor, String part, Outcome outcome) {
        String key = competitor.name() + " " + part;
        String how = outcome.ended() ? "ended with code " + outcome.code() : "took longer than " + LONGEST_RUN_SECONDS + " s";
        System.err.println(key + ": " + how + "\n" + tail(outcome.errors()));
        if (failures.merge(key, 1, Integer::sum) == FAILURES_TO_LEAVE_OUT) {
            leftOut.add(key);
            note(key + ": left out after it failed twice; the last time it " + how);
        }
    }

    private void note(String line) {
        System.err.println(line);
        notRun.add(line);
    }

    private static String tail(String text) {
        return text.length() > 1500 ? text.substring(text.length() - 1500) : text;
    }

    private record Outcome(boolean ended, int code, String printed, String errors) {
        boolean good() {
            return ended && code == 0;
        }
    }

    private Outcome outcome(Competitor competitor, List<String> command, String part) throws IOException, InterruptedException {
        Path errors = work.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile()).redirectError(errors.toFile());
        builder.environment().putAll(competitor.environment());
        builder.environment().put("BENCH_PART", part);
        builder.environment().put("BENCH_SECONDS", String.format(Locale.ROOT, "%.3f", sliceSeconds));
        builder.environment().put("BENCH_SAMPLES", quick ? "3" : "5");
        Process process = builder.start();
        process.getOutputStream().close();
        StringBuilder printed = new StringBuilder();
        Thread reader = Thread.ofPlatform().daemon().start(() -> {
            try (InputStream stream = process.getInputStream()) {
                String text = new String(stream.readAllBytes());
                synchronized (printed) {
                    printed.append(text);
                }
            } catch (IOException closed) {
                // nothing more is read from a process that was ended
            }
        });
        boolean ended = process.waitFor(LONGEST_RUN_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            List<ProcessHandle> all = process.descendants().toList();
            process.destroy(); // a launcher ends its ranks in good order
            process.waitFor(3, TimeUnit.SECONDS);
            all.forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        reader.join(TimeUnit.SECONDS.toMillis(5));
        synchronized (printed) {
            return new Outcome(ended, process.exitValue(), printed.toString(), Files.readString(errors));
        }
    }

    private String probe() throws IOException, InterruptedException {
        if (!probing) {
            return "";
        }
        Process process = new ProcessBuilder(work.resolve("probe").toString()).start();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return "";
        }
        return new String(process.getInputStream().readAllBytes()).strip();
    }

    private static boolean compiles(String... command) throws InterruptedException {
        try {
            return Runtime.getRuntime().availableProcessors() > 1
                    && new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}
