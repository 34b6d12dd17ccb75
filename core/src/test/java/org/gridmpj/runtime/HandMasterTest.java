package org.gridmpj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.control.ControlLink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandMasterTest {
    private final JobSecret secret = JobSecret.random();

    private static InetSocketAddress freeAddress() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(free.getInetAddress(), free.getLocalPort());
        }
    }

    /** Strangers who have begun to speak and go no further: each would have held up the start for its ten seconds. */
    @Test
    void shouldMeetItsSlavesBehindStrangersWhoSayLittle() throws Exception {
        InetSocketAddress address = freeAddress();
        CompletableFuture<HandMaster> opening = CompletableFuture.supplyAsync(() -> {
            try {
                return HandMaster.open(address, 3, secret, Duration.ofMinutes(1), code -> {});
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                Socket stranger = Awaitility.await()
                        .ignoreExceptions()
                        .until(() -> new Socket(address.getAddress(), address.getPort()), Socket::isConnected);
                strangers.add(stranger);
                stranger.getOutputStream().write('G');
            }
            long beginNanos = System.nanoTime();
            for (int rank = 1; rank <= 2; rank++) {
                Parent _ = ParentConnection.open(address, secret, rank, 0, code -> {}, true);
            }
            HandMaster master = opening.join();
            assertThat(Duration.ofNanos(System.nanoTime() - beginNanos))
                    .isLessThan(Duration.ofMillis(ControlLink.HANDSHAKE_MILLIS));
            assertThat(master).isNotNull();
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }
}
