package org.gridmpj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.gridmpj.job.JobSecret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slaves that are started by hand, and strangers at the same door. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandMasterTest {
    /** More than may be there without a proof. */
    private static final int MANY = 100;

    private final JobSecret secret = JobSecret.random();
    private final List<Socket> strangers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 2 * MANY, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        threads.shutdown();
        for (Socket stranger : strangers) {
            stranger.close();
        }
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    private void strangersCome(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket stranger = new Socket(server.getInetAddress(), server.getLocalPort());
            strangers.add(stranger);
            stranger.getOutputStream().write('G');
        }
    }

    private CompletableFuture<HandMaster> master(int size, Duration meetingTime) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return HandMaster.open(server, size, secret, meetingTime, code -> {});
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                threads);
    }

    private @Nullable Parent join(int rank, long deadlineNanos) throws IOException {
        return HandStart.join(address(), secret, rank, deadlineNanos, code -> {});
    }

    private static long inAMinute() {
        return System.nanoTime() + Duration.ofMinutes(1).toNanos();
    }

    /** Each stranger has 10 s: if they were met one after the other the slaves would not come in time. */
    @Test
    void shouldMeetItsSlavesWhoeverElseHoldsConnections() throws Exception {
        strangersCome(MANY);
        CompletableFuture<HandMaster> master = master(3, Duration.ofSeconds(9));
        assertThat(join(2, inAMinute())).isNotNull();
        assertThat(join(1, inAMinute())).isNotNull();
        assertThat(master.get().job().size()).isEqualTo(3);
    }

    @Test
    void shouldTryAgainWhenTheMasterDropsTheConnection() throws Exception {
        CompletableFuture<Void> dropped = CompletableFuture.runAsync(
                () -> {
                    try {
                        server.accept().close();
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                threads);
        assertThat(join(1, inAMinute())).isNull();
        dropped.get();
        CompletableFuture<HandMaster> master = master(2, Duration.ofSeconds(30));
        assertThat(join(1, inAMinute())).isNotNull();
        master.get();
    }

    @Test
    void shouldNameTheSlavesThatHaveNotCome() throws IOException {
        CompletableFuture<HandMaster> master = master(4, Duration.ofSeconds(1));
        assertThat(join(2, inAMinute())).isNotNull();
        assertThatThrownBy(master::get).hasRootCauseMessage("2 of 3 slaves have not come within 1 s: ranks 1, 3");
    }

    @Test
    void shouldNotWaitAtASocketThatIsClosed() throws IOException {
        CompletableFuture<HandMaster> master = master(2, Duration.ofMinutes(10));
        server.close();
        assertThatThrownBy(master::get).hasRootCauseInstanceOf(SocketException.class);
    }

    @Test
    void shouldTryNoLongerThanItsTime() throws IOException {
        server.close();
        assertThatThrownBy(() -> join(1, System.nanoTime() - 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it has been tried for 120 s, at last: java.net.ConnectException");
    }

    @Test
    void shouldNotTryAgainWithAnotherSecret() {
        CompletableFuture<HandMaster> _ = master(2, Duration.ofSeconds(30));
        assertThatThrownBy(() -> HandStart.join(address(), JobSecret.random(), 1, inAMinute(), code -> {}))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("does not know this job's secret");
    }

    @Test
    void shouldNotTryAgainForARankThatIsNotWanted() throws Exception {
        CompletableFuture<HandMaster> master = master(3, Duration.ofSeconds(30));
        assertThat(join(1, inAMinute())).isNotNull();
        assertThatThrownBy(() -> join(1, inAMinute())).hasMessageEndingWith("there is a rank 1 already");
        assertThatThrownBy(() -> join(3, inAMinute())).hasMessageEndingWith("the job has the ranks 0 to 2");
        assertThat(join(2, inAMinute())).isNotNull();
        master.get();
    }
}
