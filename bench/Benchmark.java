import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/*
 * Runs the whole-system programs of several systems round after round until the time is over. Of a round's part all systems' programs
 * are there at once, but only one runs: when all are warm, each in its turn takes one sample of a case, lap after lap (Job), so that a
 * machine that changes its speed changes it for all. Each lap is tagged with the probe (programs/probe.c) before and after it.
 * bench/run starts it and says how.
 */
public class Benchmark {
    private static final int START_UPS = 10;
    private static final double START_UP_SHARE = 0.2;
    private static final long LONGEST_START_UP_SECONDS = 90;
    private static final long FIRST_ROUND_NANOS = TimeUnit.MINUTES.toNanos(6);
    private static final int FAILURES_TO_LEAVE_OUT = 2;

    // What start-ups and a round take with full slices, for each system: a JVM has to be warm, with 16 ranks for a minute.
    private static final double MINUTES_OF_A_JVM = 3;
    private static final double MINUTES_OF_OTHERS = 0.5;
    private static final double SLICE_SECONDS = 0.1;
    private static final double SHORTEST_SLICE_SECONDS = 0.02;
    private static final double QUICK_SLICE_SECONDS = 0.01;

    /** With near cores, of each case in a round. */
    static final int LAPS = 9;

    /** With those of which the cores were not near. */
    static final int MOST_LAPS = 3 * LAPS;
    private static final int QUICK_LAPS = 2;

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
    private double sliceSeconds = SLICE_SECONDS;
    private Samples.Session session;
    private final boolean probing;
    private final Samples samples;

