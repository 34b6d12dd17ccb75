package org.gridmpj.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.testkit.transport.FrameRecorder;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two ranks that connect, where connections cannot always be accepted. */
@Timeout(60)
class ConnectorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final JobSecret SECRET = JobSecret.random();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<ServerSocketChannel> listeners = new ArrayList<>();
    private RankTable table;

    @BeforeEach
    void listen() throws IOException {
        List<RankTable.Entry> entries = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            listener.configureBlocking(false);
            listeners.add(listener);
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            entries.add(
                    new RankTable.Entry(rank, InetAddress.getLoopbackAddress().getHostAddress(), port, 0, "here"));
        }
        table = new RankTable(0, entries);
    }

    @AfterEach
    void close() throws IOException {
        threads.shutdown();
        for (ServerSocketChannel listener : listeners) {
            listener.close();
        }
    }

    private Connector connector(int rank, Connector.Door door) {
        TransportProvider.Context context = new TransportProvider.Context(
                new JobSpec("test", 2, 0), rank, 0, SECRET, new FrameRecorder(), Map.of());
        return new Connector(context, table, listeners.get(rank), door);
    }

    private CompletableFuture<SocketChannel[]> dialling() {
        return CompletableFuture.supplyAsync(
                () -> connector(1, listeners.get(1)::accept).connect(PATIENCE), threads);
    }

    private static void close(SocketChannel... channels) throws IOException {
        for (SocketChannel channel : channels) {
            if (channel != null) {
                channel.close();
            }
        }
    }

    @Test
    void shouldAcceptLaterWhenThereIsNoDescriptorNow() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        CompletableFuture<SocketChannel[]> peer = dialling();
        SocketChannel[] connected = connector(0, () -> {
                    if (refused.get() < 3) {
                        refused.incrementAndGet();
                        throw new SocketException("Too many open files");
                    }
                    return listeners.get(0).accept();
                })
                .connect(PATIENCE);
        assertThat(connected[1].isConnected()).isTrue();
        assertThat(peer.get()[0].isConnected()).isTrue();
        assertThat(refused).hasValue(3);
        close(connected);
        close(peer.get());
    }

    @Test
    void shouldSaySoWhenNothingCouldBeAccepted() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (SocketChannel _ = SocketChannel.open(listeners.get(0).getLocalAddress())) {
            Connector connector = connector(0, () -> {
                asked.incrementAndGet();
                throw new SocketException("Too many open files");
            });
            assertThatThrownBy(() -> connector.connect(Duration.ofMillis(450)))
                    .isInstanceOf(MpiFailure.class)
                    .hasMessageContaining("could not be accepted (at last: Too many open files)");
        }
        assertThat(asked).as("it is not asked again and again").hasValueBetween(1, 5);
    }

    @Test
    void shouldNotWaitAtAListenerThatIsClosed() throws IOException {
        try (SocketChannel _ = SocketChannel.open(listeners.get(0).getLocalAddress())) {
            Connector connector = connector(0, () -> {
                listeners.get(0).close();
                throw new ClosedChannelException();
            });
            assertThatThrownBy(() -> connector.connect(PATIENCE)).hasRootCauseInstanceOf(ClosedChannelException.class);
        }
    }
}
