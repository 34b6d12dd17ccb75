import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A system that takes part: how it is prepared, and the command that runs the whole-system program on so many ranks.
 *
 * @param name as in --systems
 * @param absent why it cannot take part; empty when it can
 */
record Competitor(String name, String absent, Launch launch, Map<String, String> environment) {
    static final List<String> ALL = List.of(
            "gridmpj-shm", "gridmpj-checkpoint", "gridmpj-gridtcp", "gridmpj-java", "raw-ring", "raw-c", "raw-c-reno", "raw-java", "openmpi", "openmpi-tcp",
            "mpich", "mpich-tcp", "mpjexpress-multicore", "mpjexpress-niodev");

    /** Known to --systems, but not in a round by default: GridMPJ by paths that are asked for by an option, or by another machine. */
    static final List<String> FURTHER = List.of("gridmpj-tls", "gridmpj-pipeline", "gridmpj-nio");

    /** By --link tcp, whose own way is Netty's epoll. */
    private static final Map<String, String> TRANSPORT_OPTIONS =
            Map.of("gridmpj-tls", "tls=on", "gridmpj-pipeline", "data=pipeline", "gridmpj-nio", "data=nio");

    /** A hello of a job that takes snapshots, but ends before the first: GridMPJ only. */
    static final String HELLO_CHECKPOINT = "hello-checkpoint";

    private static final String OPEN_MPI_LIBRARIES = "path:libdir:";

    /** The command for a number of ranks; null when this system does not run a part. */
    interface Launch {
        List<String> command(String part, int ranks) throws IOException;
    }

    /** What the report says a system is, also one that an earlier session has measured. */
    static String what(String name) {
        return switch (name) {
            case "raw-java" -> "two processes that poll Java SocketChannels; no header, no matching";
            case "raw-ring" -> "two C processes with a ring in shared memory each way; no header, no matching";
            case "raw-c" -> "two C processes that poll TCP sockets; no header, no matching";
            case "raw-c-reno" -> "the same by the congestion control that gridmpj-gridtcp takes within a host";
            case "openmpi" -> "Open MPI's C library over shared memory";
            case "openmpi-tcp" -> "Open MPI's C library over TCP";
            case "mpich" -> "MPICH's C library over shared memory";
            case "mpich-tcp" -> "MPICH's C library over TCP (UCX), between two ranks";
            case "mpjexpress-multicore" -> "MPJ Express, threads in one JVM";
            case "mpjexpress-niodev" -> "MPJ Express, niodev, a process for each rank over TCP";
            default -> "GridMPJ, " + String.join(" ", gridMpjOptions(name))
                    + (TRANSPORT_OPTIONS.containsKey(name) ? ", GRIDMPJ_TRANSPORT_OPTIONS=" + TRANSPORT_OPTIONS.get(name) : "")
                    + switch (name) {
                        case "gridmpj-checkpoint" -> ": snapshots may be taken, and none is; messages and collectives only";
                        case "gridmpj-tls" -> ": encrypted, as between hosts that are asked to";
                        case "gridmpj-pipeline" -> ": Netty's own thread and pipeline between";
                        case "gridmpj-nio" -> ": java.nio's channels, as on systems without epoll";
                        default -> "";
                    };
        };
    }

    private static List<String> gridMpjOptions(String name) {
        return switch (name) {
            case "gridmpj-shm" -> List.of("--transport", "gridtcp");
            case "gridmpj-java" -> List.of("--transport", "java");
            case "gridmpj-checkpoint" -> List.of("--transport", "gridtcp", "--checkpoint", "1h");
            default -> List.of("--transport", "gridtcp", "--link", "tcp");
        };
    }

    /** Detects and compiles; what fails makes it absent. */
    static Competitor prepare(String name, Path root, Path work) throws IOException, InterruptedException {
        Path programs = root.resolve("bench/programs");
        return switch (name) {
            case "gridmpj-shm", "gridmpj-gridtcp", "gridmpj-java", "gridmpj-checkpoint", "gridmpj-tls", "gridmpj-pipeline",
                    "gridmpj-nio" -> gridMpj(name, root, work);
            case "raw-java" -> {
                String failure = failure(
                        own("javac"), "-d", work.toString(), programs.resolve("RawSockets.java").toString());
                yield new Competitor(name, failure, raw(own("java"), "-cp", work.toString(), "RawSockets"), Map.of());
            }
            case "raw-ring" -> rawC(name, programs, work, "ring");
            case "raw-c" -> rawC(name, programs, work, "tcp");
            case "raw-c-reno" -> rawC(name, programs, work, "tcp", "reno");
            case "openmpi" -> openMpi(name, programs, work, "self," + (openMpiKnows("vader") ? "vader" : "sm"));
            case "openmpi-tcp" -> openMpi(name, programs, work, "self,tcp");
            case "mpich" -> mpich(name, programs, work, Integer.MAX_VALUE, Map.of());
            // with more ranks than processors, which all poll, an operation takes 16 ms to 0.5 s
            case "mpich-tcp" -> mpich(name, programs, work, 2, Map.of("MPIR_CVAR_NOLOCAL", "1", "UCX_TLS", "tcp,self"));
            case "mpjexpress-multicore", "mpjexpress-niodev" -> mpjExpress(name, programs, work);
            default -> throw new IllegalArgumentException("unknown system " + name + "; known are " + ALL);
        };
    }

