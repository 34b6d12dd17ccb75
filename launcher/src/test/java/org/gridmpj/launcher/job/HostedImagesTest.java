package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.gridmpj.checkpoint.EpochId;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.RankProcess;
import org.junit.jupiter.api.Test;

class HostedImagesTest {
    private final NotedHost first = new NotedHost("a");
    private final NotedHost second = new NotedHost("b");
    private final HostedImages images = new HostedImages(() -> List.of(first, second), Machine.THIS);

    @Test
    void shouldHaveAllHostsRemoveWhatIsNotNeededWhoeverHasWrittenIt() throws IOException {
        written("g0-e1/rank-0.image");
        written("g0-e2/rank-0.image");
        written("g1-e0/rank-0.image");

        images.sweep(1, Set.of(new EpochId(0, 1)));

        AgentMessage keep = new AgentMessage.Keep(1, List.of("g0-e1"));
        assertThat(first.told).containsExactly(keep);
        assertThat(second.told).containsExactly(keep);
        images.require(image("g0-e1/rank-0.image"));
        images.require(image("g1-e0/rank-0.image"));
        assertThatThrownBy(() -> images.require(image("g0-e2/rank-0.image")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no host that is left has g0-e2/rank-0.image");
    }

    private void written(String file) {
        assertThat(images.copy(first, new ControlMessage.SnapshotWritten(0, file, 1, 2, 0, 0, 0, 0, 0))
                        .join())
                .isEmpty();
    }

    private static RankImage image(String file) {
        return new RankImage(0, file, 1, 2, 0, 0, 0, 0, 0);
    }

    /** Does at once what it is asked for, and notes what it is told. */
    private record NotedHost(String name, List<AgentMessage> told) implements AgentHost {
        NotedHost(String name) {
            this(name, new ArrayList<>());
        }

        @Override
        public AgentRegistration agent() {
            return new AgentRegistration(name, "10.0.0.1", 1, 1, 0, 1);
        }

        @Override
        public Process start(RankProcess wanted) {
            throw new UnsupportedOperationException("nothing runs here");
        }

        @Override
        public CompletableFuture<String> request(IntFunction<AgentMessage> message) {
            return CompletableFuture.completedFuture("");
        }

        @Override
        public CompletableFuture<String> comes(CompletableFuture<String> answer) {
            return answer;
        }

        @Override
        public void tell(AgentMessage message) {
            told.add(message);
        }

        @Override
        public long silenceNanos() {
            return 0;
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
            throw new UnsupportedOperationException("it is there");
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
