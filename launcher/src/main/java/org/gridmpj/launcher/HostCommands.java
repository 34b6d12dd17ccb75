package org.gridmpj.launcher;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.AgentRegistry;
import org.gridmpj.launcher.hosts.ClusterSecret;
import org.gridmpj.launcher.job.JobFolder;

/** The commands of {@code mpjctl} that look after the hosts of a cluster. */
final class HostCommands {
    /** The variable that names the cluster's ZooKeeper. */
    static final String CLUSTER = "GRIDMPJ_ZOOKEEPER";

    private static final int ZOOKEEPER_MILLIS = 10_000;
    private static final int DIAL_MILLIS = 3_000;
    private static final int DRAIN_SECONDS = 120;
    /** A host may have many images to remove. */
    private static final int DROP_MILLIS = 60_000;

    private static final int LOOK_MILLIS = 250;

    private HostCommands() {}

    /** What a command says, for people and for programs. */
    record Answer(int exitCode, String text, Map<String, Object> document) {}

    private static AgentRegistry registry(String zookeeper) {
        if (zookeeper.isEmpty()) {
            throw UserError.usage("which cluster? --zookeeper HOST:PORT,… or the variable " + CLUSTER + " says it");
        }
        try {
            return new AgentRegistry(zookeeper, ZOOKEEPER_MILLIS);
        } catch (CoordinationFailure e) {
            throw new UserError(1, String.valueOf(e.getMessage()));
        }
    }

    /** The agents that are registered. */
    static Answer hosts(String zookeeper) {
        try (AgentRegistry registry = registry(zookeeper)) {
            Set<String> draining = registry.draining();
            List<Object> rows = new ArrayList<>();
            StringBuilder text = new StringBuilder();
            AgentRegistry.Listing listing = registry.listing();
            for (AgentRegistration agent : listing.agents()) {
                boolean leaves = draining.contains(agent.host());
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("host", agent.host());
                row.put("address", agent.address());
                row.put("port", agent.port());
                row.put("slots", agent.slots());
                row.put("used", agent.used());
                row.put("draining", leaves);
                rows.add(row);
                text.append(text.isEmpty() ? "" : System.lineSeparator())
                        .append(String.format(
                                "%-16s %-21s %3d of %3d slots used%s",
                                agent.host(),
                                agent.address() + ":" + agent.port(),
                                agent.used(),
                                agent.slots(),
                                leaves ? "  drained" : ""));
            }
            listing.unreadable().forEach((host, why) -> {
                rows.add(Map.of("host", host, "problem", why));
                text.append(text.isEmpty() ? "" : System.lineSeparator()).append(String.format("%-16s %s", host, why));
            });
            return new Answer(
                    0,
                    text.isEmpty() ? "no host has an agent at " + zookeeper : text.toString(),
                    Map.of("version", JobFolder.VERSION, "hosts", rows));
        } catch (CoordinationFailure e) {
            throw new UserError(1, String.valueOf(e.getMessage()));
        }
    }

