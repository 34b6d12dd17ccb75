import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Tests that sessions add up and that no rows get lost: of fixed samples, without measuring. bench/run --self-test runs it. */
public class ReportTest {
    private static final Samples.Session MONDAY = new Samples.Session("2026-11-23", "b1", 100, true);
    private static final Samples.Session TUESDAY = new Samples.Session("2026-11-24", "b1", 100, true);
    private static final Samples.Session NEW_BUILD = new Samples.Session("2026-11-25", "b2", 100, true);
    private static final Samples.Session ONE_AFTER_THE_OTHER = new Samples.Session("2026-11-25", "b1", 100, false);
    private static final Samples.Session SHORT_SLICES = new Samples.Session("2026-11-25", "b1", 20, true);
    private static final Samples.Tag NEAR = new Samples.Tag(0, "50", "51");
    private static final Samples.Figure ONE_BYTE = new Samples.Figure("pingpong", 1);
    private static final Samples.Figure BARRIER = new Samples.Figure("barrier", 0);
    private static final String MACHINE = "a machine, 2 processors";

    private static Path folder;
    private static int checks;

    public static void main(String[] args) throws IOException {
        folder = Files.createTempDirectory("gridmpj-report");
        try {
            roundsOfSessionsAddUp();
            anotherBuildTakesThePlaceOfItsPartOnly();
            sessionsAreNotPaired();
            otherSlicesAreAnotherBuild();
            lapsAreCompared();
            startUpsHaveRoundsOfTheirOwn();
            aMachineMayHaveOneSpeedOnly();
            otherMachinesHaveTheirReports();
            anotherMachineBeginsAnew();
            filesOfAnotherFormAreRefused();
            rowsByHandComeFromTheirFile();
            theSlowConnectionHasATable();
            survivingHasItsRows();
            theFirstLinesSayWhatTheTablesSay();
            System.out.println(checks + " checks passed");
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void roundsOfSessionsAddUp() throws IOException {
        Samples samples = session(new Samples(MACHINE), MONDAY, "gridmpj-shm", "openmpi", "raw-c");
        samples = session(reread(samples), TUESDAY, "gridmpj-shm", "openmpi", "raw-c");
        equal(2, samples.pairs(ONE_BYTE, "gridmpj-shm", ONE_BYTE, "openmpi").ratios().length, "pairs");
        equal(2, samples.nextRound(false), "next round");
        String report = report(samples);
        holds(report, "2 rounds, 2026-11-23 to 2026-11-24, build b1.");
        holds(report, "Rounds with near cores behind a ratio: 2.");
        holds(report, "* Machine: " + MACHINE + "\n");
        for (int i = 0; i < 28; i++) {
            samples = session(samples, TUESDAY, "gridmpj-shm", "openmpi", "raw-c");
        }
        equal(30, samples.pairs(ONE_BYTE, "gridmpj-shm", ONE_BYTE, "raw-c").ratios().length, "pairs");
        holds(report(samples), "30 rounds, 2026-11-23 to 2026-11-24, build b1.");
    }

    private static void anotherBuildTakesThePlaceOfItsPartOnly() throws IOException {
        Samples samples = session(new Samples(MACHINE), MONDAY, "gridmpj-shm", "openmpi", "raw-c");
        String before = report(samples);
        int round = samples.nextRound(false);
        Samples.Run run = run(round, "gridmpj-shm", "pointtopoint", NEW_BUILD);
        equal(1, samples.add(run), "runs replaced");
        samples.add(run, "pingpong", 1, 7, NEAR);
        equal(0, samples.add(run(round, "gridmpj-tls", "pointtopoint", NEW_BUILD)), "runs replaced");
        samples = reread(samples);
        equal(7.0, samples.median(ONE_BYTE, "gridmpj-shm").micros(), "the new figure");
        equal(2.0, samples.median(ONE_BYTE, "openmpi").micros(), "a system that was not measured again");
        equal(1.0, samples.median(BARRIER, "gridmpj-shm").micros(), "a part that was not measured again");
        String after = report(samples);
        // Whole sections of the other parts, with their tables of ratios, are as they were.
        equal(section(before, "## Collectives"), section(after, "## Collectives"), "section");
        holds(section(after, "## Collectives"), "1 round, 2026-11-23, build b1.");
        String pingPong = section(after, "## Ping-pong");
        holds(pingPong, "gridmpj-shm: 1 round, 2026-11-25, build b2");
        holds(pingPong, "openmpi, raw-c: 1 round, 2026-11-23, build b1");
        holds(pingPong, "| raw-c | 2.00 |");
    }

    private static void sessionsAreNotPaired() throws IOException {
        Samples samples = session(new Samples(MACHINE), MONDAY, "openmpi");
        samples = session(reread(samples), TUESDAY, "gridmpj-shm");
        Samples.Pairs pairs = samples.pairs(ONE_BYTE, "gridmpj-shm", ONE_BYTE, "openmpi");
        equal(0, pairs.ratios().length, "pairs");
        equal(false, pairs.measured(), "measured together");
        equal(Set.of("openmpi", "gridmpj-shm"), samples.systems(), "systems");
    }

    private static void otherSlicesAreAnotherBuild() throws IOException {
        Samples samples = session(new Samples(MACHINE), ONE_AFTER_THE_OTHER, "gridmpj-shm");
        holds(report(samples), "build b1, one system's program after the other's");
        equal(1, samples.add(run(1, "gridmpj-shm", "pointtopoint", MONDAY)), "runs replaced, not in turn");
        equal(1, samples.add(run(1, "gridmpj-shm", "pointtopoint", SHORT_SLICES)), "runs replaced, longer slices");
    }

    private static void lapsAreCompared() throws IOException {
        Samples samples = new Samples(MACHINE);
        Samples.Run shm = run(0, "gridmpj-shm", "pointtopoint", MONDAY);
        Samples.Run openMpi = run(0, "openmpi", "pointtopoint", MONDAY);
        samples.add(shm);
        samples.add(openMpi);
        // From the second lap on the machine is another one, in the fourth its cores are far; the ratio of the medians would be 0.6.
        double[] ours = {3, 6, 7, 90};
        double[] others = {6, 12, 14, 30};
        for (int lap = 0; lap < ours.length; lap++) {
            Samples.Tag tag = new Samples.Tag(lap, lap == 3 ? "240" : "50", "50");
            samples.add(shm, "pingpong", 1, ours[lap], tag);
            if (lap != 1) {
                samples.add(openMpi, "pingpong", 1, others[lap], tag);
            }
        }
        Samples read = reread(samples);
        equal(0.5, read.pairs(ONE_BYTE, "gridmpj-shm", ONE_BYTE, "openmpi").ratios()[0], "ratio of laps");
        equal(6.0, read.median(ONE_BYTE, "gridmpj-shm").micros(), "median of near laps");
        equal(true, read.median(ONE_BYTE, "gridmpj-shm").near(), "near");
        equal(5L, read.count(Samples.Cores.NEAR, false), "near samples");
        equal(2L, read.count(Samples.Cores.CHANGED, false), "changed meanwhile");
    }

    private static void startUpsHaveRoundsOfTheirOwn() {
        Samples samples = session(new Samples(MACHINE), MONDAY, "gridmpj-shm");
        samples.add(run(9, "gridmpj-shm", "hello", MONDAY));
        equal(10, samples.nextRound(true), "next start-up");
        equal(1, samples.nextRound(false), "next round");
    }

    private static void aMachineMayHaveOneSpeedOnly() throws IOException {
        Samples samples = new Samples(MACHINE);
        for (String system : List.of("gridmpj-shm", "openmpi")) {
            Samples.Run run = run(0, system, "pointtopoint", MONDAY);
            Samples.Tag tag = new Samples.Tag(0, "118", "165");
            samples.add(run);
            samples.add(run, "pingpong", 1, 1, tag);
            equal(false, samples.comparable(tag), "comparable with the limit of two speeds");
        }
        equal(0, samples.pairs(ONE_BYTE, "gridmpj-shm", ONE_BYTE, "openmpi").ratios().length, "pairs");
        String[] near = {"--near", "240"};
        samples.nearNanos(Options.of(near, Benchmark.PARTS).near().orElseThrow());
        Samples read = reread(samples);
        equal(1, read.pairs(ONE_BYTE, "gridmpj-shm", ONE_BYTE, "openmpi").ratios().length, "pairs");
        holds(report(read), "probe below 240 ns before and after");
        equal(false, Options.of(new String[0], Benchmark.PARTS).near().isPresent(), "a limit that was not given");
    }

    private static void otherMachinesHaveTheirReports() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        session(new Samples("another machine"), MONDAY, "openmpi").write(other.resolve(Samples.FILE));
        Samples samples = session(new Samples(MACHINE), MONDAY, "gridmpj-shm");
        lacks(report(samples), "another machine"); // it has no report
        Files.writeString(other.resolve("PERFORMANCE.md"), "");
        holds(report(samples), "* Measured on another machine: [another machine](other/PERFORMANCE.md)\n");
        Files.delete(other.resolve("PERFORMANCE.md"));
        Files.delete(other.resolve(Samples.FILE));
        Files.delete(other);
    }

    private static void anotherMachineBeginsAnew() throws IOException {
        Path beside = folder.resolve(Samples.FILE);
        session(new Samples(MACHINE), MONDAY, "openmpi").write(beside);
        List<String> parts = Benchmark.PARTS;
        String[] out = {"--out", folder.toString()};
        equal(Set.of("openmpi"), Benchmark.earlier(Options.of(out, parts), MACHINE).systems(), "the same machine");
        equal(Set.of(), Benchmark.earlier(Options.of(out, parts), "another").systems(), "another machine");
        String[] fresh = {"--fresh", "--out", folder.toString()};
        equal(Set.of(), Benchmark.earlier(Options.of(fresh, parts), MACHINE).systems(), "fresh");
        String[] quick = {"--quick", "--out", folder.toString()};
        equal(Set.of(), Benchmark.earlier(Options.of(quick, parts), MACHINE).systems(), "quick");
        String[] add = {"--add", beside.toString()};
        equal(Set.of("openmpi"), Benchmark.earlier(Options.of(add, parts), MACHINE).systems(), "added");
        refused(() -> Benchmark.earlier(Options.of(add, parts), "another"), "of another machine");
        String[] both = {"--add", beside.toString(), "--fresh"};
        refused(() -> Options.of(both, parts), "contradict");
    }

    private static void filesOfAnotherFormAreRefused() throws IOException {
        Path csv = Files.writeString(folder.resolve("old.csv"), "round,system,np\n0,openmpi,4\n");
        refused(() -> Samples.read(csv), "does not begin with");
        Path torn = folder.resolve("torn.csv");
        session(new Samples(MACHINE), MONDAY, "openmpi").write(torn);
        Files.writeString(torn, Files.readString(torn).strip().replaceFirst(",true$", ""));
        refused(() -> Samples.read(torn), "13 fields, not 14");
    }

    private static void rowsByHandComeFromTheirFile() throws IOException {
        Path csv = Files.writeString(
                folder.resolve(ByHand.FILE),
                "row,target,measured,verdict,date,command,section\n"
                        + "stall,≤ 40 ms,\"21, or \"\"so\"\"\",missed,2026-11-23,`dev/hosts stall`,what\n");
        String row = "| stall | ≤ 40 ms | 21, or \"so\" | [missed](performance/causes.md#what) | 2026-11-23 | `dev/hosts stall` |";
        holds(report(session(new Samples(MACHINE), MONDAY, "gridmpj-shm")), row);
        Files.writeString(csv, "row,target\n");
        refused(() -> ByHand.rows(csv), "line 1");
        Files.delete(csv);
        equal(List.of(), ByHand.rows(csv), "rows of no file");
    }

    private static void theSlowConnectionHasATable() throws IOException {
        String head = "date,build,rate,round,system,bytes,sample,percent,probe_before_ns,probe_after_ns\n";
        StringBuilder text = new StringBuilder(head);
        for (String sample : List.of("1,gridmpj,262144,0,80.0", "1,gridmpj,262144,1,82.0", "2,gridmpj,262144,0,91.0", "2,openmpi,1048576,0,7.0")) {
            text.append("2026-11-24,abc,1gbit,").append(sample).append(",50,60\n");
        }
        Path csv = Files.writeString(folder.resolve(SlowOverlap.FILE), text);
        Samples samples = session(new Samples(MACHINE), MONDAY, "gridmpj-shm");
        Samples.Run run = run(0, "gridmpj-shm", "pointtopoint", MONDAY);
        samples.add(run, "overlap", 1 << 20, 1, NEAR);
        String table = section(report(samples), "## Overlap");
        holds(table, "2 rounds, 2026-11-24, build abc, 1gbit; probe 50 to 60 ns");
        holds(table, "| gridmpj | 86 | – |");
        holds(table, "| openmpi | – | 7 |");
        Files.writeString(csv, "date\n");
        refused(() -> SlowOverlap.lines(csv), "does not begin with");
        Files.delete(csv);
        equal(List.of(), SlowOverlap.lines(csv), "rows of no file");
    }

    private static void survivingHasItsRows() throws IOException {
        StringBuilder text = new StringBuilder("date,build,machine,round,row,mode,millis,probe_before_ns,probe_after_ns\n");
        for (int round = 1; round <= 6; round++) {
            String of = "2026-11-24," + (round == 1 ? "old," : "new,") + "one machine," + round + ",";
            double plain = 100 + round;
            // the first round is of another build and does not count, the second's jobs ran on unlike cores
            double agent = plain * (round <= 2 ? 3 : 1.01);
            text.append(of + "instrumentation sor,plain," + plain + ";" + plain + ",50,50\n");
            text.append(of + "instrumentation sor,agent," + 1.5 * plain + ";" + agent + (round == 2 ? ",270,270\n" : ",50,50\n"));
            text.append(of + "logs sor,restart,100;100;100,50,50\n");
            text.append(of + "logs sor,local,90;110;110,50,50\n");
            text.append(of + "stalls stall,snapshot,41;" + (20 + round) + ";" + (20 + round) + ",50,50\n");
            text.append(of + "crashes,kill," + (round == 6 ? 1600 : 700) + ",,\n");
        }
        text.append("2026-11-24,new,another,7,crashes,kill,900,,\n");
        Path csv = Files.writeString(folder.resolve(Faults.FILE), text);
        String report = report(session(new Samples(MACHINE), MONDAY, "gridmpj-shm"));
        holds(report, "second half of a job | ≤ 2 % | 1.010 [1.010, 3.000]: sor 1.01 (5 pairs, 4 of them on like cores) | reached, unsure | 2026-11-24, new, one machine |");
        holds(report, "first run: with what it takes to load, to instrument and to compile | – | 1.500 [1.500, 1.500]: sor 1.50 (5 pairs");
        holds(report, "by `--ft restart`, second half of a job | ≤ 4 % | 1.100 [1.100, 1.100]: sor 1.10 (5 pairs, 5 of them on like cores) | missed | 2026-11-24, new, one machine |");
        holds(report, "longest gap of the program | ≤ 40 ms | 41 to 41 ms, median 41 (5) | missed, 5 of 5 above |");
        holds(report, "| later ones | ≤ 40 ms | 22 to 26 ms, median 24 (10) | reached |");
        holds(report, "Life 512 × 512 | ≤ 1500 ms | 700 to 1600 ms, median 700 (5) | reached by the median, 1 of 5 above |");
        holds(report, "| 900 to 900 ms, median 900 (1) | reached | 2026-11-24, new, another |");
        lacks(report, "live move of a rank of 10 MB on one host");
        Files.writeString(csv, "date\n");
        refused(() -> Faults.rows(csv), "does not begin with");
        Files.delete(csv);
        equal(List.of(), Faults.rows(csv), "rows of no file");
    }

    /** A round of two parts; GridMPJ takes 1 µs for everything, the others 2. */
    private static Samples session(Samples samples, Samples.Session session, String... systems) {
        int round = samples.nextRound(false);
        for (String system : systems) {
            double micros = system.startsWith("gridmpj") ? 1 : 2;
            for (String part : List.of("pointtopoint", "collectives")) {
                Samples.Run run = run(round, system, part, session);
                samples.add(run);
                samples.add(run, part.equals("pointtopoint") ? "pingpong" : "barrier", part.equals("pointtopoint") ? 1 : 0, micros, NEAR);
            }
        }
        return samples;
    }

    private static Samples.Run run(int round, String system, String part, Samples.Session session) {
        return new Samples.Run(round, system, part, 2, session);
    }

    private static void theFirstLinesSayWhatTheTablesSay() throws IOException {
        String few = report(session(new Samples(MACHINE), MONDAY, "gridmpj-shm", "openmpi"));
        String head = few.substring(0, few.indexOf("Generated by"));
        holds(head, "* By shared memory, gridmpj-shm: 1 B in 1.00 µs (0.50 × openmpi).");
        holds(head, "* Targets that `bench/run` measures: reached ");
        lacks(few, "BBR");
        lacks(few, "time slices");
        lacks(head, "By TCP");
        String all = report(session(new Samples(MACHINE), MONDAY, "gridmpj-gridtcp", "raw-c", "mpich"));
        holds(section(all, "## Ping-pong"), "BBR");
        holds(section(all, "## Collectives"), "time slices");
    }

    private static Samples reread(Samples samples) throws IOException {
        Path csv = folder.resolve("reread.csv");
        samples.write(csv);
        Samples read = Samples.read(csv);
        read.write(folder.resolve("again.csv"));
        equal(Files.readString(csv), Files.readString(folder.resolve("again.csv")), "what is written again");
        return read;
    }

    private static String report(Samples samples) throws IOException {
        Path file = folder.resolve("PERFORMANCE.md");
        new Report(samples, List.of(), false, folder, file).write();
        return Files.readString(file);
    }

    private static String section(String report, String head) {
        int begin = report.indexOf(head);
        return report.substring(begin, report.indexOf("\n## ", begin));
    }

    private interface Action {
        void run() throws IOException;
    }

    private static void refused(Action action, String word) {
        try {
            action.run();
        } catch (IOException | IllegalArgumentException expected) {
            holds(expected.getMessage(), word);
            return;
        }
        throw new AssertionError("not refused: " + word);
    }

    private static void holds(String text, String wanted) {
        checks++;
        if (!text.contains(wanted)) {
            throw new AssertionError("no \"" + wanted + "\" in\n" + text);
        }
    }

    private static void lacks(String text, String unwanted) {
        checks++;
        if (text.contains(unwanted)) {
            throw new AssertionError("\"" + unwanted + "\" in\n" + text);
        }
    }

    private static void equal(Object wanted, Object got, String what) {
        checks++;
        if (!wanted.equals(got)) {
            throw new AssertionError(what + ": " + got + ", not " + wanted);
        }
    }
}
