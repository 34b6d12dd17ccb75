package org.gridmpj.launcher.job;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.gridmpj.checkpoint.ProcessSignals;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.Durations;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.Json;
import org.gridmpj.launcher.OwnHost;
import org.gridmpj.launcher.StartupCache;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.launcher.coordination.EmbeddedZooKeeper;
import org.gridmpj.launcher.coordination.FolderCoordination;
import org.gridmpj.launcher.coordination.ZooKeeperCoordination;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistry;
import org.gridmpj.launcher.hosts.ClusterSecret;
import org.jspecify.annotations.Nullable;

/**
 * Builds a job, new or taken over from a dead launcher, and runs it.
 *
 * @param snapshotFolder where this job's snapshots are, or null when checkpoints are off
 */
public record JobLaunch(
        JobRequest request,
        JobFolder folder,
        Installation installation,
        Coordination coordination,
        JobSecret secret,
        @Nullable Path snapshotFolder,
        @Nullable AgentRegistry registry,
        List<String> announcement) {

    /** After so much silence an agent ends its ranks, unless the variable {@value #LEASE} says another time. */
    private static final int LEASE_MILLIS = 4_000;

    private static final int LONGEST_LEASE_MILLIS = 3_600_000;
    private static final String LEASE = "GRIDMPJ_LEASE";

    private static final int REGISTRY_MILLIS = 10_000;

    /** Runs a new job; returns its exit code. */
    public static int runNew(JobRequest request, UserFolders user, Installation installation) throws IOException {
        JobRequest placed = placed(request);
        Path checkpointDir = placed.checkpointDir();
        String name;
        int code;
        try (JobFolder folder = JobFolder.create(user, checkpointDir, new Random())) {
            name = folder.name();
            try {
                code = run(placed, folder, installation, snapshots(placed, folder), Beginning.NEW);
            } finally {
                folder.removeUnlessBegun(checkpointDir);
            }
        }
        if (placed.isTrial()) {
            JobFolder.remove(user, name);
        }
        return code;
    }

    /** A job of a cluster that names no hosts may use them all. */
    static JobRequest placed(JobRequest request) {
        String zookeeper = request.zookeeper();
        if (request.hosted() || zookeeper.isEmpty() || zookeeper.equals("embedded")) {
            return request;
        }
        try (AgentRegistry registry = new AgentRegistry(zookeeper, REGISTRY_MILLIS)) {
            AgentRegistry.Listing listing = registry.listing();
            if (listing.agents().isEmpty() && !listing.unreadable().isEmpty()) {
                throw new UserError(
                        1,
                        "no host has an agent that this version can use: "
                                + String.join("; ", listing.unreadable().values()));
            }
            if (listing.agents().isEmpty()) {
                throw new UserError(
                        1,
                        "no host has an agent registered at " + zookeeper + ": start mpjagent --zookeeper " + zookeeper
                                + " on each; with --zookeeper none the ranks run on this host");
            }
            return request.over(HostWish.ALL);
        } catch (CoordinationFailure e) {
            throw new UserError(1, String.valueOf(e.getMessage()));
        }
    }

    /** Goes on with a job whose launcher was killed; returns its exit code. */
    public static int resume(String name, Beginning how, UserFolders user, Installation installation)
            throws IOException {
        try (JobFolder folder = JobFolder.takeOver(user, name)) {
            JobRequest request = savedRequest(folder);
            if (!request.checkpoints()) {
                throw new UserError(
                        1, "job " + name + " was started without --checkpoint: there is nothing to resume from");
            }
            Path snapshots = snapshots(request, folder);
            if (snapshots != null && request.checkpointDir() != null) {
                SnapshotFolder.requireOwn(snapshots, name);
            }
            return run(request, folder, installation, snapshots, how);
        }
    }

    @SuppressWarnings("unchecked") // the shape that LocalJob wrote
    static JobRequest savedRequest(JobFolder folder) throws IOException {
        Map<String, @Nullable Object> document =
                JobFolder.readJson(folder.path().resolve(JobFolder.JOB));
        if (Long.valueOf(0).equals(document.get("exitCode"))) {
            throw new UserError(1, "job " + folder.name() + " has ended with code 0: there is nothing to resume");
        }
        if (!(document.get("request") instanceof Map<?, ?> request)) {
            throw new UserError(1, folder.path().resolve(JobFolder.JOB) + " is damaged");
        }
        try {
            return JobRequest.fromJson((Map<String, @Nullable Object>) request);
        } catch (IllegalArgumentException e) {
            throw new UserError(1, folder.path().resolve(JobFolder.JOB) + " is damaged: " + e.getMessage());
        }
    }

    /** Where this job's snapshots are, or null when checkpoints are off. */
    private static @Nullable Path snapshots(JobRequest request, JobFolder folder) throws IOException {
        if (!request.checkpoints()) {
            return null;
        }
        Path chosen = request.checkpointDir();
        return chosen == null
                ? UserFolders.createOwnerOnly(folder.path().resolve("snapshots"))
                : chosen.resolve(folder.name());
    }

    private static int run(
            JobRequest request, JobFolder folder, Installation installation, @Nullable Path snapshots, Beginning how)
            throws IOException {
        boolean resume = how != Beginning.NEW;
        StartupCache startup = installation.startup();
        if (startup != null && request.transparent() && !request.hosted()) {
            startup.prepare(installation.java(), true);
        }
        AgentRegistry registry = null;
        try (Coordinator coordinator = coordinator(request, folder)) {
            Coordination coordination = coordinator.coordination();
            registry = request.hosted() ? new AgentRegistry(request.zookeeper(), REGISTRY_MILLIS) : null;
            if (resume && !coordination.raiseGeneration(coordination.generation())) {
                throw new CoordinationFailure("another launcher is resuming job " + folder.name(), null);
            }
            coordination.state("running");
            JobLaunch launch = new JobLaunch(
                    request,
                    folder,
                    installation,
                    coordination,
                    folder.renewSecret(),
                    snapshots,
                    registry,
                    announcement(request, folder, snapshots, resume));
            try (LocalJob job = new LocalJob(launch)) {
                Runtime.getRuntime().addShutdownHook(new Thread(job::interrupt, "interrupt"));
                if (snapshots != null) {
                    ProcessSignals.ANNOUNCEMENTS.forEach(
                            name -> ProcessSignals.handle(name, () -> System.exit(LocalJob.TERMINATED_EXIT_CODE)));
                }
                return job.run(how);
            }
        } catch (CoordinationFailure e) {
            throw new UserError(1, e.getMessage() == null ? e.toString() : e.getMessage());
        } finally {
            if (registry != null) {
                registry.close();
            }
        }
    }

    private static List<String> announcement(
            JobRequest request, JobFolder folder, @Nullable Path snapshots, boolean resume) {
        List<String> lines = new ArrayList<>();
        String ranks = request.size() == 1 ? "1 rank" : request.size() + " ranks";
        lines.add("job " + folder.name() + ": " + (resume ? "resumed, " : "") + ranks
                + (request.hosted() ? " over the hosts of " + request.zookeeper() : " on this host")
                + (snapshots == null ? "" : ", " + snapshotsIn(request, snapshots)));
        if (request.verbose()) {
            lines.add("folder " + folder.path());
            lines.add("transport " + request.transport() + ", link " + request.link() + ", program "
                    + request.program().mainClass() + " from "
                    + request.program().classPath());
        }
        return lines;
    }

    private static String snapshotsIn(JobRequest request, Path folder) {
        return request.isTrial()
                ? "which end with the first snapshot"
                : "checkpoint " + interval(request.checkpoint()) + " in " + folder;
    }

    private static String interval(String checkpoint) {
        return checkpoint.equals("auto")
                ? "at an interval chosen by cost"
                : "every " + Durations.words(Durations.of("--checkpoint", checkpoint));
    }

    /** The agreed state, and the server that holds it if that is our own. */
    private record Coordinator(
            Coordination coordination, @Nullable EmbeddedZooKeeper server) implements AutoCloseable {
        @Override
        public void close() {
            coordination.close();
            if (server != null) {
                server.close();
            }
        }
    }

    private static Coordinator coordinator(JobRequest request, JobFolder folder) throws IOException {
        String zookeeper = request.zookeeper();
        if (zookeeper.isEmpty()) {
            return new Coordinator(new FolderCoordination(folder.path()), null);
        }
        if (!zookeeper.equals("embedded")) {
            String name = request.hosted() ? folder.clusterName(OwnHost.name()) : folder.name();
            return new Coordinator(new ZooKeeperCoordination(zookeeper, name), null);
        }
        EmbeddedZooKeeper server = new EmbeddedZooKeeper(folder.path().resolve("zookeeper"));
        return new Coordinator(new ZooKeeperCoordination(server.servers(), folder.name()), server);
    }

    /** The hosts of this job, or null if all its ranks are on this one. */
    @Nullable
    Hosts hosts(Machine machine, Consumer<JobEvent> events, Consumer<String> say) throws IOException {
        if (registry == null) {
            return null;
        }
        Path work = folder.path().resolve("parts");
        UserFolders.createOwnerOnly(work);
        ProgramParts parts = ProgramParts.of(request.program().classPath(), work);
        AgentMessage.Open open = new AgentMessage.Open(
                folder.clusterName(OwnHost.name()),
                secret.text(),
                Json.write(request.toJson()),
                installation.hasDraftNames(),
                parts.names(),
                leaseMillis(System.getenv().getOrDefault(LEASE, "")));
        JobSecret cluster = ClusterSecret.read(ClusterSecret.file(System.getenv()));
        return new Hosts(
                request.size(),
                HostWish.of("--hosts", request.hosts()),
                new AgentCluster(open, parts, registry, cluster, events, say),
                machine,
                events,
                say);
    }

    private static int leaseMillis(String text) {
        return text.isEmpty()
                ? LEASE_MILLIS
                : Math.clamp(Durations.of(LEASE, text).toMillis(), LEASE_MILLIS / 4, LONGEST_LEASE_MILLIS);
    }

    /** The launcher's own streams. */
    record Outputs(SharedOutput out, SharedOutput err, boolean showsPrompts) {}

    /**
     * Unfinished lines are shown on a terminal; in a file or a pipe only for a job of one rank, since a line break too
     * many would change what the ranks have written.
     *
     * @param whenLost called once when stdout cannot be written
     */
    Outputs outputs(Consumer<SharedOutput.Loss> whenLost) {
        @SuppressWarnings("SystemConsoleNull") // null in JDK 25 where there is no terminal
        Console console = System.console();
        boolean terminal = console != null && console.isTerminal();
        boolean prompts = (terminal || request.size() == 1) && !request.tagOutput();
        OpenLine line = new OpenLine(prompts);
        return new Outputs(
                new SharedOutput(new FileOutputStream(FileDescriptor.out), whenLost, line),
                SharedOutput.dispensable(
                        new FileOutputStream(FileDescriptor.err), terminal ? line : new OpenLine(prompts)),
                prompts);
    }

    InputStream stdin() {
        return new FileInputStream(FileDescriptor.in);
    }
}
