package org.gridmpj.launcher;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.job.JobFolder;
import org.gridmpj.launcher.job.LocalJob;
import org.gridmpj.runtime.RankEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code mpjctl}: looks after the jobs of this user on this host, by their folders and, for a snapshot, by
 * the launcher's control connection.
 */
final class MpjCtl {
    private static final String USAGE = """
            mpjctl ps [--all]          jobs that run, or all that are known
            mpjctl status JOB          where its ranks are
            mpjctl logs JOB [RANK]     what its ranks have printed
            mpjctl checkpoint JOB      take a snapshot now, and wait for it
            mpjctl kill JOB            end it (SIGTERM); with --checkpoint a last snapshot first, and
                                       mpjrun --resume JOB goes on from there
            mpjctl remove JOB          its folder, if it does not run; it cannot be resumed then
            mpjctl doctor              is this host fit to run jobs?
            mpjctl migrate JOB RANK [HOST]   that rank goes on at another host; localhost: in a new process
            mpjctl hosts               hosts with an agent            (these three with --zookeeper H:P,…
            mpjctl drain HOST          all ranks leave that host       or the variable GRIDMPJ_ZOOKEEPER;
            mpjctl undrain HOST        it may have ranks again         with it doctor looks at the hosts too)
              --json                   for programs: one JSON document on standard output
            What takes a JOB works on the host where its mpjrun runs, as the same user.
            """;

    /** So many pairs of ranks that cannot reach each other are shown. */
    private static final int MOST_PAIRS = 8;

    private static final int CHECKPOINT_MILLIS = 120_000;

    /** The launcher takes a last snapshot, ends its ranks and says what it has to say. */
    private static final int KILL_SECONDS = LocalJob.LAST_SNAPSHOT_SECONDS + 15;

    private final UserFolders user;
    private final boolean json;

    private MpjCtl(UserFolders user, boolean json) {
        this.user = user;
        this.json = json;
    }

    /** Runs the command; returns its exit code. */
    static int run(String... args) throws IOException {
        List<String> words = new ArrayList<>(List.of(args));
        boolean json = words.remove("--json");
        boolean all = words.remove("--all");
        String zookeeper = zookeeper(words);
        String command = words.isEmpty() ? "--help" : words.removeFirst();
        MpjCtl ctl = new MpjCtl(UserFolders.of(System.getenv()), json);
        return switch (command) {
            case "ps" -> {
                ctl.expect(words, 0, 0, "ps");
                yield ctl.ps(all);
            }
            case "status" -> {
                ctl.expect(words, 1, 1, "status JOB");
                yield ctl.status(words.getFirst());
            }
            case "logs" -> {
                ctl.expect(words, 1, 2, "logs JOB [RANK]");
                yield ctl.logs(words.getFirst(), words.size() == 2 ? words.get(1) : null);
            }
            case "checkpoint" -> {
                ctl.expect(words, 1, 1, "checkpoint JOB");
                yield ctl.checkpoint(words.getFirst());
            }
            case "kill" -> {
                ctl.expect(words, 1, 1, "kill JOB");
                yield ctl.kill(words.getFirst());
            }
            case "remove" -> {
                ctl.expect(words, 1, 1, "remove JOB");
                yield ctl.remove(words.getFirst());
            }
            case "doctor" -> {
                ctl.expect(words, 0, 0, "doctor");
                yield ctl.doctor(zookeeper);
            }
            case "migrate" -> {
                ctl.expect(words, 2, 3, "migrate JOB RANK [HOST]");
                yield ctl.migrate(words.get(0), words.get(1), words.size() == 3 ? words.get(2) : "");
            }
            case "hosts" -> {
                ctl.expect(words, 0, 0, "hosts");
                yield ctl.show(HostCommands.hosts(zookeeper));
            }
            case "drain", "undrain" -> {
                ctl.expect(words, 1, 1, command + " HOST");
                yield ctl.show(HostCommands.drain(zookeeper, words.getFirst(), command.equals("drain")));
            }
            case "top" ->
                throw UserError.usage("this version cannot serve top: mpjctl status JOB shows where ranks are");
            case "-h", "--help", "help" -> {
                System.out.print(USAGE);
                yield 0;
            }
            default -> throw UserError.usage("there is no command " + command + "\n" + USAGE);
        };
    }

