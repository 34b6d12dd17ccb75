package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.RankProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RemoteProcessTest {
    private static final RankProcess SELF = new RankProcess(1, 3, 2);
    private final LinkedBlockingQueue<AgentMessage> sent = new LinkedBlockingQueue<>();
    private final RemoteProcess process = new RemoteProcess(this, SELF, sent::add);

    @Test
    void shouldGiveTheOutputInOrderAndSayWhatWasConsumed() throws IOException {
        process.output(AgentMessage.STDOUT, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        process.output(AgentMessage.STDERR, ByteBuffer.wrap(new byte[] {9}));
        process.output(AgentMessage.STDOUT, ByteBuffer.wrap(new byte[] {4}));
        process.output(AgentMessage.STDOUT, ByteBuffer.allocate(0));
        assertThat(process.getInputStream().readAllBytes()).containsExactly(1, 2, 3, 4);
        assertThat(List.copyOf(sent))
                .containsExactly(
                        new AgentMessage.Consumed(SELF, AgentMessage.STDOUT, 3),
                        new AgentMessage.Consumed(SELF, AgentMessage.STDOUT, 1));
    }

    @Test
    void shouldHoldInputBackWhenTheWindowIsFull() throws Exception {
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(new byte[AgentMessage.WINDOW_BYTES + 1]);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        int come = 0;
        while (come < AgentMessage.WINDOW_BYTES) {
            come += ((AgentMessage.Input) sent.take()).bytes().remaining();
        }
        assertThat(come).isEqualTo(AgentMessage.WINDOW_BYTES);
        assertThat(sent.poll(50, TimeUnit.MILLISECONDS)).isNull();
        process.inputConsumed(1);
        assertThat(((AgentMessage.Input) sent.take()).bytes().remaining()).isEqualTo(1);
        writing.get();
        assertThat(((AgentMessage.Input) sent.take()).bytes().remaining()).isZero();
    }

    @Test
    void shouldCountAsKilledWhenItsHostIsLost() throws Exception {
        process.output(AgentMessage.STDOUT, ByteBuffer.wrap(new byte[] {1}));
        process.lost();
        assertThat(process.waitFor()).isEqualTo(RemoteProcess.LOST_STATUS);
        assertThat(process.isAlive()).isFalse();
        assertThat(process.getInputStream().readAllBytes()).containsExactly(1);
        assertThat(process.isOf(this)).isTrue();
    }
}
