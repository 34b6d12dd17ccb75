import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/*
 * Interleave: runs the whole-system benchmark of several systems in turn, round after round, so that a machine that
 * changes its speed changes it for all. Each run is tagged with the probe (programs/probe.c) before and after it.
 *
 *   java bench/Interleave.java [--np 2] [--rounds 10] [--systems a,b,…] [--out results.csv]
 *
 *   gridmpj-gridtcp, gridmpj-java   this project through ./mpjrun
 *   gridmpj-gridtcp-pipeline        GridTcp with Netty's thread between the caller and the connection
 *   raw-java                        polling SocketChannels (--np 2 only)
 *   openmpi, openmpi-tcp            the C library over shared memory or TCP
 *   mpich                           the C library
 *   mpjexpress                      threads in one JVM; needs MPJ_HOME with lib/starter.jar, and MPJ_JAVA if its java
 *                                   is another one
 *
 * A system that is not installed is left out with a line that says so. Results: a CSV line per figure, and at the end the
 * ratio of each system to the first one, as the median over the rounds with a bootstrap 95 % interval. Believe ratios only
 * of 30 rounds and more. BENCH_QUICK=1 makes each figure short and rough.
 */
public class Interleave {
    private static final int BOOTSTRAPS = 2000;
    private static final long LONGEST_RUN_SECONDS = 600;

    private final Path root = Path.of("").toAbsolutePath();
    private final Path work;
    private final Map<String, List<String>> systems = new LinkedHashMap<>();

    private Interleave(Path work) {
        this.work = work;
    }

    public static void main(String[] args) throws Exception {
        int np = Integer.parseInt(option(args, "--np", "2"));
        int rounds = Integer.parseInt(option(args, "--rounds", "10"));
        String wanted = option(
                args, "--systems", "gridmpj-gridtcp,gridmpj-java,raw-java,openmpi,openmpi-tcp,mpich,mpjexpress");
        Path out = Path.of(option(args, "--out", "results.csv"));
        Path work = Files.createTempDirectory("gridmpj-bench");
        Interleave interleave = new Interleave(work);
        for (String system : wanted.split(",")) {
            interleave.prepare(system, np);
        }
        interleave.run(rounds, np, out);
    }

    private static String option(String[] args, String name, String otherwise) {
        int at = Arrays.asList(args).indexOf(name);
        return at >= 0 && at + 1 < args.length ? args[at + 1] : otherwise;
    }

    /** Compiles what a system needs; it is left out when that fails. */
    private void prepare(String system, int np) throws IOException, InterruptedException {
        Path programs = root.resolve("bench/programs");
        String ranks = Integer.toString(np);
        List<String> command;
        boolean ready;
        switch (system) {
            case "gridmpj-gridtcp", "gridmpj-java" -> {
                command = List.of(
                        root.resolve("mpjrun").toString(), "-np", ranks,
                        "--transport", system.substring("gridmpj-".length()),
                        programs.resolve("WholeSystem.java").toString());
                ready = Files.isExecutable(root.resolve("mpjrun"));
            }
            case "gridmpj-gridtcp-pipeline" -> {
                command = List.of(
                        "env", "GRIDMPJ_TRANSPORT_OPTIONS=data=pipeline",
                        root.resolve("mpjrun").toString(), "-np", ranks, "--transport", "gridtcp",
                        programs.resolve("WholeSystem.java").toString());
                ready = Files.isExecutable(root.resolve("mpjrun"));
            }
            case "raw-java" -> {
                command = List.of(own("java"), "-cp", work.toString(), "RawSockets");
                ready = np == 2 && succeeds(own("javac"), "-d", work.toString(), programs.resolve("RawSockets.java").toString());
            }
            case "openmpi", "openmpi-tcp", "mpich" -> {
                String library = system.equals("mpich") ? "mpich" : "openmpi";
                String binary = work.resolve(library).toString();
                ready = succeeds("mpicc." + library, "-O2", programs.resolve("wholesystem.c").toString(), "-o", binary);
                command = switch (system) {
                    case "openmpi" -> List.of("mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-np", ranks, binary);
                    case "openmpi-tcp" -> List.of(
                            "mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,tcp",
                            "-np", ranks, binary);
                    default -> List.of("mpirun.mpich", "-np", ranks, binary);
                };
            }
            case "mpjexpress" -> {
                String home = System.getenv().getOrDefault("MPJ_HOME", "");
                String java = System.getenv().getOrDefault("MPJ_JAVA", own("java"));
                Path classes = Files.createDirectories(work.resolve("mpjexpress"));
                ready = !home.isEmpty()
                        && succeeds(
                                own("javac"), "-nowarn", "--release", "11", "-cp", home + "/lib/mpj.jar", "-d",
                                classes.toString(), programs.resolve("WholeSystem.java").toString());
                command = List.of(java, "-jar", home + "/lib/starter.jar", "-np", ranks, "-cp", classes.toString(), "WholeSystem");
            }
            default -> throw new IllegalArgumentException("unknown system " + system);
        }
        if (ready) {
            systems.put(system, command);
        } else {
            System.err.println(system + " is left out: not installed, or not for -np " + np);
        }
    }

