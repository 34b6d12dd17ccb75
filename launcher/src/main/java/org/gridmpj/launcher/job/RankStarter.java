package org.gridmpj.launcher.job;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gridmpj.checkpoint.ProcessSignals;
import org.gridmpj.launcher.Installation;
import org.gridmpj.runtime.RankEnvironment;
import org.jspecify.annotations.Nullable;

/** Starts the JVM of a rank on this host, for a launcher or for an agent. */
public final class RankStarter {
    private final JobRequest request;
    private final Installation installation;
    private final Path jobFolder;
    private final @Nullable Path snapshots;
    private final CoreShares shares;

    /** @param snapshots folder of this job's snapshots, or null when checkpoints are off */
    public RankStarter(JobRequest request, Installation installation, Path jobFolder, @Nullable Path snapshots) {
        this.request = request;
        this.installation = installation;
        this.jobFolder = jobFolder;
        this.snapshots = snapshots;
        // an agent does not know which other ranks, of this job and others, its host will have
        boolean bound = !request.hosted()
                && !installation.rehearses()
                && !CoreShares.NONE.equals(request.variables().get(CoreShares.VARIABLE));
        shares = bound ? CoreShares.of(request.size()) : CoreShares.UNBOUND;
    }

    private List<String> command(int worldRank) {
        List<String> command = new ArrayList<>(shares.prefix(worldRank, request.size()));
        command.add(installation.java().toString());
        command.addAll(Installation.rankOptions(request.jvmOptions()));
        command.addAll(shares.options());
        if (request.transparent()) {
            command.addAll(installation.captureOptions(request.program().classPath(), worldRank, request.jvmOptions()));
        } else {
            command.addAll(installation.startupOptions(worldRank, false));
        }
        command.addAll(request.jvmOptions());
        command.add("-cp");
        // GridMPJ first: a start-up cache is made for a prefix of the path, and another mpi package would not fit
        List<Path> own =
                installation.rehearses() ? List.of() : request.program().classPath();
        command.add(Stream.concat(installation.classPath().stream(), own.stream())
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator)));
        command.add("org.gridmpj.runtime.RankMain");
        command.add(request.program().mainClass());
        command.addAll(request.userArgs());
        return command;
    }

    /**
     * Starts one rank; its standard input is a pipe or the launcher's own for rank 0, else empty.
     *
     * @param control where it finds its parent
     * @param bindHost address of this host that its peers dial
     * @param piped whether rank 0's input is a pipe in any case
     */
    public Process start(int worldRank, int incarnation, InetSocketAddress control, String bindHost, boolean piped)
            throws IOException {
        return builder(worldRank, incarnation, control, bindHost, piped).start();
    }

    /** Starts a process that waits until its rank needs another one. */
    Process startSpare(int worldRank, int incarnation, InetSocketAddress control, String bindHost) throws IOException {
        ProcessBuilder builder = builder(worldRank, incarnation, control, bindHost, false);
        builder.environment().put(RankEnvironment.SPARE, "1");
        return builder.start();
    }

    private ProcessBuilder builder(
            int worldRank, int incarnation, InetSocketAddress control, String bindHost, boolean piped) {
        ProcessBuilder builder = new ProcessBuilder(command(worldRank));
        builder.directory(request.workingFolder().toFile());
        Map<String, String> environment = builder.environment();
        environment.putAll(request.variables());
        if (request.checkpoints()) {
            ProcessSignals.prepare(environment);
        }
        environment.putAll(new RankEnvironment(
                        control,
                        worldRank,
                        request.size(),
                        incarnation,
                        jobFolder,
                        bindHost,
                        request.transport(),
                        request.link(),
                        request.checkpoint(),
                        snapshots,
                        request.argsLayout(),
                        stackBytes())
                .variables());
        if (worldRank != 0) {
            builder.redirectInput(new File(File.separatorChar == '/' ? "/dev/null" : "NUL"));
        } else if (!request.checkpoints() && !piped) {
            builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
        }
        return builder;
    }

    private long stackBytes() {
        boolean own = request.jvmOptions().stream()
                .anyMatch(option -> option.startsWith("-Xss") || option.startsWith("-XX:ThreadStackSize"));
        return own ? 0 : RankEnvironment.DEFAULT_STACK_BYTES;
    }
}
