package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.testkit.transport.ConnectionCuttingProxy;
import org.gridmpj.testkit.transport.FrameRecorder;
import org.gridmpj.testkit.transport.PatternPayload;
import org.gridmpj.testkit.transport.TransportCluster;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.ShortMessages;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shell around the channel: real connections that break, a rank that moves. */
@Timeout(120)
@Isolated
class GridTcpRecoveryTest {
    private static final GridTcpTransportProvider PROVIDER = new GridTcpTransportProvider();

    private static FrameHeader header(int source, int number, int payloadBytes) {
        FrameHeader header = new FrameHeader();
        header.sourceRank = source;
        header.tag = number;
        header.payloadBytes = payloadBytes;
        header.messageBytes = payloadBytes;
        return header;
    }

    @ParameterizedTest
    @CsvSource({
        "1, 60000, 60, off, auto, tcp, 32",
        "2, 5000, 150, off, auto, tcp, 32",
        "3, 400000, 25, off, auto, tcp, 32",
        "1, 60000, 60, off, pipeline, tcp, 32",
        "2, 5000, 150, off, pipeline, tcp, 32",
        "4, 60000, 40, on, auto, tcp, 32",
        "5, 0, 0, off, auto, shm, 32",
        "6, 0, 0, off, pipeline, shm, 32",
        "7, 60000, 60, off, nio, tcp, 32",
        "8, 60000, 40, on, nio, tcp, 32",
        "9, 0, 0, off, nio, shm, 32",
        "10, 60000, 60, off, auto, tcp, 1",
        "11, 60000, 40, on, nio, tcp, 1",
        "12, 0, 0, off, auto, shm, 1"
    })
    void shouldLoseNothingWhenConnectionsAreCutAgainAndAgain(
            long seed, int meanBytes, int cuts, String tls, String data, String link, String connect)
            throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        int frames = 600;
        int[][] sizes = new int[2][frames];
        for (int[] ofRank : sizes) {
            for (int number = 0; number < frames; number++) {
                ofRank[number] = random.nextInt(12) == 0 ? random.nextInt(200_000) : random.nextInt(3000);
            }
        }
        try (TransportCluster cluster = TransportCluster.bound(
                        PROVIDER, Map.of("tls", tls, "data", data, "link", link, "connect", connect), 2);
                ConnectionCuttingProxy proxy =
                        new ConnectionCuttingProxy(cluster.port(0), seed, Math.max(meanBytes, 1), cuts)) {
            cluster.connect(TransportCluster.table(List.of(proxy.port(), cluster.port(1))));
            int[] next = new int[2];
            List<PatternPayload> payloads = new ArrayList<>();
            cluster.pollUntil("all frames arrived, seed " + seed, () -> {
                for (int rank = 0; rank < 2; rank++) {
                    int number = next[rank];
                    if (number < frames) {
                        int bytes = sizes[rank][number];
                        PatternPayload payload = new PatternPayload(31L * number + rank, bytes);
                        Endpoint endpoint = cluster.transport(rank).endpoint(1 - rank);
                        if (endpoint.offer(header(rank, number, bytes), payload) == Endpoint.Offer.ACCEPTED) {
                            payloads.add(payload);
                            next[rank]++;
                            // few bytes of shared memory's links are on the connection: they are cut by hand
                            if (cuts == 0 && random.nextInt(60) == 0) {
                                proxy.cut();
                            }
                        }
                    }
                }
                return cluster.recorder(0).arrivals().size() == frames
                        && cluster.recorder(1).arrivals().size() == frames;
            });
            for (int rank = 0; rank < 2; rank++) {
                for (int number = 0; number < frames; number++) {
                    FrameRecorder.Arrival arrival =
                            cluster.recorder(1 - rank).arrivals().get(number);
                    assertThat(arrival.header().tag).as("seed %d", seed).isEqualTo(number);
                    assertThat(arrival.payload())
                            .as("seed %d", seed)
                            .isEqualTo(PatternPayload.pattern(31L * number + rank, sizes[rank][number]));
                }
                assertThat(cluster.recorder(rank).losses()).isEmpty();
            }
            assertThat(cluster.drain()).isTrue();
            assertThat(payloads).as("seed %d", seed).allMatch(payload -> payload.releases() == 1);
            assertThat(proxy.cutsMade()).isPositive();
        }
    }

    /** As when a gateway forgets a connection: neither end is told. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldConnectAnewWhenAConnectionHasFallenSilent(int sender) throws IOException {
        AtomicLong skippedNanos = new AtomicLong();
        try (TransportCluster cluster =
                        TransportCluster.bound(new SkippingProvider(skippedNanos), Map.of("link", "tcp"), 2);
                ConnectionCuttingProxy proxy =
                        new ConnectionCuttingProxy(cluster.port(0), 1, Integer.MAX_VALUE / 2, 0)) {
            cluster.connect(TransportCluster.table(List.of(proxy.port(), cluster.port(1))));
            proxy.mute();
            PatternPayload payload = new PatternPayload(7, 1000);
            assertThat(cluster.transport(sender).endpoint(1 - sender).offer(header(sender, 1, 1000), payload))
                    .isEqualTo(Endpoint.Offer.ACCEPTED);
            cluster.pollUntil("the frame has come over another connection", () -> {
                // half a second passes with each look
                skippedNanos.addAndGet(500_000_000);
                return cluster.recorder(1 - sender).arrivals().size() == 1;
            });
            assertThat(skippedNanos.get()).isGreaterThan(15_000_000_000L);
            assertThat(proxy.connectionsMade()).isGreaterThan(1);
        }
    }

    /** A sound connection stays, however quiet it is. */
    @Test
    void shouldKeepAConnectionOverWhichNothingIsSaidForTwoMinutes() {
        AtomicLong skippedNanos = new AtomicLong();
        try (TransportCluster cluster =
                TransportCluster.bound(new SkippingProvider(skippedNanos), Map.of("link", "tcp", "data", "fd"), 2)) {
            cluster.connect(TransportCluster.table(List.of(cluster.port(0), cluster.port(1))));
            String before = cluster.transport(0).toString();
            assertThat(before).contains(", by /127.0.0.1:");
            cluster.pollUntil("two minutes have passed", () -> skippedNanos.addAndGet(50_000_000) > 120_000_000_000L);
            assertThat(cluster.transport(0)).hasToString(before);
        }
    }

    /** What is taken by who waits for it has been heard, though no poll has brought it. */
    @Test
    void shouldKeepAConnectionOfWhichAMinuteLongAllIsTakenByWhoWaitsForIt() {
        AtomicLong skippedNanos = new AtomicLong();
        try (TransportCluster cluster =
                TransportCluster.bound(new SkippingProvider(skippedNanos), Map.of("link", "tcp", "data", "fd"), 2)) {
            cluster.connect(TransportCluster.table(List.of(cluster.port(0), cluster.port(1))));
            Link before = ((GridTcpEndpoint) cluster.transport(0).endpoint(1)).link();
            assertThat(before).isNotNull();
            for (int number = 0; number < 60; number++) {
                PatternPayload payload = new PatternPayload(number, 100);
                assertThat(cluster.transport(1).endpoint(0).offer(header(1, number, 100), payload))
                        .isEqualTo(Endpoint.Offer.ACCEPTED);
                takeOne(cluster.transport(0).endpoint(1), number);
                skippedNanos.addAndGet(1_000_000_000);
                boolean _ = cluster.transport(0).poll();
                boolean _ = cluster.transport(1).poll();
            }
            assertThat(((GridTcpEndpoint) cluster.transport(0).endpoint(1)).link())
                    .isSameAs(before);
            assertThat(cluster.recorder(0).arrivals()).isEmpty();
        }
    }

    private static void takeOne(Endpoint endpoint, int number) {
        ShortMessages messages = Objects.requireNonNull(endpoint.shortMessages());
        long endNanos = System.nanoTime() + TransportCluster.PATIENCE.toNanos();
        while (messages.look() == ShortMessages.NOTHING && System.nanoTime() - endNanos < 0) {
            Thread.onSpinWait();
        }
        assertThat(messages.isFree()).isFalse();
        assertThat(messages.look()).isEqualTo(100);
        assertThat(messages.header().tag).isEqualTo(number);
        byte[] payload = new byte[100];
        MemorySegment.copy(
                messages.memory(), ValueLayout.JAVA_BYTE, messages.payloadOffset(), payload, 0, payload.length);
        assertThat(payload).isEqualTo(PatternPayload.pattern(number, 100));
        messages.taken();
    }

    /** GridTcp with a clock that skips ahead of the machine's. */
    private record SkippingProvider(AtomicLong skippedNanos) implements TransportProvider {
        @Override
        public String name() {
            return PROVIDER.name();
        }

        @Override
        public Transport open(Context context) {
            return new GridTcpTransport(context, () -> System.nanoTime() + skippedNanos.get());
        }
    }

    @Test
    void shouldResumeFromTheFrozenChannelsWhenARankMovesInMidMessage() {
        JobSecret secret = JobSecret.random();
        JobSpec job = new JobSpec("move", 2, 0);
        FrameRecorder stayingRecorder = new FrameRecorder();
        FrameRecorder newRecorder = new FrameRecorder();
        try (GridTcpTransport staying = open(job, 0, 0, secret, stayingRecorder);
                GridTcpTransport old = open(job, 1, 0, secret, new FrameRecorder());
                GridTcpTransport moved = open(job, 1, 1, secret, newRecorder)) {
            int stayingPort = staying.bind("127.0.0.1");
            RankTable first = table(0, stayingPort, old.bind("127.0.0.1"), 0);
            CompletableFuture<Void> accepting =
                    CompletableFuture.runAsync(() -> staying.connect(first, TransportCluster.PATIENCE));
            old.connect(first, TransportCluster.PATIENCE);
            accepting.join();

            // Long frames both ways, of which the rank that moves has seen and sent a part only.
            int bytes = 3_000_000;
            PatternPayload toMoving = new PatternPayload(1, bytes);
            assertThat(staying.endpoint(1).offer(header(0, 1, bytes), toMoving)).isEqualTo(Endpoint.Offer.ACCEPTED);
            assertThat(old.endpoint(0).offer(header(1, 2, bytes), new PatternPayload(2, bytes)))
                    .isEqualTo(Endpoint.Offer.ACCEPTED);
            assertThat(old.endpoint(0).offer(header(1, 3, 100), new PatternPayload(3, 100)))
                    .isEqualTo(Endpoint.Offer.ACCEPTED);
            staying.poll();
            old.poll();
            Map<String, byte[]> image = old.freeze();
            assertThat(image).containsOnlyKeys("gridtcp/channel/0");

            RankTable second = table(1, stayingPort, moved.bind("127.0.0.1"), 1);
            staying.update(second);
            moved.thaw(image);
            CompletableFuture<Void> moving =
                    CompletableFuture.runAsync(() -> moved.connect(second, TransportCluster.PATIENCE));
            TransportCluster.pollUntil("the moved rank is connected", moving::isDone, List.of(staying, old));
            moving.join();
            TransportCluster.pollUntil(
                    "all frames",
                    () -> stayingRecorder.arrivals().size() == 2
                            && newRecorder.arrivals().size() == 1
                            && toMoving.releases() == 1,
                    List.of(staying, moved, old));
            assertThat(stayingRecorder.arrivals().get(0).payload()).isEqualTo(PatternPayload.pattern(2, bytes));
            assertThat(stayingRecorder.arrivals().get(1).payload()).isEqualTo(PatternPayload.pattern(3, 100));
            assertThat(newRecorder.arrivals().get(0).payload()).isEqualTo(PatternPayload.pattern(1, bytes));
        }
    }

    private static GridTcpTransport open(
            JobSpec job, int rank, int incarnation, JobSecret secret, FrameRecorder recorder) {
        return new GridTcpTransport(
                new TransportProvider.Context(job, rank, incarnation, secret, recorder, Map.of()), System::nanoTime);
    }

    private static RankTable table(int epoch, int lowPort, int highPort, int highIncarnation) {
        return new RankTable(
                epoch,
                List.of(
                        new RankTable.Entry(0, "127.0.0.1", lowPort, 0, "h"),
                        new RankTable.Entry(1, "127.0.0.1", highPort, highIncarnation, "h")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pipeline", "nio"})
    void shouldNeverLetASmallMessageWaitForNagle(String data) {
        try (TransportCluster cluster = TransportCluster.connected(PROVIDER, Map.of("data", data), 2)) {
            for (int rank = 0; rank < 2; rank++) {
                GridTcpEndpoint endpoint =
                        (GridTcpEndpoint) cluster.transport(rank).endpoint(1 - rank);
                assertThat(endpoint.link())
                        .isInstanceOfSatisfying(
                                NettyLink.class,
                                link -> assertThat(link.channel().config().getOption(ChannelOption.TCP_NODELAY))
                                        .isTrue());
            }
        }
    }

    @Test
    void shouldMoveTheBytesItselfWhereItCan() {
        try (TransportCluster cluster = TransportCluster.connected(PROVIDER, Map.of(), 2)) {
            GridTcpEndpoint endpoint = (GridTcpEndpoint) cluster.transport(0).endpoint(1);
            assertThat(endpoint.link()).isInstanceOf(Epoll.isAvailable() ? FdLink.class : NettyLink.class);
        }
    }

    @Test
    void shouldKeepToJavaNioWhenToldSo() {
        try (TransportCluster cluster = TransportCluster.connected(PROVIDER, Map.of("data", "nio"), 2)) {
            GridTcpEndpoint endpoint = (GridTcpEndpoint) cluster.transport(0).endpoint(1);
            assertThat(endpoint.link())
                    .isInstanceOfSatisfying(
                            NettyLink.class, link -> assertThat(link.channel()).isInstanceOf(NioSocketChannel.class));
        }
    }

    @Test
    void shouldRefuseToMoveTheBytesItselfWhenTheyAreEncrypted() {
        TransportProvider.Context both = new TransportProvider.Context(
                new JobSpec("x", 1, 0),
                0,
                0,
                JobSecret.random(),
                new FrameRecorder(),
                Map.of("tls", "on", "data", "fd"));
        assertThatThrownBy(() -> PROVIDER.open(both))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("tls=on");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    @EnabledOnOs(OS.LINUX)
    void shouldKeepNoDescriptorWhenConnectionsWereCut(String data) throws IOException {
        cutOften(0, data);
        // Whatever the JVM and Netty keep open for good is open now.
        long before = descriptors();
        for (int seed = 1; seed <= 3; seed++) {
            cutOften(seed, data);
        }
        await().atMost(TransportCluster.PATIENCE)
                .untilAsserted(() -> assertThat(descriptors()).isLessThanOrEqualTo(before));
    }

    private static void cutOften(long seed, String data) throws IOException {
        try (TransportCluster cluster = TransportCluster.bound(PROVIDER, Map.of("data", data), 2);
                ConnectionCuttingProxy proxy = new ConnectionCuttingProxy(cluster.port(0), seed, 4000, 100)) {
            cluster.connect(TransportCluster.table(List.of(proxy.port(), cluster.port(1))));
            int[] next = new int[1];
            // on a busy machine each of the connections takes its time
            int frames = 100;
            int bytes = 3000;
            cluster.pollUntil("all frames arrived, seed " + seed, () -> {
                if (next[0] < frames
                        && cluster.transport(0)
                                        .endpoint(1)
                                        .offer(header(0, next[0], bytes), new PatternPayload(next[0], bytes))
                                == Endpoint.Offer.ACCEPTED) {
                    next[0]++;
                }
                return cluster.recorder(1).arrivals().size() == frames;
            });
            assertThat(proxy.cutsMade()).isGreaterThan(20);
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    @Test
    void shouldUseEpollWhenOnLinux() {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        assertThat(Epoll.isAvailable()).as(system).isEqualTo(system.startsWith("Linux"));
    }

    @Test
    void shouldSayWhatIsPossibleWhenAnOptionIsUnknown() {
        TransportProvider.Context unknown = new TransportProvider.Context(
                new JobSpec("x", 1, 0), 0, 0, JobSecret.random(), new FrameRecorder(), Map.of("link", "infiniband"));
        assertThatThrownBy(() -> PROVIDER.open(unknown))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("infiniband")
                .hasMessageContaining("tcp");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void shouldEndItsThreadWhenClosed(String data) {
        TransportCluster.connected(PROVIDER, Map.of("data", data), 2).close();
        // The loop says that it has ended a moment before its thread does.
        await().atMost(TransportCluster.PATIENCE)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> thread.getName().startsWith("gridtcp-"))
                        .isEmpty());
    }
}