    private static String own(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    private static boolean succeeds(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    private void run(int rounds, int np, Path out) throws IOException, InterruptedException {
        Path probe = work.resolve("probe");
        boolean probing = succeeds(
                "gcc", "-O2", "-pthread", root.resolve("bench/programs/probe.c").toString(), "-o", probe.toString());
        List<String> lines = new ArrayList<>();
        lines.add("round,system,np,benchmark,bytes,median,least,unit,probe_before_ns,probe_after_ns");
        // figure → system → median per round
        Map<String, Map<String, Map<Integer, Double>>> figures = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, List<String>> system : systems.entrySet()) {
                String before = probing ? output(List.of(probe.toString())).strip() : "";
                String printed = output(system.getValue());
                String after = probing ? output(List.of(probe.toString())).strip() : "";
                for (String line : printed.split("\n")) {
                    int at = line.indexOf("csv,");
                    if (at < 0) {
                        continue;
                    }
                    String[] field = line.substring(at).strip().split(",");
                    lines.add(String.join(
                            ",", "" + round, system.getKey(), "" + np, field[1], field[2], field[3], field[4], field[5], before, after));
                    figures.computeIfAbsent(field[1] + " " + field[2] + " B", key -> new LinkedHashMap<>())
                            .computeIfAbsent(system.getKey(), key -> new TreeMap<>())
                            .put(round, Double.valueOf(field[3]));
                }
                System.err.println("round " + (round + 1) + " of " + rounds + ": " + system.getKey() + ", probe " + before
                        + " → " + after + " ns");
                Files.write(out, lines);
            }
        }
        summarize(figures);
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread limit = Thread.ofVirtual().start(() -> {
            try {
                if (!process.waitFor(LONGEST_RUN_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        });
        String printed = new String(process.getInputStream().readAllBytes());
        int code = process.waitFor();
        limit.interrupt();
        if (code != 0) {
            System.err.println(command.getFirst() + " ended with code " + code);
        }
        return printed;
    }

    private void summarize(Map<String, Map<String, Map<Integer, Double>>> figures) {
        if (systems.isEmpty()) {
            return;
        }
        String first = systems.keySet().iterator().next();
        System.out.println("\nfigure, system, median us, ratio to " + first + " [95 % interval]");
        figures.forEach((figure, bySystem) -> bySystem.forEach((system, byRound) -> {
            Map<Integer, Double> base = bySystem.getOrDefault(first, Map.of());
            double[] ratios = byRound.keySet().stream()
                    .filter(base::containsKey)
                    .mapToDouble(round -> byRound.get(round) / base.get(round))
                    .toArray();
            double[] values = byRound.values().stream().mapToDouble(Double::doubleValue).toArray();
            double[] interval = interval(ratios);
            System.out.println(String.format(
                    Locale.ROOT, "%-22s %-16s %12.2f %8.3f [%.3f, %.3f]",
                    figure, system, median(values), median(ratios), interval[0], interval[1]));
        }));
    }

    private static double median(double[] values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The bootstrap interval of the median. */
    private static double[] interval(double[] ratios) {
        if (ratios.length == 0) {
            return new double[] {Double.NaN, Double.NaN};
        }
        Random random = new Random(2026);
        double[] medians = new double[BOOTSTRAPS];
        for (int i = 0; i < BOOTSTRAPS; i++) {
            double[] drawn = new double[ratios.length];
            Arrays.setAll(drawn, each -> ratios[random.nextInt(ratios.length)]);
            medians[i] = median(drawn);
        }
        Arrays.sort(medians);
        return new double[] {medians[BOOTSTRAPS * 25 / 1000], medians[BOOTSTRAPS * 975 / 1000 - 1]};
    }
}
