package org.gridmpj.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.PayloadSource;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is special to this transport, on top of the contract of all. */
@Timeout(60)
class JavaTransportTest {
    private static final String LOOPBACK = "127.0.0.1";
    private static final JobSecret SECRET = JobSecret.random();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Rank> ranks = new ArrayList<>();

    private static final class Rank implements FrameSink {
        private final JavaTransport transport;
        private final int port;
        private final List<Long> received = new ArrayList<>();
        private final List<MpiFailure> losses = new ArrayList<>();

        Rank(int rank, int size, JobSecret secret) {
            transport = new JavaTransport(new TransportProvider.Context(
                    new JobSpec("test", size, 0), rank, 0, secret, this, Map.of("staging", "4096")));
            port = transport.bind(LOOPBACK);
        }

        @Override
        public PayloadSink onFrame(int peerRank, FrameHeader header) {
            return (positionBytes, source, sourceOffset, lengthBytes) -> {};
        }

        @Override
        public void onFrameComplete(int peerRank, FrameHeader header, PayloadSink sink) {
            received.add(header.messageId);
        }

        @Override
        public void onPeerLost(int peerRank, MpiFailure cause) {
            losses.add(cause);
        }

        Endpoint.Offer offer(int to, int from, long id) {
            FrameHeader header = new FrameHeader();
            header.sourceRank = from;
            header.messageId = id;
            return transport.endpoint(to).offer(header, Nothing.INSTANCE);
        }

