package org.gridmpj.launcher;

import java.io.IOException;
import java.nio.file.Path;
import org.gridmpj.launcher.agent.Agent;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.launcher.coordination.EmbeddedZooKeeper;
import org.gridmpj.launcher.hosts.ClusterSecret;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code mpjagent}: serves as one host of a cluster until it is ended. */
@Command(
        name = "mpjagent",
        customSynopsis = {
            "mpjagent --zookeeper H:P,… --slots N [options]",
            "mpjagent --zookeeper embedded:PORT --slots N [options]     holds the ZooKeeper as well",
            "mpjagent --make-secret"
        },
        description = "Starts and watches the ranks that mpjrun places on this host.",
        sortOptions = false)
final class MpjAgent {
    private static final String EMBEDDED = "embedded:";

    @Option(names = "--zookeeper", paramLabel = "H:P,…", description = "where the agents of the cluster are registered")
    String zookeeper = "";

    @Option(names = "--slots", paramLabel = "N", description = "ranks that this host is good for; default: its cores")
    int slots = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description = "address of this host that the others dial; default: that of its first interface")
    @Nullable
    String address;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "name of this host for --hosts; default: its host name")
    @Nullable
    String name;

    @Option(names = "--port", paramLabel = "PORT", description = "port of this agent; default: a free one")
    int port;

    @Option(names = "--make-secret", description = "make the cluster's secret, which belongs on all hosts, and end")
    boolean makeSecret;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this text")
    boolean help;

    /** Runs the command; returns its exit code. */
    static int run(String... args) throws IOException {
        MpjAgent command = new MpjAgent();
        try {
            new CommandLine(command).parseArgs(args);
        } catch (CommandLine.ParameterException e) {
            throw UserError.usage(e.getMessage() + " (mpjagent --help lists the options)");
        }
        if (command.help) {
            new CommandLine(command).usage(System.out);
            return 0;
        }
        if (command.makeSecret) {
            Path file = ClusterSecret.file(System.getenv());
            ClusterSecret.make(file);
            System.err.println("made " + file + ": copy it to all hosts, readable by its owner only");
            return 0;
        }
        return command.serve();
    }

    private int serve() throws IOException {
        if (zookeeper.isEmpty()) {
            throw UserError.usage("mpjagent wants --zookeeper HOST:PORT, or embedded:PORT to hold one");
        }
        if (slots < 0) {
            throw UserError.usage("--slots wants 0 or more, not " + slots);
        }
        UserFolders user = UserFolders.of(System.getenv());
        String own = address == null ? OwnHost.address() : address;
        String host = name == null ? OwnHost.name() : name;
        if (!host.matches("[\\w.-]+")) {
            throw UserError.usage("--name wants letters, digits, dots and hyphens, not \"" + host + "\"");
        }
        Agent.Place place = new Agent.Place(host, own, port, slots);
        try (EmbeddedZooKeeper server = embedded(user, own);
                Agent agent = new Agent(
                        place, ClusterSecret.read(ClusterSecret.file(System.getenv())), user, Installation.own())) {
            agent.register(server == null ? zookeeper : server.servers());
            Runtime.getRuntime().addShutdownHook(new Thread(agent::close, "end"));
            System.err.println("agent of host " + host + " at " + own + ":" + agent.port() + ", " + slots
                    + (slots == 1 ? " slot" : " slots") + ", ZooKeeper at "
                    + (server == null ? zookeeper : server.servers()));
            agent.serve();
            return 0;
        } catch (CoordinationFailure e) {
            throw new UserError(1, String.valueOf(e.getMessage()));
        }
    }

    private @Nullable EmbeddedZooKeeper embedded(UserFolders user, String own) throws IOException {
        if (!zookeeper.startsWith(EMBEDDED)) {
            return null;
        }
        int serverPort;
        try {
            serverPort = Integer.parseInt(zookeeper.substring(EMBEDDED.length()));
        } catch (NumberFormatException e) {
            throw UserError.usage("--zookeeper embedded:PORT wants a number, not \"" + zookeeper + "\"");
        }
        Path folder = user.root().resolve("zookeeper-" + serverPort);
        UserFolders.createOwnerOnly(folder);
        return new EmbeddedZooKeeper(folder, own, serverPort);
    }
}
