package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.AgentRegistry;
import org.gridmpj.launcher.hosts.RankProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When silence is a death: a host for how long it has been silent, and a ZooKeeper that knows it, or not, or is away. */
@Timeout(120)
class HostWatchTest {
    private static final int LEASE_MILLIS = 4_000;
    private static final AgentRegistration AGENT = new AgentRegistration("h1", "127.0.0.1", 1, 2, 0, 4711);

    private TestingServer zookeeper;
    private AgentRegistry agents;
    private AgentRegistry registry;
    private HostWatch watch;
    private final JobSecret cluster = JobSecret.random();

    @BeforeEach
    void begin() throws Exception {
        zookeeper = new TestingServer();
        agents = new AgentRegistry(zookeeper.getConnectString(), 10_000);
        agents.register(AGENT);
        registry = new AgentRegistry(zookeeper.getConnectString(), 10_000);
        watch = new HostWatch(registry, cluster, LEASE_MILLIS, event -> {});
    }

    @AfterEach
    void end() throws Exception {
        watch.close();
        agents.close();
        registry.close();
        zookeeper.close();
    }

    private void unregister() {
        agents.close();
        Awaitility.await().until(() -> registry.agents().isEmpty());
    }

    @Test
    void shouldWaitUntilTheLeaseIsOverThoughZooKeeperDoesNotKnowTheHostAnyMore() {
        unregister();
        assertThat(watch.causeOfSilence(silentFor(LEASE_MILLIS), true)).isEmpty();
        assertThat(watch.wasLost(AGENT)).isFalse();

        assertThat(watch.causeOfSilence(silentFor(LEASE_MILLIS + 2_000), true))
                .isEqualTo("it has given no sign of life for 6.0 s");
        assertThat(watch.wasLost(AGENT)).isTrue();
    }

    @Test
    void shouldWaitForASessionMoreWhileZooKeeperKnowsTheHost() {
        assertThat(watch.causeOfSilence(silentFor(LEASE_MILLIS + 2_000), true)).isEmpty();
        assertThat(watch.wasLost(AGENT)).isFalse();

        assertThat(watch.causeOfSilence(silentFor(LEASE_MILLIS + 10_000), true))
                .isEqualTo("it has given no sign of life for 14.0 s, though ZooKeeper still knows it");
    }

    @Test
    void shouldGiveASilentHostUpThoughTheRegistrationOfAnotherOneCannotBeRead() throws Exception {
        unregister();
        try (UnreadableAgent _ = new UnreadableAgent(zookeeper.getConnectString(), "h0")) {
            assertThat(watch.causeOfSilence(silentFor(LEASE_MILLIS + 2_000), true))
                    .isEqualTo("it has given no sign of life for 6.0 s");
        }
    }

    @Test
    void shouldTakeAHostForRegisteredWhoseRegistrationCannotBeRead() throws Exception {
        unregister();
        try (UnreadableAgent _ = new UnreadableAgent(zookeeper.getConnectString(), AGENT.host())) {
            assertThat(watch.causeOfSilence(silentFor(LEASE_MILLIS + 2_000), true))
                    .isEmpty();
            assertThat(watch.causeOfSilence(silentFor(LEASE_MILLIS + 10_000), true))
                    .endsWith("though ZooKeeper still knows it");
        }
    }

    @Test
    void shouldUseAnAgentAgainThatComesBackInPlaceOfALostOne() {
        unregister();
        assertThat(watch.causeOfSilence(silentFor(LEASE_MILLIS + 2_000), true)).isNotEmpty();
        assertThat(watch.wasLost(AGENT)).isTrue();
        assertThat(watch.wasLost(AGENT.withUsed(1))).isTrue();
        assertThat(watch.wasLost(new AgentRegistration("h1", "127.0.0.1", 1, 2, 0, 4712)))
                .isFalse();
    }

    @Test
    void shouldUseALostAgentAgainWhenItAnswers() throws Exception {
        unregister();
        assertThat(watch.causeOfSilence(silentFor(LEASE_MILLIS + 2_000), true)).isNotEmpty();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                AgentRegistry again = new AgentRegistry(zookeeper.getConnectString(), 10_000)) {
            AgentRegistration agent =
                    new AgentRegistration("h1", "127.0.0.1", socket.getLocalPort(), 2, 0, AGENT.instance());
            again.register(agent);
            assertThat(watch.wasLost(agent)).isTrue();

            CompletableFuture<Void> stranger = meet(socket, JobSecret.random());
            watch.dialLost();
            stranger.join();
            assertThat(watch.wasLost(agent)).isTrue();

            CompletableFuture<Void> itself = meet(socket, cluster);
            watch.dialLost();
            itself.join();
            assertThat(watch.wasLost(agent)).isFalse();
        }
    }

    private static CompletableFuture<Void> meet(ServerSocket socket, JobSecret secret) {
        return CompletableFuture.runAsync(() -> {
            try (AgentLink _ = AgentLink.accepted(socket.accept(), secret)) {
                // that it answers is all
            } catch (IOException e) {
                // it has another secret
            }
        });
    }

    @Test
    void shouldDeclareNobodyDeadWhileZooKeeperIsAway() throws Exception {
        unregister();
        zookeeper.stop();
        assertThatThrownBy(registry::agents).isInstanceOf(CoordinationFailure.class);

        assertThat(watch.causeOfSilence(silentFor(1_000 * LEASE_MILLIS), true)).isEmpty();
        assertThat(watch.wasLost(AGENT)).isFalse();
    }

    private static AgentHost silentFor(int millis) {
        return new SilentHost(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** A host of which only its silence is known. */
    private record SilentHost(long silenceNanos) implements AgentHost {
        @Override
        public String name() {
            return AGENT.host();
        }

        @Override
        public AgentRegistration agent() {
            return AGENT;
        }

        @Override
        public Process start(RankProcess wanted) {
            throw new UnsupportedOperationException("nothing runs here");
        }

        @Override
        public CompletableFuture<String> request(IntFunction<AgentMessage> message) {
            throw new UnsupportedOperationException("it does not answer");
        }

        @Override
        public CompletableFuture<String> comes(CompletableFuture<String> answer) {
            return answer;
        }

        @Override
        public void tell(AgentMessage message) {
            throw new UnsupportedOperationException("it does not listen");
        }

        @Override
        public boolean isEnded() {
            return false;
        }

        @Override
        public boolean has(Process process) {
            return false;
        }

        @Override
        public void lost() {
            // nobody is there to be told
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
