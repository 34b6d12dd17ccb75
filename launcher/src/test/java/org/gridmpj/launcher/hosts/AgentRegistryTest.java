package org.gridmpj.launcher.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.awaitility.Awaitility;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AgentRegistryTest {
    private static TestingServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new TestingServer();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void shouldKnowAnAgentForAsLongAsItIsThere() {
        AgentRegistration agent = new AgentRegistration("node1", "10.0.0.1", 4711, 8, 0, 99);
        try (AgentRegistry watcher = new AgentRegistry(server.getConnectString(), 10_000)) {
            try (AgentRegistry registry = new AgentRegistry(server.getConnectString(), 10_000)) {
                registry.register(agent);
                assertThat(watcher.agents()).containsExactly(agent);
                registry.register(agent.withUsed(3));
                // a change is on its way when the call returns
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(watcher.agents()).containsExactly(agent.withUsed(3)));
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(watcher.agents()).isEmpty());
        }
    }

    @Test
    void shouldTakeThePidOfAnAgentThatSaysNoInstance() {
        String text =
                "{\"version\": 1, \"host\": \"h\", \"address\": \"a\", \"port\": 1, \"slots\": 2, \"used\": 0, \"pid\": 7";
        assertThat(AgentRegistration.parse(text + "}").instance()).isEqualTo(7);
        assertThat(AgentRegistration.parse(text + ", \"instance\": 8}").instance())
                .isEqualTo(8);
    }

    /** Members of a version are not taken away: a launcher that knows no instance reads the pid. */
    @Test
    void shouldSayItsPidToo() {
        assertThat(new AgentRegistration("h", "a", 1, 2, 0, 8).text())
                .contains("\"pid\": " + ProcessHandle.current().pid());
    }

    /** An agent of another version hides no other one. */
    @Test
    void shouldListTheOthersWhereOneCannotBeRead() throws Exception {
        AgentRegistration agent = new AgentRegistration("node5", "10.0.0.1", 4711, 8, 0, 99);
        try (CuratorFramework client =
                        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
                AgentRegistry registry = new AgentRegistry(server.getConnectString(), 10_000)) {
            registry.register(agent);
            client.start();
            client.create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath("/gridmpj/agents/node4", "{\"version\": 2}".getBytes(StandardCharsets.UTF_8));
            AgentRegistry.Listing listing = registry.listing();
            assertThat(listing.agents()).containsExactly(agent);
            assertThat(listing.unreadable()).containsOnlyKeys("node4");
            assertThat(listing.unreadable().get("node4")).contains("another version", "of version 2");
        }
    }

    @Test
    void shouldRememberWhatIsDrainedWithoutAnyAgent() {
        try (AgentRegistry registry = new AgentRegistry(server.getConnectString(), 10_000)) {
            registry.drain("node2", true);
            registry.drain("node2", true);
            assertThat(registry.draining()).containsExactly("node2");
            registry.drain("node2", false);
            registry.drain("node2", false);
            assertThat(registry.draining()).isEmpty();
        }
    }

    @Test
    void shouldSayWhyRanksStayAtAHostForAsLongAsTheirLauncherIsThere() {
        try (AgentRegistry asker = new AgentRegistry(server.getConnectString(), 10_000)) {
            try (AgentRegistry launcher = new AgentRegistry(server.getConnectString(), 10_000)) {
                launcher.object("node3", "job", "nobody drains it");
                assertThat(asker.objections("node3")).isEmpty();
                asker.drain("node3", true);
                launcher.object("node3", "job", "no room");
                launcher.object("node3", "job", "still no room");
                assertThat(asker.objections("node3")).containsExactly("still no room");
                launcher.object("node3", "job", "");
                assertThat(asker.objections("node3")).isEmpty();
                launcher.object("node3", "job", "again no room");
                assertThat(asker.draining()).containsExactly("node3");
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(asker.objections("node3")).isEmpty());
            asker.drain("node3", false);
            assertThat(asker.draining()).isEmpty();
        }
    }

    @Test
    void shouldSayThatNoServerAnswers() {
        assertThatThrownBy(() -> new AgentRegistry("127.0.0.1:1", 300).close())
                .isInstanceOf(CoordinationFailure.class)
                .hasMessageContaining("no ZooKeeper answers at 127.0.0.1:1");
    }
}