    /** Asks the launchers to leave a host, and waits until they have. */
    static Answer drain(String zookeeper, String host, boolean wanted) {
        try (AgentRegistry registry = registry(zookeeper)) {
            if (wanted) {
                requireKnown(registry.listing(), host);
            }
            registry.drain(host, wanted);
            if (!wanted) {
                return answer(host, "host " + host + " may have ranks again", 0, 0);
            }
            return drained(
                    host,
                    () -> used(registry.agents(), host),
                    () -> registry.objections(host),
                    () -> Thread.sleep(LOOK_MILLIS));
        } catch (CoordinationFailure e) {
            throw new UserError(1, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError(1, "interrupted");
        }
    }

    private static void requireKnown(AgentRegistry.Listing listing, String host) {
        String unreadable = listing.unreadable().get(host);
        if (unreadable != null) {
            throw new UserError(1, "whether ranks are at host " + host + " cannot be known: " + unreadable);
        }
        if (used(listing.agents(), host) < 0) {
            throw new UserError(1, "there is no agent of host " + host + ": see mpjctl hosts");
        }
    }

    /** Something that takes a moment. */
    interface Pause {
        void pass() throws InterruptedException;
    }

    /**
     * Waits until no rank is at a host.
     *
     * @param used ranks there, negative while its agent is not registered: then they are not known
     */
    static Answer drained(String host, IntSupplier used, Supplier<List<String>> objections, Pause pause)
            throws InterruptedException {
        int left = used.getAsInt();
        List<String> reasons = List.of();
        for (int look = 0; left != 0 && reasons.isEmpty() && look < DRAIN_SECONDS * 1000 / LOOK_MILLIS; look++) {
            pause.pass();
            left = used.getAsInt();
            reasons = objections.get();
        }
        if (left == 0) {
            return answer(host, "host " + host + " is drained: no rank is there, and none will be", 0, 0);
        }
        return answer(host, left < 0 ? unknown(host) : stays(host, left, reasons), left, 1);
    }

    private static String unknown(String host) {
        return "the agent of " + host
                + " is not registered any more: whether ranks are there is not known. The host gets no"
                + " new ones; see whether mpjagent runs there, and ask again";
    }

    private static String stays(String host, int left, List<String> objections) {
        String ranks = left + (left == 1 ? " rank is" : " ranks are") + " still at host " + host;
        return objections.isEmpty()
                ? "after " + DRAIN_SECONDS + " s " + ranks
                : ranks + ": " + String.join("; ", objections) + ". The host gets no new ones; mpjctl undrain " + host
                        + " takes that back";
    }

    private static Answer answer(String host, String text, int ranks, int exitCode) {
        return new Answer(exitCode, text, Map.of("version", JobFolder.VERSION, "host", host, "ranks", ranks));
    }

    /** Ranks at a host, or −1 if it has no agent. */
    private static int used(List<AgentRegistration> agents, String host) {
        return agents.stream()
                .filter(agent -> agent.host().equals(host))
                .mapToInt(AgentRegistration::used)
                .findFirst()
                .orElse(-1);
    }

    /**
     * Tells all agents that a job was removed.
     *
     * @param job its name in the cluster
     * @return why hosts may still keep something of it, by host; by cluster where no host could be asked
     */
    static Map<String, String> drop(String zookeeper, String job) {
        Map<String, String> problems = new LinkedHashMap<>();
        try (AgentRegistry registry = registry(zookeeper)) {
            JobSecret secret = ClusterSecret.read(ClusterSecret.file(System.getenv()));
            AgentRegistry.Listing listing = registry.listing();
            listing.agents().forEach(agent -> {
                String problem = drop(agent, job, secret);
                if (!problem.isEmpty()) {
                    problems.put("host " + agent.host(), problem);
                }
            });
            listing.unreadable().forEach((host, why) -> problems.put("host " + host, why));
        } catch (UserError | CoordinationFailure e) {
            problems.put("cluster", String.valueOf(e.getMessage()));
        }
        return problems;
    }

    private static String drop(AgentRegistration agent, String job, JobSecret secret) {
        try (AgentLink link = AgentLink.dial(agent.address(), agent.port(), DIAL_MILLIS, secret)) {
            link.send(new AgentMessage.Drop(job), DIAL_MILLIS);
            return link.receive(DROP_MILLIS) instanceof AgentMessage.Done done
                    ? done.error()
                    : "its agent is of another version";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Whether the agents can be reached and share this user's cluster secret. */
    static List<Doctor.Finding> examine(String zookeeper) {
        List<Doctor.Finding> findings = new ArrayList<>();
        JobSecret secret;
        try (AgentRegistry registry = registry(zookeeper)) {
            findings.add(new Doctor.Finding("zookeeper", true, zookeeper + " answers"));
            secret = ClusterSecret.read(ClusterSecret.file(System.getenv()));
            AgentRegistry.Listing listing = registry.listing();
            listing.agents().forEach(agent -> findings.add(examine(agent, secret)));
            listing.unreadable().forEach((host, why) -> findings.add(new Doctor.Finding("host " + host, false, why)));
        } catch (UserError | CoordinationFailure e) {
            findings.add(new Doctor.Finding("cluster", false, String.valueOf(e.getMessage())));
        }
        return findings;
    }

    private static Doctor.Finding examine(AgentRegistration agent, JobSecret secret) {
        String what = "host " + agent.host();
        try (AgentLink link = AgentLink.dial(agent.address(), agent.port(), DIAL_MILLIS, secret)) {
            return new Doctor.Finding(
                    what, true, "its agent at " + link.peer() + " knows the secret; " + agent.slots() + " slots");
        } catch (IOException e) {
            return new Doctor.Finding(what, false, "its agent does not serve us: " + e.getMessage());
        }
    }
}
