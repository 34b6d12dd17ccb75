package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostWishTest {
    @Test
    void shouldReadNamesWithAndWithoutSlots() {
        HostWish wish = HostWish.of("--hosts", "a:4,b");
        assertThat(wish.slots().keySet()).containsExactly("a", "b");
        assertThat(wish.slots(new AgentRegistration("a", "10.0.0.1", 1, 2, 0, 1)))
                .isEqualTo(4);
        assertThat(wish.slots(new AgentRegistration("b", "10.0.0.2", 1, 2, 0, 1)))
                .isEqualTo(2);
        assertThat(wish.includes("c")).isFalse();
        assertThat(HostWish.of("--hosts", HostWish.ALL).includes("c")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a:", ":4", "a:0", "a:-1", "a:x", "a:4:4", "a,,b"})
    void shouldRefuseWhatIsNoListOfHosts(String text) {
        assertThatThrownBy(() -> HostWish.of("--hosts", text))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--hosts wants NAME:SLOTS");
    }

    @Test
    void shouldReadAHostFileAsOtherSystemsHaveIt(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("hosts");
        Files.writeString(file, "# the cluster\nnode1 slots=4\n\n  node2:2  # new\nnode3\n");
        assertThat(HostWish.ofFile(file)).isEqualTo("node1:4,node2:2,node3");
    }
}
