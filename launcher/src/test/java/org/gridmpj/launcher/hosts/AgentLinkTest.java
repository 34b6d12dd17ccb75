package org.gridmpj.launcher.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.gridmpj.job.JobSecret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AgentLinkTest {
    private final JobSecret secret = JobSecret.random();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private CompletableFuture<AgentLink> accepting(JobSecret known) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return AgentLink.accepted(server.accept(), known);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
    }

    private AgentLink dial(JobSecret known) throws IOException {
        return AgentLink.dial("127.0.0.1", server.getLocalPort(), 1000, known);
    }

    @Test
    void shouldCarryMessagesBothWaysWhenBothKnowTheSecret() throws Exception {
        CompletableFuture<AgentLink> accepting = accepting(secret);
        AgentLink accepted;
        try (AgentLink dialled = dial(secret)) {
            accepted = accepting.get();
            for (int i = 0; i < 3; i++) {
                dialled.send(new AgentMessage.Kill(new RankProcess(i, 7, 0)));
                accepted.send(new AgentMessage.Done(i, "x".repeat(i * 100_000)));
                assertThat(accepted.receive()).isEqualTo(new AgentMessage.Kill(new RankProcess(i, 7, 0)));
                assertThat(dialled.receive()).isEqualTo(new AgentMessage.Done(i, "x".repeat(i * 100_000)));
            }
        }
        assertThat(accepted.receive()).isNull();
        accepted.close();
    }

    @Test
    void shouldTurnAwayWhoDoesNotKnowTheSecret() {
        CompletableFuture<AgentLink> accepting = accepting(secret);
        assertThatThrownBy(() -> dial(JobSecret.random())).hasMessageContaining("another cluster secret");
        assertThatThrownBy(accepting::get).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void shouldNotTellAStrangerAnythingAndNotBelieveWhatItSends() throws Exception {
        CompletableFuture<AgentLink> accepting = accepting(secret);
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
            stranger.getOutputStream().write("GMPJAGT4".getBytes(StandardCharsets.US_ASCII));
            stranger.getOutputStream().write(new byte[JobSecret.NONCE_BYTES + JobSecret.PROOF_BYTES + 100]);
            stranger.shutdownOutput();
            byte[] answer = new DataInputStream(stranger.getInputStream()).readAllBytes();
            assertThat(answer).hasSize(JobSecret.NONCE_BYTES + JobSecret.PROOF_BYTES);
        }
        assertThatThrownBy(accepting::get).hasMessageContaining("does not know the cluster's secret");
    }

    @Test
    void shouldEndASendThatTheOtherEndDoesNotTake() throws Exception {
        CompletableFuture<AgentLink> accepting = accepting(secret);
        AgentMessage part = new AgentMessage.Part("", false, ByteBuffer.allocate(AgentMessage.CHUNK_BYTES));
        try (AgentLink dialled = dial(secret);
                AgentLink _ = accepting.get()) {
            assertThatThrownBy(() -> {
                        while (true) {
                            dialled.send(part, 300);
                        }
                    })
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage(dialled.peer() + " has taken nothing for 300 ms");
        }
    }
}