    /** A virtual machine for each rank, or one for all, with long warm-ups in each part. */
    boolean virtualMachine() {
        return name.startsWith("gridmpj") || name.startsWith("mpjexpress");
    }

    boolean present() {
        return absent.isEmpty();
    }

    private static Competitor gridMpj(String name, Path root, Path work) throws IOException, InterruptedException {
        Path classes = Files.createDirectories(work.resolve("gridmpj"));
        String failure = failure(
                own("javac"), "-nowarn", "-cp", root.resolve("deploy/target/gridmpj.jar").toString(), "-d",
                classes.toString(), root.resolve("bench/programs/WholeSystem.java").toString());
        return new Competitor(
                name, failure,
                (part, ranks) -> {
                    boolean checkpoint = part.equals(HELLO_CHECKPOINT);
                    if (name.equals("gridmpj-checkpoint") && !part.equals("pointtopoint") && !part.equals("collectives")) {
                        return null; // starts are a part of their own, and what else there is differs by messages only
                    }
                    if (checkpoint && !name.equals("gridmpj-shm") && !name.equals("gridmpj-gridtcp")) {
                        return null; // mpjrun refuses it with --transport java; the further ones differ in their messages
                    }
                    List<String> command = new ArrayList<>(List.of(
                            root.resolve("mpjrun").toString(), "-np", "" + ranks, "--timeout", "1h"));
                    command.addAll(gridMpjOptions(name));
                    command.addAll(checkpoint ? List.of("--checkpoint", "60s") : List.of());
                    command.addAll(List.of("-cp", classes.toString(), "WholeSystem"));
                    return command;
                },
                TRANSPORT_OPTIONS.containsKey(name) ? Map.of("GRIDMPJ_TRANSPORT_OPTIONS", TRANSPORT_OPTIONS.get(name)) : Map.of());
    }

    private static Competitor rawC(String name, Path programs, Path work, String... link) throws InterruptedException {
        String binary = work.resolve(name).toString();
        String failure = failure("cc", "-O2", programs.resolve("raw.c").toString(), "-o", binary);
        List<String> command = new ArrayList<>(List.of(binary));
        command.addAll(List.of(link));
        return new Competitor(name, failure, raw(command.toArray(String[]::new)), Map.of());
    }

    private static Competitor mpich(
            String name, Path programs, Path work, int mostRanks, Map<String, String> environment)
            throws InterruptedException {
        String binary = work.resolve(name).toString();
        String failure = failure("mpicc.mpich", "-O2", programs.resolve("wholesystem.c").toString(), "-o", binary);
        Launch launch = (part, ranks) -> part.equals("objects") || ranks > mostRanks
                ? null
                : List.of("mpirun.mpich", "-np", "" + ranks, binary);
        return new Competitor(name, failure, launch, environment);
    }

    private static Competitor openMpi(String name, Path programs, Path work, String components)
            throws InterruptedException {
        String binary = work.resolve(name).toString();
        String failure = failure("mpicc.openmpi", "-O2", programs.resolve("wholesystem.c").toString(), "-o", binary);
        boolean root = "root".equals(System.getProperty("user.name"));
        return new Competitor(
                name, failure,
                (part, ranks) -> {
                    if (part.equals("objects")) {
                        return null;
                    }
                    List<String> command = new ArrayList<>(List.of("mpirun.openmpi", "--oversubscribe"));
                    if (root) {
                        command.add("--allow-run-as-root"); // it refuses otherwise
                    }
                    command.addAll(List.of(
                            "--mca", "btl", components, "--mca", "pml", "ob1", "-np", "" + ranks, binary));
                    return command;
                },
                Map.of());
    }

