package org.gridmpj.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.Json;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.RankProcess;
import org.gridmpj.launcher.job.JobRequest;
import org.gridmpj.launcher.program.Program;
import org.gridmpj.runtime.ArgsLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A launcher whose connection is there, but who says nothing: frozen, or behind a network that is parted. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class AgentLeaseTest {
    private static final int LEASE_MILLIS = 1_000;
    /** The agent gives a sign of life four times in a lease; by this one the lease has been over for long. */
    private static final int MOST_BEATS = 40;

    private static final RankProcess RANK = new RankProcess(0, 0, 0);

    @TempDir
    Path folder;

    private final JobSecret cluster = JobSecret.random();

    @Test
    void shouldEndTheRanksOfALauncherThatIsSilentForALease() throws Exception {
        try (Agent agent = agent(program())) {
            Thread _ = AgentJob.start("agent", agent::serve);
            try (AgentLink launcher = AgentLink.dial("127.0.0.1", agent.port(), 10_000, cluster)) {
                launcher.send(open(List.of()));
                launcher.send(new AgentMessage.Start(RANK));
                ProcessHandle rank = started(launcher);

                assertThat(beatsToTheEnd(launcher)).isLessThan(MOST_BEATS);
                rank.onExit().get();
            }
        }
    }

    @Test
    void shouldStartTheProcessOfALaterLifeAndEndTheOneBefore() throws Exception {
        try (Agent agent = agent(program())) {
            Thread _ = AgentJob.start("agent", agent::serve);
            try (AgentLink launcher = AgentLink.dial("127.0.0.1", agent.port(), 10_000, cluster)) {
                launcher.send(open(List.of()));
                launcher.send(new AgentMessage.Start(RANK));
                ProcessHandle before = started(launcher);

                RankProcess later = new RankProcess(1, 0, 0);
                launcher.send(new AgentMessage.Start(later));
                launcher.send(new AgentMessage.Kill(later)); // may be read before that process is there
                Set<AgentMessage> told = new HashSet<>();
                while (told.size() < 3) {
                    AgentMessage message = launcher.receive();
                    if (message instanceof AgentMessage.Exited || message instanceof AgentMessage.Started) {
                        told.add(message);
                    } else if (message instanceof AgentMessage.Beat) {
                        launcher.send(new AgentMessage.Beat());
                    }
                }
                assertThat(told)
                        .contains(new AgentMessage.Exited(RANK, 137, ""), new AgentMessage.Exited(later, 137, ""))
                        .anyMatch(message -> message instanceof AgentMessage.Started started
                                && started.of().equals(later)
                                && started.pid() != before.pid());
            }
        }
    }

    @Test
    void shouldKeepNoJarWhoseContentIsAnother() throws Exception {
        try (Agent agent = agent(folder.resolve("java"))) {
            Thread _ = AgentJob.start("agent", agent::serve);
            String name = "0".repeat(64) + ".jar";
            try (AgentLink launcher = AgentLink.dial("127.0.0.1", agent.port(), 10_000, cluster)) {
                launcher.send(open(List.of(name)));
                assertThat(launcher.receive()).isEqualTo(new AgentMessage.Wanted(List.of(name)));
                launcher.send(new AgentMessage.Part(name, true, ByteBuffer.wrap(new byte[] {1, 2, 3})));
                assertThat(launcher.receive())
                        .isInstanceOfSatisfying(
                                AgentMessage.Done.class,
                                refused -> assertThat(refused.error())
                                        .startsWith("host h1 cannot take the job: the jar " + name
                                                + " has changed since the job began"));
            }
            assertThat(folder.resolve("cache/agent/parts")).isEmptyDirectory();
        }
    }

    @Test
    void shouldKeepNothingOfAJobThatWasRemovedUnlessItRuns() throws Exception {
        Path kept = folder.resolve("cache/agent/job/snapshots/g0-e000001/rank-0.img");
        try (Agent agent = agent(program())) {
            Thread _ = AgentJob.start("agent", agent::serve);
            ProcessHandle rank;
            try (AgentLink launcher = AgentLink.dial("127.0.0.1", agent.port(), 10_000, cluster)) {
                launcher.send(open(List.of()));
                launcher.send(new AgentMessage.Start(RANK));
                rank = started(launcher);
                Files.createDirectories(kept.getParent());
                Files.writeString(kept, "image");

                assertThat(dropped(agent, "job")).isEqualTo("the job runs there");
                assertThat(kept).hasContent("image");
            }
            rank.onExit().get();
            String answer = "the job runs there";
            while (answer.equals("the job runs there")) {
                answer = dropped(agent, "job"); // it ends
            }
            assertThat(answer).isEmpty();
            assertThat(folder.resolve("cache/agent/job")).doesNotExist();
            assertThat(dropped(agent, "job")).as("nothing is left to go").isEmpty();
            assertThat(dropped(agent, "../job")).contains("is no name of a job");
        }
    }

    private String dropped(Agent agent, String job) throws IOException {
        try (AgentLink link = AgentLink.dial("127.0.0.1", agent.port(), 10_000, cluster)) {
            link.send(new AgentMessage.Drop(job));
            return link.receive() instanceof AgentMessage.Done done ? done.error() : "no answer";
        }
    }

    /** In place of a JVM: it does not end by itself. */
    private Path program() throws IOException {
        Path program = Files.writeString(folder.resolve("java"), "#!/bin/sh\nexec sleep 1000\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private Agent agent(Path java) throws IOException {
        return new Agent(
                new Agent.Place("h1", "127.0.0.1", 0, 2),
                cluster,
                new UserFolders(folder.resolve("cache")),
                new Installation(java, List.of(folder), null, null));
    }

    private AgentMessage.Open open(List<String> parts) {
        return new AgentMessage.Open(
                "job", JobSecret.random().text(), Json.write(request().toJson()), false, parts, LEASE_MILLIS);
    }

    private JobRequest request() {
        return new JobRequest(
                new Program("Main", List.of(), "Main"),
                List.of(),
                2,
                "gridtcp",
                "auto",
                "",
                null,
                false,
                false,
                ArgsLayout.MPIJAVA,
                List.of(),
                Map.of(),
                folder,
                false,
                null,
                "",
                "h1",
                false);
    }

    private static ProcessHandle started(AgentLink launcher) throws IOException {
        while (true) {
            AgentMessage message = launcher.receive();
            if (message instanceof AgentMessage.Started started) {
                return ProcessHandle.of(started.pid()).orElseThrow();
            }
            assertThat(message)
                    .isInstanceOfAny(AgentMessage.Wanted.class, AgentMessage.Beat.class, AgentMessage.Output.class);
        }
    }

    /** How many signs of life come before the agent drops the connection; no more are awaited than are allowed. */
    private static int beatsToTheEnd(AgentLink launcher) {
        int beats = 0;
        try {
            AgentMessage message = launcher.receive();
            while (message != null && beats < MOST_BEATS) {
                beats += message instanceof AgentMessage.Beat ? 1 : 0;
                message = launcher.receive();
            }
        } catch (IOException e) {
            // as an end of file
        }
        return beats;
    }
}
