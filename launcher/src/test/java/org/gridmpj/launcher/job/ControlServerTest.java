package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ControlServerTest {
    /** More than may be there without a proof. */
    private static final int MANY = 300;

    @Test
    void shouldMeetARankThoughStrangersHoldAllConnectionsThatMayBeThereWithoutAProof() throws Exception {
        JobSecret secret = JobSecret.random();
        CompletableFuture<ControlMessage> met = new CompletableFuture<>();
        List<Socket> strangers = new ArrayList<>();
        try (ControlServer server = new ControlServer(secret, (first, link) -> {
            met.complete(first);
            link.close();
        })) {
            for (int i = 0; i < MANY; i++) {
                Socket stranger = new Socket(
                        server.address().getAddress(), server.address().getPort());
                strangers.add(stranger);
                stranger.getOutputStream().write('G');
            }
            Socket socket =
                    new Socket(server.address().getAddress(), server.address().getPort());
            try (ControlLink rank = ControlLink.dialled(socket, secret)) {
                rank.send(new ControlMessage.Hello(1, 0, 7));
                assertThat(met.get()).isEqualTo(new ControlMessage.Hello(1, 0, 7));
            }
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }
}
