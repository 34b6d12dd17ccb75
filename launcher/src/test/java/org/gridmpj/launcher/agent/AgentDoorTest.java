package org.gridmpj.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.AgentRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who comes in, and under which number an agent is known. */
@Timeout(60)
class AgentDoorTest {
    /** More than may be there without a proof. */
    private static final int MANY = 100;

    @TempDir
    Path folder;

    private final JobSecret cluster = JobSecret.random();

    private Agent agent() throws IOException {
        return new Agent(
                new Agent.Place("h1", "127.0.0.1", 0, 2),
                cluster,
                new UserFolders(folder.resolve("cache")),
                new Installation(folder.resolve("java"), List.of(folder), null, null));
    }

    @Test
    void shouldServeALauncherThoughStrangersHoldAllConnectionsThatMayBeThereWithoutAProof() throws Exception {
        List<Socket> strangers = new ArrayList<>();
        try (Agent agent = agent()) {
            Thread _ = AgentJob.start("agent", agent::serve);
            for (int i = 0; i < MANY; i++) {
                Socket stranger = new Socket(InetAddress.getLoopbackAddress(), agent.port());
                strangers.add(stranger);
                stranger.getOutputStream().write('G');
            }
            try (AgentLink launcher = AgentLink.dial("127.0.0.1", agent.port(), 5_000, cluster)) {
                launcher.send(new AgentMessage.Deliver("job", "file"));
                assertThat(launcher.receive()).isInstanceOf(AgentMessage.Done.class);
            }
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    /** Both agents are of this process, as those of a container are all process 1. */
    @Test
    void shouldBeKnownByANumberOfItsOwnThoughItsPidIsThatOfTheOneBefore() throws Exception {
        try (TestingServer zookeeper = new TestingServer();
                AgentRegistry registry = new AgentRegistry(zookeeper.getConnectString(), 10_000)) {
            long before = instanceOfOne(zookeeper, registry);
            Awaitility.await().until(() -> registry.agents().isEmpty());
            assertThat(instanceOfOne(zookeeper, registry)).isNotEqualTo(before);
        }
    }

    @Test
    void shouldNotBeRegisteredInPlaceOfAnotherAgentThatAnswers() throws Exception {
        try (TestingServer zookeeper = new TestingServer();
                AgentRegistry registry = new AgentRegistry(zookeeper.getConnectString(), 10_000);
                Agent first = agent()) {
            first.register(zookeeper.getConnectString());
            Thread _ = AgentJob.start("agent", first::serve);
            try (Agent second = agent()) {
                assertThatThrownBy(() -> second.register(zookeeper.getConnectString()))
                        .isInstanceOf(CoordinationFailure.class)
                        .hasMessageContaining("has an agent already, at 127.0.0.1:" + first.port());
            }
            assertThat(registry.agents()).extracting(AgentRegistration::port).containsExactly(first.port());
        }
    }

    @Test
    void shouldSayInWordsThatAFileIsNotThereOrMayNotBeRead() {
        assertThat(AgentJob.words(new NoSuchFileException("/disk/rank-2.image")))
                .isEqualTo("there is no /disk/rank-2.image");
        assertThat(AgentJob.words(new AccessDeniedException("/disk"))).isEqualTo("/disk: permission denied");
        assertThat(AgentJob.words(new IOException("No space left on device"))).isEqualTo("No space left on device");
        assertThat(AgentJob.words(new IOException())).isEqualTo("java.io.IOException");
    }

    private long instanceOfOne(TestingServer zookeeper, AgentRegistry registry) throws IOException {
        try (Agent agent = agent()) {
            agent.register(zookeeper.getConnectString());
            return registry.agents().getFirst().instance();
        }
    }
}
