package org.gridmpj.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.checkpoint.WriteRate;
import org.gridmpj.coll.SelectionTable;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.launcher.job.Beginning;
import org.gridmpj.launcher.job.CoreShares;
import org.gridmpj.launcher.job.HostWish;
import org.gridmpj.launcher.job.JobLaunch;
import org.gridmpj.launcher.job.JobRequest;
import org.gridmpj.launcher.job.Spares;
import org.gridmpj.launcher.program.CooperativeUse;
import org.gridmpj.launcher.program.ProgramFinder;
import org.gridmpj.launcher.program.ProgramTraits;
import org.gridmpj.runtime.ArgsLayout;
import org.gridmpj.runtime.RankEnvironment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * The command {@code mpjrun}. Options end where the program begins: all that follows its name belongs to it.
 *
 * <p>Options of the design that this version cannot serve are known and refused with the reason, never ignored.
 */
@Command(
        name = "mpjrun",
        customSynopsis = "mpjrun -np N [options] Main | Main.java | -jar app.jar [arguments]",
        description = {
            "Runs a Java program as N communicating processes on this host,",
            "or over the hosts of a cluster (--zookeeper HOST:PORT)."
        },
        sortOptions = false,
        footer = {
            "",
            "Exit code: the program's; 1 for an uncaught exception; Abort's and System.exit's code;",
            "128 + n when signal n ended the job for good; 2 for a wrong command line; 124 for --timeout.",
            "",
            "With --checkpoint a job that gets SIGTERM, SIGHUP, SIGUSR1 or SIGUSR2 takes a last snapshot within 20 s;",
            "its code is then 143 (129 for SIGHUP), and mpjrun --resume JOB goes on from there.",
            "",
            "All options, exit codes and environment variables: docs/REFERENCE.md"
        })
final class MpjRun {
    @Option(
            names = {"-np", "-n", "--np"},
            paramLabel = "N",
            description = "number of ranks (processes)")
    @Nullable
    Integer size;

    @Option(
            names = {"-cp", "-classpath", "--class-path"},
            paramLabel = "PATH",
            description = "the program's class path; default: CLASSPATH, else the current folder")
    String classPath = "";