    private void expect(List<String> words, int least, int most, String form) {
        if (words.size() < least || words.size() > most) {
            throw UserError.usage("this command is: mpjctl " + form);
        }
    }

    private void print(String text, Object document) {
        System.out.println(json ? Json.write(document) : text);
    }

    private List<Path> jobs() throws IOException {
        if (!Files.isDirectory(user.jobs())) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(user.jobs())) {
            return all.filter(job -> Files.exists(job.resolve("job.json")))
                    .sorted()
                    .toList();
        }
    }

    private static String state(Path job, Map<String, @Nullable Object> document) {
        if (JobFolder.hasLauncher(job)) {
            return "running";
        }
        Object code = document.get("exitCode");
        return code == null ? "launcher lost" : "ended with code " + code;
    }

    private Map<String, @Nullable Object> overview(Path job) throws IOException {
        Map<String, @Nullable Object> document = JobFolder.readJson(job.resolve("job.json"));
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("version", JobFolder.VERSION);
        row.put("job", document.get("name"));
        row.put("state", state(job, document));
        if (document.get("request") instanceof Map<?, ?> request) {
            row.put("ranks", request.get("size"));
            row.put("program", request.get("display"));
            row.put("checkpoint", request.get("checkpoint"));
        }
        row.put("started", document.get("started"));
        row.put("folder", job.toString());
        return row;
    }

    private int ps(boolean all) throws IOException {
        List<Object> rows = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (Path job : jobs()) {
            Map<String, @Nullable Object> row;
            try {
                row = overview(job);
            } catch (IOException | IllegalArgumentException e) {
                continue; // a folder that another version wrote, or that is just being removed
            }
            String state = String.valueOf(row.get("state"));
            if (all
                    || state.equals("running")
                    || (state.equals("launcher lost") && !"".equals(row.get("checkpoint")))) {
                rows.add(row);
                text.append(text.isEmpty() ? "" : "\n")
                        .append(String.format(
                                "%-18s %-20s %4s ranks  %s",
                                row.get("job"), state, row.get("ranks"), row.get("program")));
            }
        }
        print(text.isEmpty() ? "no jobs" : text.toString(), Map.of("version", JobFolder.VERSION, "jobs", rows));
        return 0;
    }

    private int status(String name) throws IOException {
        Path job = JobFolder.find(user, name);
        Map<String, @Nullable Object> document = overview(job);
        StringBuilder text = new StringBuilder("job " + name + ": " + document.get("state"));
        Path file = job.resolve("status.json");
        if (Files.exists(file)) {
            Map<String, @Nullable Object> status = JobFolder.readJson(file);
            status.remove("version");
            boolean hasLauncher = JobFolder.hasLauncher(job);
            String state = String.valueOf(status.remove("state"));
            if (state.startsWith("waiting") && hasLauncher) {
                status.put("waits", state);
                text.append(", ").append(state);
            }
            Object epoch = status.get("committedEpoch");
            text.append(Long.valueOf(-1).equals(epoch) ? "" : ", last snapshot " + epoch);
            Object givenUp = status.getOrDefault("givenUp", "");
            text.append("".equals(givenUp) ? "" : ", " + givenUp);
            Object rate = status.getOrDefault("checkpointRate", "");
            text.append("".equals(rate) ? "" : ", written at most " + rate + " bytes/s by each rank");
            Object drill = status.getOrDefault("drill", "");
            text.append("".equals(drill) ? "" : ", last drill: " + drill);
            Object pace = status.getOrDefault("checkpointPace", "");
            text.append("".equals(pace) ? "" : ", " + pace);
            Object spares = hasLauncher ? status.getOrDefault("spares", 0L) : 0L;
            text.append(Long.valueOf(0).equals(spares) ? "" : ", prestarted JVMs: " + spares);
            if (status.get("onDeath") instanceof Map<?, ?> onDeath && "local".equals(onDeath.get("mode"))) {
                text.append(String.format("%nwhen a rank is killed: %s", local(onDeath)));
            }
            if (status.remove("ranks") instanceof List<?> last) {
                List<?> ranks = hasLauncher ? last : withoutLauncher(last);
                document.put("rankStates", ranks);
                for (Object each : ranks) {
                    if (each instanceof Map<?, ?> rank) {
                        text.append(String.format(
                                "%nrank %-4s %spid %-8s %-12s %s MPI calls  %s",
                                rank.get("rank"),
                                place(rank.get("host")),
                                rank.get("pid"),
                                rank.get("state"),
                                rank.get("mpiCalls"),
                                rank.get("where")));
                    }
                }
            }
            if (status.get("outOfReach") instanceof List<?> pairs) {
                text.append(outOfReach(pairs));
            }
            document.putAll(status);
        }
        boolean lost = String.valueOf(document.get("state")).equals("launcher lost");
        if (JobFolder.isResumable(job)) {
            text.append(System.lineSeparator())
                    .append(lost ? "its launcher was killed: " : "it goes on by ")
                    .append("mpjrun --resume ")
                    .append(name);
        } else if (lost) {
            text.append(System.lineSeparator())
                    .append("its launcher was killed; it was started without --checkpoint: there is nothing to resume");
        }
        print(text.toString(), document);
        return 0;
    }

    /** Ranks end with their launcher: what it wrote of them last is how they were. */
    private static List<?> withoutLauncher(List<?> ranks) {
        List<Object> all = new ArrayList<>();
        for (Object each : ranks) {
            Map<Object, @Nullable Object> rank = new LinkedHashMap<>((Map<?, ?>) each);
            if (!String.valueOf(rank.get("state")).startsWith("ended")) {
                rank.put("state", "gone");
            }
            all.add(rank);
        }
        return all;
    }

    private static String outOfReach(List<?> pairs) {
        StringBuilder text = new StringBuilder();
        for (Object each : pairs.subList(0, Math.min(pairs.size(), MOST_PAIRS))) {
            if (each instanceof Map<?, ?> pair) {
                text.append(String.format(
                        "%nrank %s%s cannot reach rank %s%s (%s) for %s s: %s; the job waits until it can",
                        pair.get("rank"),
                        at(pair.get("host")),
                        pair.get("peer"),
                        at(pair.get("peerHost")),
                        pair.get("address"),
                        pair.get("seconds"),
                        pair.get("obstacle")));
            }
        }
        int more = pairs.size() - MOST_PAIRS;
        return more > 0 ? text + String.format("%nand %s more (--json has all)", more) : text.toString();
    }

    private static String at(@Nullable Object host) {
        return host == null || "".equals(host) ? "" : " at host " + host;
    }

    /** Programs without wildcards, polls, Waitany and Waitsome do the same again without being told: nothing is logged of their order. */
    private static String local(Map<?, ?> onDeath) {
        StringBuilder text = new StringBuilder("it goes back alone (--ft local");
        Object count = onDeath.get("returnedAlone");
        text.append(Long.valueOf(0).equals(count) ? "" : ", " + count + " so far")
                .append(
                        onDeath.get("returning") instanceof List<?> now && !now.isEmpty()
                                ? ", at this moment " + ranks(now)
                                : "")
                .append("); determinants: ")
                .append(determinants(onDeath));
        if (!(onDeath.get("withAll") instanceof List<?> withAll) || withAll.isEmpty()) {
            return text.toString();
        }
        for (Object each : withAll) {
            if (each instanceof Map<?, ?> rank) {
                text.append(String.format(
                        "%n  but with rank %s all go back: since its snapshot %s", rank.get("rank"), rank.get("why")));
            }
        }
        return text.toString();
    }

    private static String determinants(Map<?, ?> onDeath) {
        if (!(onDeath.get("determinants") instanceof List<?> held) || held.isEmpty()) {
            return onDeath.get("withAll") instanceof List<?> withAll && !withAll.isEmpty()
                    ? "none are logged"
                    : "none are logged, no rank has met a wildcard or acted upon a poll since its snapshot";
        }
        StringJoiner text = new StringJoiner(", ");
        for (Object each : held) {
            if (each instanceof Map<?, ?> rank) {
                text.add(rank.get("held") + " of rank " + rank.get("rank") + " held by " + ranks(rank.get("by")));
            }
        }
        return text.toString();
    }

    private static String ranks(@Nullable Object numbers) {
        List<String> words = numbers instanceof List<?> all
                ? all.stream().map(String::valueOf).toList()
                : List.of(String.valueOf(numbers));
        return (words.size() == 1 ? "rank " : "ranks ") + String.join(" and ", words);
    }

    private static String place(@Nullable Object host) {
        return host == null || "".equals(host) ? "" : String.format("host %-10s ", host);
    }

    private int logs(String name, @Nullable String rank) throws IOException {
        Path job = JobFolder.find(user, name);
        boolean found = false;
        for (int each = 0; Files.exists(JobFolder.log(job, each, false)); each++) {
            if (rank != null && !rank.equals(Integer.toString(each))) {
                continue;
            }
            found = true;
            for (boolean stderr : new boolean[] {false, true}) {
                Path log = JobFolder.log(job, each, stderr);
                if (Files.size(log) > 0) {
                    System.out.println("--- rank " + each + (stderr ? " stderr" : " stdout"));
                    Files.copy(log, System.out);
                }
            }
        }
        if (!found) {
            throw new UserError(1, "job " + name + " has no rank " + rank);
        }
        return 0;
    }

    private int checkpoint(String name) throws IOException {
        Path job = JobFolder.find(user, name);
        if (!JobFolder.hasLauncher(job)) {
            throw new UserError(1, "job " + name + " does not run");
        }
        try (ControlLink link = dial(job)) {
            link.send(new ControlMessage.CheckpointNow("mpjctl"));
            return switch (link.receive(CHECKPOINT_MILLIS)) {
                case ControlMessage.EpochCommitted committed -> {
                    print(
                            "snapshot " + committed.epoch() + " of job " + name + " is committed",
                            Map.of("version", JobFolder.VERSION, "committedEpoch", committed.epoch()));
                    yield 0;
                }
                case ControlMessage.SnapshotFailed failed ->
                    throw new UserError(1, "no snapshot of job " + name + ": " + failed.reason());
                case null, default -> throw new UserError(1, "job " + name + " has ended meanwhile");
            };
        }
    }

    /** The servers that were named, taken out of the words; empty if none were. */
    private static String zookeeper(List<String> words) {
        int at = words.indexOf("--zookeeper");
        if (at < 0) {
            return System.getenv().getOrDefault(HostCommands.CLUSTER, "");
        }
        if (at + 1 >= words.size()) {
            throw UserError.usage("--zookeeper wants HOST:PORT,…");
        }
        words.remove(at);
        return words.remove(at);
    }

    private int show(HostCommands.Answer answer) {
        print(answer.text(), answer.document());
        return answer.exitCode();
    }

    private int migrate(String name, String rank, String host) throws IOException {
        Path job = JobFolder.find(user, name);
        if (!JobFolder.hasLauncher(job)) {
            throw new UserError(1, "job " + name + " does not run");
        }
        if (!rank.matches("\\d{1,9}")) {
            throw UserError.usage("mpjctl migrate JOB RANK [HOST]: RANK is a number, not \"" + rank + "\"");
        }
        try (ControlLink link = dial(job)) {
            link.send(new ControlMessage.Move(Integer.parseInt(rank), host));
            if (!(link.receive(CHECKPOINT_MILLIS) instanceof ControlMessage.Moved moved)) {
                throw new UserError(1, "job " + name + " has ended meanwhile");
            }
            if (moved.host().isEmpty()) {
                throw new UserError(1, "rank " + rank + " of job " + name + " was not moved: " + moved.text());
            }
            print(moved.text(), Map.of("version", JobFolder.VERSION, "rank", rank, "host", moved.host()));
            return 0;
        }
    }

    private static ControlLink dial(Path job) throws IOException {
        Map<String, @Nullable Object> document = JobFolder.readJson(job.resolve("job.json"));
        String control = String.valueOf(document.get("control"));
        int colon = control.lastIndexOf(':');
        JobSecret secret = JobSecret.read(job.resolve(RankEnvironment.SECRET_FILE));
        try {
            return ControlLink.dialled(
                    new Socket(control.substring(0, colon), Integer.parseInt(control.substring(colon + 1))), secret);
        } catch (IOException e) {
            String elsewhere = JobFolder.launcherElsewhere(document);
            if (elsewhere == null) {
                throw e;
            }
            throw new UserError(
                    1, "the launcher of job " + job.getFileName() + " is at host " + elsewhere + ": run mpjctl there");
        }
    }

    private int kill(String name) throws IOException {
        Path job = JobFolder.find(user, name);
        if (!JobFolder.hasLauncher(job)) {
            throw new UserError(1, "job " + name + " does not run");
        }
        Map<String, @Nullable Object> document = JobFolder.readJson(job.resolve("job.json"));
        String elsewhere = JobFolder.launcherElsewhere(document);
        if (elsewhere != null) {
            throw new UserError(
                    1, "job " + name + " was not ended: its launcher is at host " + elsewhere + ": run mpjctl there");
        }
        Object pid = document.get("launcherPid");
        Optional<ProcessHandle> launcher = pid instanceof Long number ? ProcessHandle.of(number) : Optional.empty();
        if (launcher.isEmpty() || !launcher.get().destroy()) {
            throw new UserError(1, "the launcher of job " + name + " (pid " + pid + ") cannot be signalled");
        }
        try {
            ProcessHandle ended = launcher.get().onExit().get(KILL_SECONDS, TimeUnit.SECONDS);
            print(
                    "job " + name + " is ended",
                    Map.of("version", JobFolder.VERSION, "killed", name, "pid", ended.pid()));
            return 0;
        } catch (TimeoutException | ExecutionException e) {
            throw new UserError(1, "job " + name + " does not end: its launcher is process " + pid);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError(1, "interrupted");
        }
    }

    /** Snapshots in a folder of the user's own choice stay: others may use it too. */
    private int remove(String name) {
        Path folder = JobFolder.find(user, name);
        Map<?, ?> request = request(folder);
        Path left = chosenSnapshots(request, name);
        Hosted hosted = hosted(folder, request);
        JobFolder.remove(user, name);
        Map<String, String> problems =
                hosted == null ? Map.of() : HostCommands.drop(hosted.zookeeper(), hosted.clusterName());
        StringBuilder text = new StringBuilder("job " + name + " is removed");
        if (left != null && Files.exists(left)) {
            text.append("; its snapshots are in ").append(left).append(" still");
        }
        problems.forEach((where, why) -> text.append(System.lineSeparator())
                .append(where)
                .append(": ")
                .append(why)
                .append("; what is kept there of the job goes when nothing has touched it for 30 days"));
        print(text.toString(), Map.of("version", JobFolder.VERSION, "removed", name, "problems", problems));
        return 0;
    }

    /** Where the hosts of a job keep its images. */
    private record Hosted(String zookeeper, String clusterName) {}

    /** What the user asked for; empty where it cannot be read: such a job can be removed all the same. */
    private static Map<?, ?> request(Path job) {
        try {
            return JobFolder.readJson(job.resolve("job.json")).get("request") instanceof Map<?, ?> request
                    ? request
                    : Map.of();
        } catch (IOException | IllegalArgumentException e) {
            return Map.of();
        }
    }

    private static @Nullable Hosted hosted(Path job, Map<?, ?> request) {
        try {
            return request.get("zookeeper") instanceof String zookeeper && !zookeeper.isEmpty()
                    ? new Hosted(zookeeper, JobFolder.clusterName(job, OwnHost.name()))
                    : null;
        } catch (IOException e) {
            return null; // as little is known of its hosts as of the rest
        }
    }

    private static @Nullable Path chosenSnapshots(Map<?, ?> request, String name) {
        try {
            return request.get("checkpointDir") instanceof String chosen
                    ? Path.of(chosen).resolve(name)
                    : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private int doctor(String zookeeper) throws IOException {
        Doctor.Report report = Doctor.examine(user, Installation.own(), zookeeper);
        print(report.text(), report.document());
        return report.fit() ? 0 : 1;
    }
}