        void pollUntil(java.util.function.BooleanSupplier condition) {
            while (!condition.getAsBoolean()) {
                if (!transport.poll()) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private enum Nothing implements PayloadSource {
        INSTANCE;

        @Override
        public void read(
                long positionBytes, java.lang.foreign.MemorySegment target, long targetOffset, int lengthBytes) {}

        @Override
        public void released() {}
    }

    private Rank rank(int rank, int size, JobSecret secret) {
        Rank made = new Rank(rank, size, secret);
        ranks.add(made);
        return made;
    }

    private static RankTable table(int... ports) {
        List<RankTable.Entry> entries = new ArrayList<>();
        for (int port : ports) {
            entries.add(new RankTable.Entry(entries.size(), LOOPBACK, port, 0, "here"));
        }
        return new RankTable(0, entries);
    }

    private CompletableFuture<Void> connect(Rank rank, RankTable table, Duration timeout) {
        return CompletableFuture.runAsync(() -> rank.transport.connect(table, timeout), threads);
    }

    private List<Rank> pair() {
        Rank first = rank(0, 2, SECRET);
        Rank second = rank(1, 2, SECRET);
        RankTable table = table(first.port, second.port);
        CompletableFuture.allOf(connect(first, table, PATIENCE), connect(second, table, PATIENCE))
                .join();
        return List.of(first, second);
    }

    @AfterEach
    void close() {
        ranks.forEach(rank -> rank.transport.close());
        threads.shutdownNow();
    }

    @Test
    void shouldCloseOnlyThatConnectionWhenAStrangerTalks() throws IOException {
        Rank first = rank(0, 2, SECRET);
        Rank second = rank(1, 2, SECRET);
        RankTable table = table(first.port, second.port);
        CompletableFuture<Void> accepting = connect(first, table, PATIENCE);
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), first.port);
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), first.port)) {
            stranger.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: a-host-that-has-lost-its-way\r\nAccept: */*\r\n\r\n"
                            .repeat(3)
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream answer = stranger.getInputStream();
            // The acceptor's nonce and proof come before it has judged; then the end, perhaps as a reset.
            assertThat(answer.readNBytes(JobSecret.NONCE_BYTES + JobSecret.PROOF_BYTES))
                    .hasSize(64);
            assertThat(endOf(answer)).isTrue();
            assertThat(accepting).isNotDone();
            connect(second, table, PATIENCE).join();
            accepting.join();
            assertThat(silent.isConnected()).isTrue();
        }
        assertThat(second.offer(0, 1, 7)).isEqualTo(Endpoint.Offer.ACCEPTED);
        first.pollUntil(() -> first.received.contains(7L));
        assertThat(first.losses).isEmpty();
    }

    private static boolean endOf(InputStream stream) {
        try {
            return stream.read() < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void shouldNameTheRankAndTheReasonWhenTheSecretIsWrong() {
        Rank first = rank(0, 2, SECRET);
        Rank second = rank(1, 2, JobSecret.random());
        RankTable table = table(first.port, second.port);
        CompletableFuture<Void> accepting = connect(first, table, PATIENCE);
        assertThatThrownBy(() -> second.transport.connect(table, Duration.ofMillis(300)))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("rank 0 at 127.0.0.1:" + first.port)
                .hasMessageContaining("does not know the secret");
        assertThat(accepting).isNotDone();
        // The right one still gets in.
        Rank third = rank(1, 2, SECRET);
        connect(third, table(first.port, third.port), PATIENCE).join();
        accepting.join();
    }

    @Test
    void shouldConnectWhenTheLowerRankListensLater() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Rank second = rank(1, 2, SECRET);
        CompletableFuture<Void> dialing = connect(second, table(port, second.port), PATIENCE);
        // Somebody else answers at that address first, and hangs up.
        try (ServerSocket other = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            other.accept().close();
        }
        Rank first = rank(0, 2, SECRET);
        try (ServerSocket relay = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> accepting = connect(first, table(port, second.port), PATIENCE);
            Socket near = relay.accept();
            Socket far = new Socket(InetAddress.getLoopbackAddress(), first.port);
            pump(near, far);
            pump(far, near);
            CompletableFuture.allOf(dialing, accepting).join();
        }
        assertThat(second.offer(0, 1, 1)).isEqualTo(Endpoint.Offer.ACCEPTED);
        first.pollUntil(() -> first.received.size() == 1);
    }

    private void pump(Socket from, Socket to) {
        threads.execute(() -> {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException over) {
                assertThat(from.isClosed() || to.isClosed()).isTrue();
            }
        });
    }

    @Test
    void shouldNameTheRanksThatDidNotComeWhenTheTimeIsOver() {
        Rank second = rank(1, 3, SECRET);
        assertThatThrownBy(() -> second.transport.connect(table(1, second.port, 2), Duration.ofMillis(150)))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("2 of 2 peers")
                .hasMessageContaining("rank 0 at 127.0.0.1:1: ")
                .hasMessageContaining("rank 2 at 127.0.0.1:2: it has not dialled");
    }

    @Test
    void shouldReportALostPeerOnceWhenTheConnectionEndsWithoutBye() {
        List<Rank> pair = pair();
        Rank survivor = pair.get(1);
        assertThat(pair.get(0).offer(1, 0, 1)).isEqualTo(Endpoint.Offer.ACCEPTED);
        pair.get(0).transport.close();
        survivor.pollUntil(() -> !survivor.losses.isEmpty());
        survivor.transport.poll();
        assertThat(survivor.received).containsExactly(1L);
        assertThat(survivor.losses).hasSize(1);
        assertThat(survivor.losses.getFirst().errorClass()).isEqualTo(ErrorClass.PROC_FAILED);
        assertThat(survivor.losses.getFirst()).hasMessageContaining("rank 1 has lost the connection to rank 0");
        assertThat(survivor.offer(0, 1, 2)).isEqualTo(Endpoint.Offer.CLOSED);
    }

    @Test
    void shouldLoseNobodyWhenBothDrainAndClose() {
        List<Rank> pair = pair();
        for (int id = 0; id < 20; id++) {
            assertThat(pair.get(0).offer(1, 0, id)).isEqualTo(Endpoint.Offer.ACCEPTED);
        }
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(
                () -> {
                    boolean drained = pair.get(0).transport.drain(PATIENCE);
                    pair.get(0).transport.close();
                    return drained;
                },
                threads);
        Rank second = pair.get(1);
        second.pollUntil(() -> second.received.size() == 20);
        assertThat(second.transport.drain(PATIENCE)).isTrue();
        assertThat(first.join()).isTrue();
        assertThat(second.losses).isEmpty();
        assertThat(second.offer(0, 1, 2)).isEqualTo(Endpoint.Offer.CLOSED);
    }

    @Test
    void shouldReachAllWhenThereAreMorePeersThanAreReadDirectly() {
        int size = JavaTransport.DIRECT_PEERS + 3;
        int frames = 30;
        int payloadBytes = 20_000;
        for (int rank = 0; rank < size; rank++) {
            rank(rank, size, SECRET);
        }
        RankTable table = table(ranks.stream().mapToInt(rank -> rank.port).toArray());
        CompletableFuture.allOf(ranks.stream()
                        .map(rank -> connect(rank, table, PATIENCE))
                        .toArray(CompletableFuture[]::new))
                .join();
        FrameHeader header = new FrameHeader();
        header.payloadBytes = payloadBytes;
        for (int frame = 0; frame < frames; frame++) {
            for (int from = 0; from < size; from++) {
                for (int to = 0; to < size; to++) {
                    if (from == to) {
                        continue;
                    }
                    header.sourceRank = from;
                    header.messageId = frame;
                    Endpoint endpoint = ranks.get(from).transport.endpoint(to);
                    while (endpoint.offer(header, Nothing.INSTANCE) == Endpoint.Offer.BACK_PRESSURED) {
                        ranks.forEach(rank -> rank.transport.poll());
                    }
                }
            }
        }
        for (Rank rank : ranks) {
            while (rank.received.size() < frames * (size - 1)) {
                ranks.forEach(each -> each.transport.poll());
            }
            assertThat(rank.losses).isEmpty();
        }
    }

    @Test
    void shouldReturnFromAwaitWhenASocketTakesBytesAgain() {
        List<Rank> pair = pair();
        Rank sender = pair.get(0);
        FrameHeader header = new FrameHeader();
        header.payloadBytes = 64L << 20;
        CompletableFuture<Void> waiting =
                CompletableFuture.runAsync(() -> sender.transport.await(PATIENCE.toNanos()), threads);
        assertThat(sender.transport.endpoint(1).offer(header, Nothing.INSTANCE)).isEqualTo(Endpoint.Offer.ACCEPTED);
        while (sender.transport.poll()) {
            Thread.onSpinWait();
        }
        // Arming wakes it; from now on only room in the socket does.
        waiting.join();
        CompletableFuture<Void> waitingForRoom =
                CompletableFuture.runAsync(() -> sender.transport.await(PATIENCE.toNanos()), threads);
        pair.get(1).pollUntil(waitingForRoom::isDone);
        assertThat(sender.transport.poll()).isTrue();
    }

    @Test
    void shouldSayThatItCannotFollowWhenARankHasMoved() {
        Rank first = pair().getFirst();
        RankTable same = table(1, 2);
        first.transport.update(same);
        assertThatThrownBy(() -> first.transport.update(new RankTable(1, same.entries())))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("--transport gridtcp");
        assertThat(first.transport.recovers()).isFalse();
    }
}