    @Option(names = "-jar", paramLabel = "JAR", description = "run the Main-Class of a jar")
    @Nullable
    String jar;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description = {
                "gridtcp (default);",
                "java: plain TCP by java.nio; does not reconnect, no shared memory, no --checkpoint"
            })
    String transport = "gridtcp";

    @Option(
            names = "--link",
            paramLabel = "KIND",
            description = "between ranks of one host: auto (default: shared memory where it is to be had), shm, tcp")
    String link = "auto";

    @Option(
            names = "--bind-to",
            paramLabel = "core|none",
            description = {
                "core (default): where there is a core for each rank, each gets its share of this host's cores;",
                "none: the system places them"
            })
    String bindTo = "core";

    @Option(
            names = "--collectives",
            paramLabel = "FILE",
            description = "which algorithms collectives are done by, before the default choice; see docs/design/0013")
    @Nullable
    String collectives;

    @Option(
            names = "--checkpoint",
            paramLabel = "off|auto|TIME",
            description = {
                "how often to take snapshots, e.g. 1s; default off;",
                "auto: by what one costs and how often the job has failed; mpjctl status shows what was chosen"
            })
    String checkpoint = "off";

    @Option(names = "--checkpoint-dir", paramLabel = "DIR", description = "where snapshots go; default: the job folder")
    @Nullable
    String checkpointDir;

    @Option(
            names = "--checkpoint-rate",
            paramLabel = "BYTES/s",
            description = "how fast each rank may write snapshots, e.g. 20M; default: as fast as the disk")
    @Nullable
    String checkpointRate;

    @Option(
            names = "--drill",
            description =
                    "a spare JVM of low priority reads snapshots back and compares them with what was captured, and with the"
                            + " program's classes as they are now")
    boolean drill;

    @Option(
            names = "--spares",
            paramLabel = "auto|none",
            description = {
                "auto (default): with --checkpoint on this host, a JVM for each of up to 8 ranks waits to go on for it;",
                "none: JVMs are started when they are needed"
            })
    String spares = "auto";

    @Option(
            names = "--capture",
            paramLabel = "KIND",
            description = {
                "transparent: the program is captured as it is;",
                "cooperative: it takes snapshots by org.gridmpj.ateam.Ateam;",
                "auto (default): cooperative if it uses Ateam or UserProgWrapper"
            })
    String capture = "auto";

    @Option(
            names = "--ft",
            paramLabel = "none|restart|local",
            description = {
                "what follows when a rank is killed; default restart with --checkpoint, else none;",
                "local: that rank alone goes back, or those of a lost host, the others run on"
            })
    @Nullable
    String faultTolerance;

    @Option(names = "--resume", paramLabel = "JOB", description = "go on with a job whose launcher was killed")
    @Nullable
    String resume;

    @Option(
            names = "--earlier",
            description =
                    "with --resume: from an earlier snapshot, or the beginning, where the last one cannot be read now")
    boolean earlier;

    @Option(
            names = "--args",
            paramLabel = "LAYOUT",
            description = {
                "what main gets: mpjexpress [rank np device user…], mpijava [program user…], clean [user…];",
                "default: mpjexpress for programs that call MPI.Init or Rank(), clean for all others"
            })
    @Nullable
    String argsLayout;

    @Option(
            names = "--jvm",
            paramLabel = "OPTS",
            description =
                    "further options of the ranks' JVMs, e.g. \"-Xmx1g -ea\"; -X…, -D… and -ea may stand without --jvm")
    List<String> jvm = new ArrayList<>();

    /** java's own spelling of options, as MPJ Express takes them: {@code -Xmx1g}, {@code -XX:+UseZGC}. */
    @Option(names = "-X", hidden = true)
    List<String> extended = new ArrayList<>();

    @Option(names = "-D", hidden = true)
    List<String> properties = new ArrayList<>();

    @Option(
            names = {"-ea", "-enableassertions"},
            hidden = true)
    boolean assertions;

    /** MPJ Express' choice of a device: its scripts may keep it. */
    @Option(names = "-dev", paramLabel = "DEVICE", hidden = true)
    @Nullable
    String device;

    @Option(
            names = "-x",
            paramLabel = "NAME[=VALUE]",
            description = "an environment variable of the ranks; NAME alone hands on the one that is set here")
    List<String> variables = new ArrayList<>();

    @Option(
            names = {"--wdir", "-wdir"},
            paramLabel = "DIR",
            description = "the ranks' working folder")
    @Nullable
    String workingFolder;

    @Option(names = "--tag-output", description = "begin each line with its rank")
    boolean tagOutput;

    @Option(names = "--timeout", paramLabel = "TIME", description = "of the whole job; its exit code is then 124")
    @Nullable
    String timeout;

    @Option(
            names = "--zookeeper",
            paramLabel = "H:P,…|embedded|none",
            description =
                    "run the ranks under the agents registered there, and keep the job's coordination there; embedded:"
                            + " coordination only, ranks on this host; none: as if GRIDMPJ_ZOOKEEPER, the default, were"
                            + " not set")
    @Nullable
    String zookeeper;

    @Option(
            names = {"-v", "--verbose"},
            description = "say more")
    boolean verbose;

    @Option(
            names = "--hosts",
            paramLabel = "a:4,b:4",
            description = "hosts with an mpjagent and how many ranks to put on each; with --zookeeper; default: all")
    @Nullable
    String hosts;

    @Option(names = "--hostfile", paramLabel = "F", description = "the same from a file, a line for each host")
    @Nullable
    String hostfile;

    @Option(names = "--web", paramLabel = "PORT|off", hidden = true)
    String web = "off";

    @Option(names = "--profile", hidden = true)
    boolean profile;

    @Option(
            names = "--checkpoint-check",
            description =
                    "only say what of the program can be captured and what cannot, by its classes and, with -np, by a run"
                            + " that ends with the first snapshot; code 1 if something cannot")
    boolean checkpointCheck;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this text")
    boolean help;

    private List<String> program = List.of();
    private boolean usesDraftNames;

    /** Runs the command; returns its exit code. */
    static int run(String... args) throws IOException {
        MpjRun command = parse(args);
        if (command.help) {
            new CommandLine(command).usage(System.out);
            return 0;
        }
        return command.start();
    }

    static MpjRun parse(String... args) {
        MpjRun command = new MpjRun();
        // --jvm takes -X… and -D…, which are options too
        CommandLine line = new CommandLine(command).setAllowOptionsAsOptionParameters(true);
        int programAt = programAt(line, args);
        command.program = List.of(args).subList(programAt, args.length);
        try {
            line.parseArgs(List.of(args).subList(0, programAt).toArray(String[]::new));
        } catch (CommandLine.ParameterException e) {
            throw UserError.usage(e.getMessage() + " (mpjrun --help lists the options)");
        }
        return command;
    }

    /** Index of the first word that is no option and no option's value; behind the file of -jar. */
    private static int programAt(CommandLine line, String... args) {
        int at = 0;
        while (at < args.length) {
            String word = args[at];
            if (!word.startsWith("-") || word.equals("-")) {
                return at;
            }
            at++;
            OptionSpec option = line.getCommandSpec().findOption(word);
            if (option != null && option.arity().max() > 0 && at < args.length) {
                at++;
            }
            if (word.equals("-jar")) {
                return at;
            }
        }
        return at;
    }

    private int start() throws IOException {
        refuseWhatThisVersionCannot();
        UserFolders user = UserFolders.of(System.getenv());
        Installation installation = Installation.own();
        StartupCache startup = installation.startup();
        int found = 0;
        if (checkpointCheck) {
            found = CheckReport.of(found(user, installation).program(), size != null, System.out);
            if (size == null) {
                return found;
            }
            // a trial: the first snapshot as soon as there can be one, and no second life
            checkpoint = "1ms";
            checkpointDir = null;
            faultTolerance = "none";
            drill = false;
        }
        if (startup != null) {
            startup.prepare(installation.java(), false);
        }
        if (resume != null) {
            if (!program.isEmpty() || jar != null || size != null) {
                throw UserError.usage("--resume JOB stands alone: program, arguments and -np are those of the job");
            }
            return JobLaunch.resume(resume, earlier ? Beginning.EARLIER : Beginning.LATEST, user, installation);
        }
        if (earlier) {
            throw UserError.usage("--earlier goes with --resume JOB");
        }
        JobRequest request = request(user, installation);
        int code = JobLaunch.runNew(request, user, usesDraftNames ? installation.withDraftNames() : installation);
        return code == 0 ? found : code;
    }

    private void refuseWhatThisVersionCannot() {
        if (!web.equals("off")) {
            throw cannot("--web: it has no dashboard");
        }
        if (profile) {
            throw cannot("--profile");
        }
        if (checkpointDir != null && checkpointDir.matches("\\w\\w+:.*")) {
            throw cannot("--checkpoint-dir " + checkpointDir + ": it wants a folder");
        }
    }

    private static UserError cannot(String what) {
        return UserError.usage("this version cannot serve " + what);
    }

    private static void oneOf(String option, String value, String... allowed) {
        if (!List.of(allowed).contains(value)) {
            throw UserError.usage(option + " is " + String.join(" or ", allowed) + ", not \"" + value + "\"");
        }
    }

    private JobRequest request(UserFolders user, Installation installation) {
        if (size == null) {
            throw UserError.usage("how many ranks? mpjrun -np 4 " + (program.isEmpty() ? "Main" : program.getFirst()));
        }
        if (size < 1) {
            throw UserError.usage("-np wants at least 1 rank, not " + size);
        }
        if (device != null) {
            System.err.println("-dev " + device + " chooses nothing here: all ranks are processes that talk by "
                    + transport + " (--transport)");
        }
        oneOf("--transport", transport, "gridtcp", "java");
        oneOf("--link", link, "auto", "shm", "tcp");
        if (link.equals("shm") && transport.equals("java")) {
            throw UserError.usage("--link shm goes with --transport gridtcp: the transport java knows TCP only");
        }
        oneOf("--bind-to", bindTo, "core", CoreShares.NONE);
        oneOf("--spares", spares, "auto", Spares.NONE);
        oneOf("--capture", capture, "auto", "transparent", "cooperative");
        boolean checkpoints = !checkpoint.equals("off");
        if (checkpoints && !checkpoint.equals("auto")) {
            Duration _ = Durations.of("--checkpoint", checkpoint);
        }
        String ft = faultTolerance != null ? faultTolerance : checkpoints ? "restart" : "none";
        oneOf("--ft", ft, "none", "restart", "local");
        if (transport.equals("java") && (checkpoints || !ft.equals("none"))) {
            throw UserError.usage((checkpoints ? "--checkpoint" : "--ft " + ft)
                    + " does not go with --transport java: its connections hold bytes that no snapshot can have and do"
                    + " not reconnect; the default, gridtcp, does both");
        }
        if (checkpointDir != null && !checkpoints) {
            throw UserError.usage("--checkpoint-dir without --checkpoint: say how often, e.g. --checkpoint 1s");
        }
        if ((checkpointRate != null || drill) && !checkpoints) {
            throw UserError.usage((drill ? "--drill" : "--checkpoint-rate")
                    + " without --checkpoint: say how often, e.g. --checkpoint 1s");
        }
        if (ft.equals("local") && !checkpoints) {
            throw UserError.usage("--ft local without --checkpoint: say how often, e.g. --checkpoint 1s");
        }
        Path folder = Path.of(workingFolder == null ? "" : workingFolder)
                .toAbsolutePath()
                .normalize();
        if (!Files.isDirectory(folder)) {
            throw UserError.usage("--wdir: there is no folder " + folder);
        }
        String over = chosenHosts();
        ProgramFinder.Found found = found(user, installation);
        List<String> userArgs = jar != null ? program : program.subList(1, program.size());
        boolean transparent = checkpoints && transparent(found, installation);
        if (ft.equals("local") && !transparent) {
            throw UserError.usage("--ft local wants the program captured as it is (--capture transparent), and this one"
                    + " takes its snapshots itself: --ft restart serves it");
        }
        return new JobRequest(
                found.program(),
                userArgs,
                size,
                transport,
                link,
                checkpoints ? checkpoint : "",
                checkpointDir == null ? null : Path.of(checkpointDir).toAbsolutePath(),
                transparent,
                !ft.equals("none"),
                layout(found, userArgs),
                jvmOptions(),
                environment(),
                folder,
                tagOutput,
                timeout == null ? null : Durations.of("--timeout", timeout),
                coordination(),
                over,
                verbose);
    }

    private ProgramFinder.Found found(UserFolders user, Installation installation) {
        if (jar == null && program.isEmpty()) {
            throw UserError.usage(
                    "what shall run? mpjrun -np " + (size == null ? 4 : size) + " Main, Main.java or -jar app.jar");
        }
        ProgramFinder finder = new ProgramFinder(user, installation);
        return jar != null ? finder.jar(jar, classPath) : finder.named(program.getFirst(), classPath);
    }

    private boolean transparent(ProgramFinder.Found found, Installation installation) {
        if (capture.equals("transparent") && !installation.hasAgent()) {
            throw UserError.usage(
                    "--capture transparent needs gridmpj.jar, which the script mpjrun builds; this launcher"
                            + " runs from folders");
        }
        return switch (capture) {
            case "transparent" -> true;
            case "cooperative" -> false;
            default -> installation.hasAgent() && !CooperativeUse.in(found.program());
        };
    }

    private String chosenHosts() {
        if (hosts == null && hostfile == null) {
            return "";
        }
        String option = hosts != null ? "--hosts" : "--hostfile";
        if (hosts != null && hostfile != null) {
            throw UserError.usage("--hosts or --hostfile, not both");
        }
        if (coordination().isEmpty() || coordination().equals("embedded")) {
            throw UserError.usage(option + " wants the ZooKeeper where the agents of these hosts are registered:"
                    + " --zookeeper HOST:PORT (mpjagent --zookeeper embedded:2181 holds one)");
        }
        String text = hosts != null ? hosts : HostWish.ofFile(Path.of(String.valueOf(hostfile)));
        HostWish _ = HostWish.of(option, text);
        return text;
    }

    private ArgsLayout layout(ProgramFinder.Found found, List<String> userArgs) {
        ProgramTraits traits = found.traits();
        usesDraftNames = traits.usesDraftNames();
        if (argsLayout != null) {
            try {
                return ArgsLayout.of(argsLayout);
            } catch (IllegalArgumentException e) {
                throw UserError.usage(String.valueOf(e.getMessage()));
            }
        }
        if (!userArgs.isEmpty() && found.mainReadsArguments()) {
            System.err.println(
                    "main gets its arguments in layout " + traits.layout().word()
                            + (traits.layout() == ArgsLayout.MPJEXPRESS ? " [rank, np, device, yours…]" : " [yours…]")
                            + "; --args mpjexpress|mpijava|clean chooses another");
        }
        return traits.layout();
    }

    /** Options of the ranks' JVMs, whichever way they were given. */
    List<String> jvmOptions() {
        List<String> options = new ArrayList<>();
        extended.forEach(option -> options.add("-X" + option));
        properties.forEach(property -> options.add("-D" + property));
        if (assertions) {
            options.add("-ea");
        }
        for (String text : jvm) {
            options.addAll(Words.of("--jvm", text));
        }
        String choice = collectives == null ? "" : chosenCollectives(Path.of(collectives));
        if (!choice.isEmpty()) {
            options.add("-D" + SelectionTable.PROPERTY + "=" + choice);
        }
        return options;
    }

    /** The text itself goes to the ranks: on other hosts, and when the job is resumed, the file may not be there. */
    private static String chosenCollectives(Path file) {
        try {
            return SelectionTable.compact(Files.readString(file), "--collectives " + file);
        } catch (IOException e) {
            throw UserError.usage("--collectives: " + file + " cannot be read: " + e);
        } catch (MpiFailure e) {
            throw UserError.usage(String.valueOf(e.getMessage()));
        }
    }

    /** Where the job's coordination is kept; empty for its own folder. */
    private String coordination() {
        String chosen = zookeeper != null ? zookeeper : System.getenv().getOrDefault(HostCommands.CLUSTER, "");
        return chosen.equals("none") ? "" : chosen;
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : variables) {
            int equals = variable.indexOf('=');
            String name = equals < 0 ? variable : variable.substring(0, equals);
            String value = equals < 0 ? System.getenv(variable) : variable.substring(equals + 1);
            if (name.isEmpty() || name.startsWith("GRIDMPJ_")) {
                throw UserError.usage("-x wants NAME=VALUE, and no name of GRIDMPJ_…, not \"" + variable + "\"");
            }
            if (value == null) {
                throw UserError.usage("-x " + name + ": there is no such variable here to hand on");
            }
            environment.put(name, value);
        }
        // with the job: agents have another environment, and so may a shell that resumes it
        String transportOptions = System.getenv().getOrDefault(RankEnvironment.TRANSPORT_OPTIONS, "");
        if (!transportOptions.isEmpty()) {
            try {
                RankEnvironment.checkTransportOptions(transportOptions);
            } catch (MpiFailure e) {
                throw UserError.usage(String.valueOf(e.getMessage()));
            }
            environment.put(RankEnvironment.TRANSPORT_OPTIONS, transportOptions);
        }
        if (checkpointRate != null) {
            try {
                WriteRate _ = WriteRate.parse(checkpointRate);
            } catch (IllegalArgumentException e) {
                throw UserError.usage("--checkpoint-rate " + e.getMessage());
            }
            environment.put(WriteRate.VARIABLE, checkpointRate);
        }
        if (bindTo.equals(CoreShares.NONE)) {
            environment.put(CoreShares.VARIABLE, CoreShares.NONE);
        }
        if (spares.equals(Spares.NONE)) {
            environment.put(Spares.VARIABLE, Spares.NONE);
        }
        if ("local".equals(faultTolerance)) {
            environment.put(JobRequest.FAULT_TOLERANCE, "local");
        }
        if (drill) {
            environment.put(JobRequest.DRILL, "1");
        }
        if (checkpointCheck) {
            environment.put(JobRequest.TRIAL, "1");
        }
        return environment;
    }
}
