package org.gridmpj.job.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
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
class ControlLinkTest {
    private final JobSecret secret = JobSecret.random();
    private final ScheduledExecutorService drips = Executors.newSingleThreadScheduledExecutor();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        drips.shutdownNow();
        server.close();
    }

    private Socket dial() throws IOException {
        return new Socket(server.getInetAddress(), server.getLocalPort());
    }

    private CompletableFuture<ControlLink> accept(JobSecret acceptorsSecret) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return ControlLink.accepted(server.accept(), acceptorsSecret);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
    }

    @Test
    void shouldCarryMessagesBothWaysAndSayWhenThePeerIsGone() throws IOException {
        CompletableFuture<ControlLink> accepting = accept(secret);
        try (ControlLink dialled = ControlLink.dialled(dial(), secret)) {
            try (ControlLink accepted = accepting.join()) {
                dialled.send(new ControlMessage.Hello(1, 0, 2));
                assertThat(accepted.receive()).isEqualTo(new ControlMessage.Hello(1, 0, 2));
                accepted.send(new ControlMessage.EpochCommitted(3));
                assertThat(dialled.receive()).isEqualTo(new ControlMessage.EpochCommitted(3));
            }
            assertThat(dialled.receive()).isNull();
        }
    }

    @Test
    void shouldRefuseAPeerWithAnotherSecretOnBothSides() {
        CompletableFuture<ControlLink> accepting = accept(secret);
        assertThatThrownBy(() -> ControlLink.dialled(dial(), JobSecret.random()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("secret");
        assertThatThrownBy(accepting::join).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void shouldTurnAStrangersBytesAway() throws IOException {
        CompletableFuture<ControlLink> accepting = accept(secret);
        try (Socket stranger = dial()) {
            stranger.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThatThrownBy(accepting::join).hasMessageContaining("control protocol");
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
            drip(stranger, "GMPJCTL1");
            assertThatThrownBy(() -> ControlLink.accepted(server.accept(), secret, 300))
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
        assertThatThrownBy(() -> ControlLink.dialled(dial(), secret, 300))
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessageContaining("has not proved within 300 ms who it is");
    }
}
