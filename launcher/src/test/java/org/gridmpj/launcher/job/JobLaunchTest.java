package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.apache.curator.test.TestingServer;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.AgentRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobLaunchTest {
    @Test
    void shouldRunNowhereElseWhenAClusterHasNoAgents(@TempDir Path folder) throws Exception {
        try (TestingServer zookeeper = new TestingServer()) {
            JobRequest request = JobRequests.inCluster(zookeeper.getConnectString(), folder);
            assertThatThrownBy(() -> JobLaunch.placed(request))
                    .isInstanceOfSatisfying(
                            UserError.class, e -> assertThat(e.exitCode()).isEqualTo(1))
                    .hasMessageContaining("no host has an agent registered at " + zookeeper.getConnectString());
            try (UnreadableAgent _ = new UnreadableAgent(zookeeper.getConnectString(), "h0")) {
                assertThatThrownBy(() -> JobLaunch.placed(request))
                        .hasMessageStartingWith("no host has an agent that this version can use: /gridmpj/agents/h0");
            }
            try (AgentRegistry registry = new AgentRegistry(zookeeper.getConnectString(), 10_000)) {
                registry.register(new AgentRegistration("h1", "127.0.0.1", 1, 2, 0, 1));
                assertThat(JobLaunch.placed(request).hosted()).isTrue();
            }
        }
        JobRequest here = JobRequests.inCluster("", folder);
        assertThat(JobLaunch.placed(here)).isSameAs(here);
    }
}