    /**
     * Why Open MPI's Java bindings do not take part. Where they are installed they still do not: their package mpi has other
     * signatures ({@code send(buffer, count, …)}, no offsets, no MPI.OBJECT) than mpiJava's, which WholeSystem.java is written to.
     */
    static String openMpiJava() throws InterruptedException {
        String info = openMpiInfo();
        if (info.isEmpty()) {
            return "Open MPI is not installed (no ompi_info)";
        }
        if (info.lines().noneMatch(line -> line.startsWith("bindings:java:yes"))) {
            return "Open MPI is installed without Java bindings (ompi_info)";
        }
        Path jar = info.lines()
                .filter(line -> line.startsWith(OPEN_MPI_LIBRARIES))
                .map(line -> Path.of(line.substring(OPEN_MPI_LIBRARIES.length()).strip(), "mpi.jar"))
                .findFirst()
                .orElse(Path.of("mpi.jar"));
        return Files.exists(jar)
                ? jar + " is installed, but not measured: its API is not mpiJava's, in which the benchmark is written"
                : "Open MPI was built with them (ompi_info), but " + jar + " is not installed: not packaged";
    }

    private static boolean openMpiKnows(String component) throws InterruptedException {
        return openMpiInfo().contains("mca:btl:" + component);
    }

    /** Empty where it is not installed. */
    private static String openMpiInfo() throws InterruptedException {
        try {
            Process process = new ProcessBuilder("ompi_info", "--parsable", "--all").redirectErrorStream(true).start();
            String info = new String(process.getInputStream().readAllBytes());
            process.waitFor();
            return info;
        } catch (IOException missing) {
            return "";
        }
    }

    private static Competitor mpjExpress(String name, Path programs, Path work) throws IOException, InterruptedException {
        boolean threads = name.endsWith("multicore");
        // Where Debian's libmpj-java puts it; its jars do not name log4j, which they need, so it goes on the boot class path.
        String home = System.getenv().getOrDefault("MPJ_HOME", "/usr/share/mpj");
        Path log4j = Path.of("/usr/share/java/log4j-1.2.jar");
        if (!Files.exists(Path.of(home, "lib/mpj.jar"))) {
            return new Competitor(name, "not installed (MPJ_HOME, or Debian's libmpj-java)", null, Map.of());
        }
        Path classes = Files.createDirectories(work.resolve("mpjexpress"));
        String failure = failure(
                own("javac"), "-nowarn", "--release", "11", "-cp", home + "/lib/mpj.jar", "-d", classes.toString(),
                programs.resolve("WholeSystem.java").toString());
        Path bin = javaOfMpjExpress();
        String java = bin.resolve("java").toString();
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("MPJ_HOME", home);
        environment.put("PATH", bin + ":" + System.getenv("PATH"));
        if (Files.exists(log4j)) {
            environment.put("JAVA_TOOL_OPTIONS", "-Xbootclasspath/a:" + log4j);
        }
        Launch launch = threads
                ? (part, ranks) -> List.of(
                        java, "-jar", home + "/lib/starter.jar", "-np", "" + ranks, "-cp", classes.toString(), "WholeSystem")
                : (part, ranks) -> niodev(java, home, classes, ranks);
        return new Competitor(name, failure, launch, environment);
    }

    /** One process for each rank, started by hand: its own launcher wants daemons that are reached by ssh. */
    private static List<String> niodev(String java, String home, Path classes, int ranks) throws IOException {
        // Every process must end well.
        String script = "java=$1 cp=$2 conf=$3 np=$4; pids=; for ((r = 0; r < np; r++)); do "
                + "\"$java\" -cp \"$cp\" WholeSystem $r \"$conf\" niodev & pids=\"$pids $!\"; done; "
                + "code=0; for p in $pids; do wait $p || code=1; done; exit $code";
        return List.of("bash", "-c", script, "niodev", java, home + "/lib/mpj.jar:" + classes, NiodevRendezvous.open(ranks), "" + ranks);
    }

    /** It is older than JDK 25: a Java 17 or 11 is taken when there is one. */
    private static Path javaOfMpjExpress() throws IOException {
        if (System.getenv("MPJ_JAVA") != null) {
            return Path.of(System.getenv("MPJ_JAVA")).getParent();
        }
        Path all = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(all)) {
            try (Stream<Path> homes = Files.list(all)) {
                Path found = homes.filter(home -> home.getFileName().toString().matches(".*\\b(11|17)\\b.*"))
                        .map(home -> home.resolve("bin"))
                        .filter(bin -> Files.isExecutable(bin.resolve("java")))
                        .findFirst()
                        .orElse(null);
                if (found != null) {
                    return found;
                }
            }
        }
        return Path.of(System.getProperty("java.home"), "bin");
    }

    private static Launch raw(String... command) {
        return (part, ranks) -> part.equals("pointtopoint") ? List.of(command) : null;
    }

    private static String own(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    private static String failure(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes());
            if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
                System.err.println(Arrays.toString(command) + "\n" + said);
                return Path.of(command[0]).getFileName() + " could not compile its program";
            }
            return "";
        } catch (IOException missing) {
            return Path.of(command[0]).getFileName() + " is not installed";
        }
    }
}
