package org.gridmpj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;

class RankEnvironmentTest {
    private final RankEnvironment environment = new RankEnvironment(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000),
            2,
            4,
            1,
            Path.of("/tmp/a job"),
            "127.0.0.1",
            "gridtcp",
            "tcp",
            "1s",
            Path.of("/tmp/snap shots"),
            ArgsLayout.MPJEXPRESS,
            1 << 20);

    @Test
    void shouldReadBackItsOwnVariables() {
        assertThat(RankEnvironment.of(environment.variables())).contains(environment);
    }

    @Test
    void shouldSayThatAnOrdinaryJvmIsNoRank() {
        assertThat(RankEnvironment.of(Map.of("PATH", "/bin"))).isEmpty();
    }

    @Test
    void shouldNameTheVariableThatIsWrong() {
        Map<String, String> variables = new HashMap<>(environment.variables());
        variables.put("GRIDMPJ_RANK", "two");
        assertThatThrownBy(() -> RankEnvironment.of(variables))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("GRIDMPJ_RANK")
                .hasMessageContaining("two");
    }

    @Test
    void shouldHandTheTransportItsOptions() {
        assertThat(RankEnvironment.transportOptions(
                        "tcp", Map.of("GRIDMPJ_TRANSPORT_OPTIONS", "tls=on, data=pipeline")))
                .containsOnly(Map.entry("link", "tcp"), Map.entry("tls", "on"), Map.entry("data", "pipeline"));
        assertThat(RankEnvironment.transportOptions("auto", Map.of())).containsOnly(Map.entry("link", "auto"));
        assertThatThrownBy(() -> RankEnvironment.transportOptions("auto", Map.of("GRIDMPJ_TRANSPORT_OPTIONS", "tls")))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("GRIDMPJ_TRANSPORT_OPTIONS");
    }

    @Test
    void shouldArrangeMainsArgumentsInEachLayout() {
        List<String> user = List.of("x", "y z");
        assertThat(ArgsLayout.MPJEXPRESS.arrange("Prog", 2, 4, "gridtcp", user))
                .containsExactly("2", "4", "gridtcp", "x", "y z");
        assertThat(ArgsLayout.MPIJAVA.arrange("Prog", 2, 4, "gridtcp", user)).containsExactly("Prog", "x", "y z");
        assertThat(ArgsLayout.CLEAN.arrange("Prog", 2, 4, "gridtcp", user)).containsExactly("x", "y z");
    }
}
