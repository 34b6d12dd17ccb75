package org.gridmpj.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostCommandsTest {
    private int pauses;

    private HostCommands.Answer drained(List<String> objections, Integer... used) throws InterruptedException {
        Iterator<Integer> looks = List.of(used).iterator();
        int last = used[used.length - 1];
        return HostCommands.drained(
                "h2", () -> looks.hasNext() ? looks.next() : last, () -> objections, () -> pauses++);
    }

    @Test
    void shouldNotCallAHostDrainedWhoseAgentIsNotRegistered() throws InterruptedException {
        HostCommands.Answer answer = drained(List.of(), 2, -1);

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(answer.text())
                .startsWith("the agent of h2 is not registered any more: whether ranks are there is not known");
        assertThat(pauses).isGreaterThan(2);
    }

    @Test
    void shouldLookAgainAtAnAgentThatIsRegisteredAgain() throws InterruptedException {
        HostCommands.Answer answer = drained(List.of(), 2, -1, 1, 0);

        assertThat(answer.exitCode()).isZero();
        assertThat(answer.text()).contains("host h2 is drained");
        assertThat(pauses).isEqualTo(3);
    }

    @Test
    void shouldSayWhyRanksStay() throws InterruptedException {
        HostCommands.Answer answer = drained(List.of("no room"), 2);

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(answer.text()).startsWith("2 ranks are still at host h2: no room");
        assertThat(pauses).isEqualTo(1);
    }
}
