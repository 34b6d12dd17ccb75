package org.gridmpj.launcher.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.gridmpj.job.JobSecret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AgentLinkTest {
    private final JobSecret secret = JobSecret.random();
    private final ScheduledExecutorService drips = Executors.newSingleThreadScheduledExecutor();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        drips.shutdownNow();
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

    /** Sends these bytes at once, and then one now and then until the other end does not take them any more. */
    private void drip(Socket socket, String first) {
        try {
            socket.getOutputStream().write(first.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ScheduledFuture<?> _ = drips.scheduleWithFixedDelay(
                () -> {
                    try {
                        socket.getOutputStream().write(0);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                0,
                50,
                TimeUnit.MILLISECONDS);
    }

    @Test
    void shouldWaitForADialersProofUntilTheDeadlineHoweverItsBytesCome() throws IOException {
        try (Socket stranger = new Socket(server.getInetAddress(), server.getLocalPort())) {
            drip(stranger, "GMPJAGT4");
            assertThatThrownBy(() -> AgentLink.accepted(server.accept(), secret, 300))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageContaining("has not proved within 300 ms who it is");
        }
    }

    @Test
    void shouldWaitForAnAcceptorsProofUntilTheDeadlineHoweverItsBytesCome() {
        CompletableFuture<Socket> accepting = CompletableFuture.supplyAsync(() -> {
            try {
                return server.accept();
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        CompletableFuture<Void> _ = accepting.thenAccept(stranger -> drip(stranger, ""));
        assertThatThrownBy(() -> AgentLink.dial("127.0.0.1", server.getLocalPort(), 1000, secret, 300))
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessageContaining("has not proved within 300 ms who it is");
    }
}