    private record Running(Samples.Run run, Job job) {}

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
        // Interrupted or not, it leaves no process behind, and no file of its own.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            endDescendants();
            delete(work);
            endDescendants();
        }));
        new Benchmark(work, options, samples).run();
    }

    /** Also those that the main thread, which goes on meanwhile, starts behind one that it sees end. */
    private static void endDescendants() {
        for (int times = 0; times < 20; times++) {
            List<ProcessHandle> processes = ProcessHandle.current().descendants().toList();
            processes.forEach(ProcessHandle::destroyForcibly);
            processes.forEach(process -> process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join());
            if (processes.isEmpty()) {
                return;
            }
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("bench/run: cannot remove " + folder + ": " + e.getMessage());
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
                LocalDate.now(ZoneOffset.UTC).toString(), Build.of(root), (int) Math.round(1e3 * sliceSeconds), true);
        Files.createDirectories(options.out());
        long begin = System.nanoTime();
        long nanos = (long) (options.minutes() * 60e9);
        if (parts.contains(START_UP)) {
            startUps(begin + (long) (nanos * START_UP_SHARE));
        }
        samples.write(csv);
        List<String> inRounds = PARTS.stream()
                .filter(part -> parts.contains(part) && !part.equals(START_UP))
                .toList();
        if (inRounds.isEmpty()) {
            report();
        }
        int first = samples.nextRound(false);
        int round = first;
        long roundNanos = 0;
        // A round that would not end in time is not begun; one is always made.
        while (!inRounds.isEmpty() && (round == first || System.nanoTime() - begin + roundNanos <= nanos)) {
            long roundBegin = System.nanoTime();
            long deadline = begin + Math.max(nanos, round > first ? 0 : FIRST_ROUND_NANOS);
            for (String part : inRounds) {
                // Only a machine in trouble comes here: rounds are not begun when they would not end in time.
                if (System.nanoTime() > deadline) {
                    note("round " + (round + 1) + ", " + part + ": no time was left");
                } else {
                    measure(round, part, deadline);
                }
                samples.write(csv);
            }
            roundNanos = System.nanoTime() - roundBegin;
            if (samples.count(Samples.Cores.NEAR, false) == 0 && samples.count(Samples.Cores.FAR, false) > 0) {
                System.err.printf(
                        Locale.ROOT, "no lap had near cores: if the probe is below another limit than %.0f ns always, name it by --near%n",
                        samples.nearNanos());
            }
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

    /** All systems that run a part: made warm one after the other, then measured in turn. */
    private void measure(int round, String part, long deadline) throws IOException, InterruptedException {
        List<Running> all = new ArrayList<>();
        try (Job.Shell shell = new Job.Shell()) {
            try {
                warm(round, part, shell, all);
                long begin = System.nanoTime();
                int laps = 0;
                while (all.stream().anyMatch(running -> !running.job().ended())) {
                    laps += laps(all, deadline);
                    for (Running running : all) {
                        running.job().nextCase();
                    }
                }
                System.err.printf("round %d, %s: %d laps in %.1f s%n", round + 1, part, laps, (System.nanoTime() - begin) / 1e9);
                for (Running running : all) {
                    if (!running.job().failure().isEmpty()) {
                        failed(running, "while it was measured");
                    }
                }
            } finally {
                // by the shell, too, as those that stand still go on first
                for (Running running : all) {
                    running.job().end();
                }
            }
        }
    }

    /** Starts them; those that come to their first sample are added. */
    private void warm(int round, String part, Job.Shell shell, List<Running> all) throws IOException, InterruptedException {
        int ranks = ranks(part);
        for (Competitor competitor : turned(round)) {
            List<String> command =
                    leftOut.contains(competitor.name() + " " + part) ? null : competitor.launch().command(part, ranks);
            if (command == null) {
                continue;
            }
            long begin = System.nanoTime();
            Job job = new Job(command, environment(competitor, part), work, shell);
            System.err.printf("round %d, %s, %s: warm after %.1f s%n", round + 1, part, competitor.name(), (System.nanoTime() - begin) / 1e9);
            Running running = new Running(new Samples.Run(round, competitor.name(), part, ranks, session), job);
            if (job.ended()) {
                failed(running, "before its first sample");
                job.end();
            } else {
                begin(running.run());
                all.add(running);
            }
        }
    }

    /** One case; returns how many laps. */
    private int laps(List<Running> all, long deadline) throws IOException, InterruptedException {
        int wanted = quick ? QUICK_LAPS : LAPS;
        int most = quick ? QUICK_LAPS : MOST_LAPS;
        int near = 0;
        int lap = 0;
        String before = probe();
        for (; near < wanted && lap < most && (lap < wanted || System.nanoTime() < deadline); lap++) {
            Map<Running, List<String[]>> figures = new LinkedHashMap<>();
            Set<List<String>> cases = new LinkedHashSet<>();
            for (Running running : all) {
                List<String[]> lines = running.job().sample();
                figures.put(running, lines);
                if (!lines.isEmpty()) {
                    cases.add(lines.stream().map(field -> field[1] + "," + field[2]).toList());
                }
            }
            if (cases.size() > 1) {
                throw new IllegalStateException("the programs are not at the same case: " + cases);
            }
            String after = probe();
            Samples.Tag tag = new Samples.Tag(lap, before, after);
            figures.forEach((running, lines) -> lines.forEach(
                    field -> samples.add(running.run(), field[1], Integer.parseInt(field[2]), Double.parseDouble(field[3]), tag)));
            near += samples.comparable(tag) ? 1 : 0;
            before = after;
            Collections.rotate(all, -1); // none is always the one behind the slowest
        }
        return lap;
    }

    private Map<String, String> environment(Competitor competitor, String part) {
        Map<String, String> environment = new HashMap<>(competitor.environment());
        environment.put("BENCH_PART", part);
        environment.put("BENCH_SECONDS", String.format(Locale.ROOT, "%.3f", sliceSeconds));
        return environment;
    }

    private void startUps(long deadline) throws IOException, InterruptedException {
        for (Competitor competitor : competitors) { // fills the caches
            for (int i = 0; i < (quick ? 1 : 2); i++) {
                startUp(-1, START_UP, competitor);
                startUp(-1, Competitor.HELLO_CHECKPOINT, competitor);
            }
        }
        int first = samples.nextRound(true);
        int last = first + (quick ? 1 : START_UPS);
        for (int round = first; round < last && (round == first || System.nanoTime() < deadline); round++) {
            for (Competitor competitor : turned(round)) {
                startUp(round, START_UP, competitor);
                startUp(round, Competitor.HELLO_CHECKPOINT, competitor);
            }
        }
    }

    private void startUp(int round, String part, Competitor competitor) throws IOException, InterruptedException {
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
            String how = outcome.ended() ? "ended with code " + outcome.code() : "took longer than " + LONGEST_START_UP_SECONDS + " s";
            failed(competitor.name(), part, how, outcome.errors());
        } else if (round >= 0) {
            Samples.Run run = new Samples.Run(round, competitor.name(), part, 4, session);
            begin(run);
            samples.add(run, checkpoint ? "startup-checkpoint" : "startup", 0, Math.rint(micros), new Samples.Tag(0, before, probe()));
        }
    }

    private void begin(Samples.Run run) {
        int replaced = samples.add(run);
        if (replaced > 0) {
            System.err.println(run.part() + ", " + run.system() + ": takes the place of " + replaced
                    + " runs of another build or with other slices");
        }
    }

    private void failed(Running running, String when) throws IOException {
        String how = running.job().failure();
        failed(running.run().system(), running.run().part(), (how.isEmpty() ? "ended" : how) + " " + when, running.job().said());
    }

    private void failed(String system, String part, String how, String said) {
        String key = system + " " + part;
        System.err.println(key + ": " + how + "\n" + tail(said));
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

    /** Of a hello. */
    private record Outcome(boolean ended, int code, String printed, String errors) {
        boolean good() {
            return ended && code == 0;
        }
    }

    private Outcome outcome(Competitor competitor, List<String> command, String part) throws IOException, InterruptedException {
        Path errors = work.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile()).redirectError(errors.toFile());
        builder.environment().putAll(environment(competitor, part));
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
        boolean ended = process.waitFor(LONGEST_START_UP_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            Job.end(process);
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
