package org.gridmpj.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.awaitility.Awaitility;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.RankProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(30)
@DisabledOnOs(OS.WINDOWS)
class AgentRankInputTest {
    private static final RankProcess SELF = new RankProcess(0, 0, 0);

    private final LinkedBlockingQueue<AgentMessage> sent = new LinkedBlockingQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    private static long feeders() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("stdin-0"))
                .count();
    }

    @Test
    void shouldLeaveNobodyWhoWaitsForTheInputOfAProcessThatHasEnded() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "read line; exit 3").start();
        AgentRank rank = new AgentRank(SELF, process, sent::add, ended::countDown);
        assertThat(feeders()).isEqualTo(1);
        rank.input(ByteBuffer.wrap("a line, and no end of the input\n".getBytes(StandardCharsets.UTF_8)));
        ended.await();
        assertThat(sent).contains(new AgentMessage.Exited(SELF, 3, ""));
        Awaitility.await().until(() -> feeders() == 0);
    }
}
