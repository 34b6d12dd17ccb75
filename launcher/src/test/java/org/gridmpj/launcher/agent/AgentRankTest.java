package org.gridmpj.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.RankProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class AgentRankTest {
    private static final RankProcess SELF = new RankProcess(0, 1, 0);
    /** More than a window; the rest fits into the pipe, so that the process can end. */
    private static final int BYTES = AgentMessage.WINDOW_BYTES + 40_000;

    private final LinkedBlockingQueue<AgentMessage> sent = new LinkedBlockingQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private int come;

    private AgentRank rank(int status) throws IOException {
        Process process = new ProcessBuilder("sh", "-c", "head -c " + BYTES + " /dev/zero; exit " + status).start();
        return new AgentRank(SELF, process, sent::add, ended::countDown);
    }

    /** The next message that is no output and no end of stderr, or null if none comes before the window is full. */
    private AgentMessage next(long patienceMillis) throws InterruptedException {
        AgentMessage message = sent.poll(patienceMillis, TimeUnit.MILLISECONDS);
        while (message instanceof AgentMessage.Output output
                && (output.stream() == AgentMessage.STDERR || output.bytes().hasRemaining())) {
            come += output.bytes().remaining();
            message = sent.poll(patienceMillis, TimeUnit.MILLISECONDS);
        }
        return message;
    }

    @Test
    void shouldNotSayThatAProcessHasEndedWellBeforeAllOfItsOutputIsTaken() throws Exception {
        AgentRank rank = rank(0);
        assertThat(next(10_000)).isInstanceOf(AgentMessage.Started.class);
        assertThat(next(2_000)).as("the launcher takes nothing").isNull();
        assertThat(come).isLessThanOrEqualTo(AgentMessage.WINDOW_BYTES);
        rank.consumed(AgentMessage.STDOUT, come);
        assertThat(next(10_000)).isInstanceOf(AgentMessage.Output.class);
        assertThat(come).isEqualTo(BYTES);
        assertThat(next(10_000)).isEqualTo(new AgentMessage.Exited(SELF, 0, ""));
        ended.await();
    }

    @Test
    void shouldSayThatAProcessHasDiedAndSendItsOutputAfterwards() throws Exception {
        AgentRank rank = rank(3);
        assertThat(next(10_000)).isInstanceOf(AgentMessage.Started.class);
        assertThat(next(10_000)).isEqualTo(new AgentMessage.Exited(SELF, 3, ""));
        rank.consumed(AgentMessage.STDOUT, come);
        assertThat(next(10_000)).isInstanceOf(AgentMessage.Output.class);
        assertThat(come).isEqualTo(BYTES);
    }

    @Test
    void shouldEndWhenNobodyTakesTheOutputAnyMore() throws Exception {
        AgentRank rank = rank(0);
        assertThat(next(10_000)).isInstanceOf(AgentMessage.Started.class);
        rank.end();
        ended.await();
    }
}
