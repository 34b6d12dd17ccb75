package org.gridmpj.testkit.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every transport must do, written for the {@link Transport} seam only: the engine is a {@link FrameRecorder}. A
 * transport is under contract when a test class of its module extends this one.
 */
@Timeout(120)
public abstract class TransportContract {
    private static final Duration SHORT = Duration.ofMillis(700);

    /** The transport under test. */
    protected abstract TransportProvider provider();

    /** Its options. Where pairs are put off until first use those of {@link TransportCluster} are; a rank alone has no knocker. */
    protected Map<String, String> options() {
        return Map.of();
    }

    private TransportCluster connected(int size) {
        return TransportCluster.connected(provider(), options(), size);
    }

    private Transport open(int rank, JobSpec job, JobSecret secret, FrameRecorder recorder) {
        return provider().open(new TransportProvider.Context(job, rank, 0, secret, recorder, options()));
    }

    /** A frame with a value in every field that follows from its number. */
    private static FrameHeader header(int source, long number, int payloadBytes) {
        FrameHeader header = new FrameHeader();
        header.kind = FrameKind.EAGER;
        header.typeCode = 200;
        header.flags = FrameHeader.FLAG_OBJECTS;
        header.sourceRank = source;
        header.contextId = -number * 31;
        header.payloadBytes = payloadBytes;
        header.tag = (int) number;
        header.count = payloadBytes;
        header.messageId = number;
        header.senderToken = ~number;
        header.receiverToken = number << 32;
        header.messageBytes = payloadBytes;
        return header;
    }

    private static PatternPayload send(TransportCluster cluster, int from, int to, long number, int payloadBytes) {
        PatternPayload payload = new PatternPayload(number, payloadBytes);
        FrameHeader header = header(from, number, payloadBytes);
        Endpoint endpoint = cluster.transport(from).endpoint(to);
        cluster.pollUntil(
                "room for frame " + number + " from " + from + " to " + to,
                () -> endpoint.offer(header, payload) == Endpoint.Offer.ACCEPTED);
        header.clear();
        return payload;
    }

    private static void assertArrived(FrameRecorder.Arrival arrival, int from, long number) {
        int length = Math.toIntExact(arrival.header().payloadBytes);
        assertThat(arrival.peerRank()).isEqualTo(from);
        assertThat(arrival.header()).hasToString(header(from, number, length).toString());
        assertThat(arrival.header().typeCode).isEqualTo(200);
        assertThat(arrival.header().flags).isEqualTo(FrameHeader.FLAG_OBJECTS);
        assertThat(arrival.payload()).isEqualTo(PatternPayload.pattern(number, length));
    }

    @Test
    void shouldDeliverInOrderWhenManyFramesAreOffered() {
        try (TransportCluster cluster = connected(2)) {
            List<PatternPayload> payloads = new ArrayList<>();
            for (int number = 0; number < 5000; number++) {
                payloads.add(send(cluster, 0, 1, number, number % 300));
            }
            cluster.pollUntil(
                    "5000 frames", () -> cluster.recorder(1).arrivals().size() == 5000);
            for (int number = 0; number < 5000; number++) {
                assertArrived(cluster.recorder(1).arrivals().get(number), 0, number);
            }
            cluster.pollUntil(
                    "release of all payloads", () -> payloads.stream().allMatch(payload -> payload.releases() == 1));
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                7,
                8,
                9,
                63,
                64,
                65,
                1000,
                1023,
                4096,
                8191,
                8192,
                8193,
                16384,
                32768,
                65535,
                65536,
                65537,
                131073,
                262144,
                1 << 20,
                (1 << 20) + 5,
                5_000_003
            })
    void shouldKeepThePayloadWhenItHasAnySize(int payloadBytes) {
        try (TransportCluster cluster = connected(2)) {
            PatternPayload first = send(cluster, 0, 1, 7, payloadBytes);
            PatternPayload second = send(cluster, 1, 0, 8, payloadBytes);
            PatternPayload third = send(cluster, 0, 1, 9, payloadBytes);
            cluster.pollUntil(
                    "frames of " + payloadBytes + " bytes",
                    () -> cluster.recorder(1).arrivals().size() == 2
                            && cluster.recorder(0).arrivals().size() == 1);
            assertArrived(cluster.recorder(1).arrivals().get(0), 0, 7);
            assertArrived(cluster.recorder(1).arrivals().get(1), 0, 9);
            assertArrived(cluster.recorder(0).arrivals().get(0), 1, 8);
            cluster.pollUntil(
                    "release", () -> first.releases() == 1 && second.releases() == 1 && third.releases() == 1);
        }
    }

    @Test
    void shouldGiveTheBufferBackAtOnceWhenThePayloadIsSmall() {
        try (TransportCluster cluster = connected(2)) {
            Endpoint endpoint = cluster.transport(0).endpoint(1);
            assertThat(endpoint.copiedPayloadLimitBytes()).isPositive();
            int payloadBytes = Math.min(1000, endpoint.copiedPayloadLimitBytes());
            PatternPayload payload = new PatternPayload(3, payloadBytes);
            assertThat(endpoint.offer(header(0, 3, payloadBytes), payload)).isEqualTo(Endpoint.Offer.ACCEPTED);
            assertThat(payload.releases()).isEqualTo(1);
        }
    }

    @Test
    void shouldRefuseMoreAndGoOnLaterWhenTheReceiverDoesNotPoll() {
        try (TransportCluster cluster = connected(2)) {
            Endpoint endpoint = cluster.transport(0).endpoint(1);
            int accepted = 0;
            for (; accepted < 400_000; accepted++) {
                cluster.transport(0).poll();
                PatternPayload payload = new PatternPayload(accepted, 1024);
                if (endpoint.offer(header(0, accepted, 1024), payload) != Endpoint.Offer.ACCEPTED) {
                    assertThat(payload.releases()).isZero();
                    break;
                }
                assertThat(payload.releases()).isEqualTo(1);
            }
            assertThat(accepted).as("frames until back-pressure").isBetween(1, 399_999);
            send(cluster, 0, 1, accepted, 1024);
            int all = accepted + 1;
            cluster.pollUntil("all frames", () -> cluster.recorder(1).arrivals().size() == all);
            for (int number = 0; number < all; number++) {
                assertArrived(cluster.recorder(1).arrivals().get(number), 0, number);
            }
        }
    }

    @Test
    void shouldDeliverBothWaysWhenBothSendAtOnce() {
        long seed = 20051120;
        SplittableRandom random = new SplittableRandom(seed);
        int frames = 400;
        int[] sizes = new int[frames];
        for (int number = 0; number < frames; number++) {
            sizes[number] = random.nextInt(10) == 0 ? random.nextInt(700_000) : random.nextInt(5000);
        }
        try (TransportCluster cluster = connected(2)) {
            int[] next = new int[2];
            List<PatternPayload> payloads = new ArrayList<>();
            while (next[0] < frames || next[1] < frames) {
                for (int rank = 0; rank < 2; rank++) {
                    int number = next[rank];
                    if (number == frames) {
                        continue;
                    }
                    PatternPayload payload = new PatternPayload(number, sizes[number]);
                    Endpoint endpoint = cluster.transport(rank).endpoint(1 - rank);
                    if (endpoint.offer(header(rank, number, sizes[number]), payload) == Endpoint.Offer.ACCEPTED) {
                        payloads.add(payload);
                        next[rank]++;
                    }
                    cluster.transport(random.nextInt(2)).poll();
                }
            }
            cluster.pollUntil(
                    "all frames both ways",
                    () -> cluster.recorder(0).arrivals().size() == frames
                            && cluster.recorder(1).arrivals().size() == frames);
            for (int number = 0; number < frames; number++) {
                assertArrived(cluster.recorder(0).arrivals().get(number), 1, number);
                assertArrived(cluster.recorder(1).arrivals().get(number), 0, number);
            }
            cluster.pollUntil(
                    "release of all payloads", () -> payloads.stream().allMatch(payload -> payload.releases() == 1));
        }
    }

    @Test
    void shouldConnectAllPairsWhenThereAreFiveRanks() {
        int size = 5;
        try (TransportCluster cluster = connected(size)) {
            for (int from = 0; from < size; from++) {
                for (int to = 0; to < size; to++) {
                    if (from != to) {
                        assertThat(cluster.transport(from).endpoint(to))
                                .isSameAs(cluster.transport(from).endpoint(to));
                        for (int number = 0; number < 20; number++) {
                            send(cluster, from, to, number, 100 * from + to);
                        }
                    }
                }
            }
            for (int to = 0; to < size; to++) {
                FrameRecorder recorder = cluster.recorder(to);
                cluster.pollUntil(
                        "20 frames of each peer", () -> recorder.arrivals().size() == 20 * (size - 1));
                for (int from = 0; from < size; from++) {
                    if (from != to) {
                        for (int number = 0; number < 20; number++) {
                            assertArrived(recorder.arrivalsFrom(from).get(number), from, number);
                        }
                    }
                }
            }
        }
    }

    @Test
    void shouldReturnFromAwaitWhenWokenUp() throws Exception {
        try (TransportCluster cluster = connected(2)) {
            Transport transport = cluster.transport(0);
            CompletableFuture<Void> waiting =
                    CompletableFuture.runAsync(() -> transport.await(TimeUnit.SECONDS.toNanos(100)));
            transport.wakeup();
            waiting.get(TransportCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            transport.wakeup();
            CompletableFuture.runAsync(() -> transport.await(TimeUnit.SECONDS.toNanos(100)))
                    .get(TransportCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldReturnFromAwaitWhenTheTimeIsOver() {
        try (TransportCluster cluster = connected(2)) {
            cluster.transport(0).await(TimeUnit.MILLISECONDS.toNanos(2));
            cluster.transport(0).await(0);
            assertThat(cluster.recorder(0).arrivals()).isEmpty();
        }
    }

    @Test
    void shouldReturnFromAwaitWhenAFrameArrives() throws Exception {
        try (TransportCluster cluster = connected(2)) {
            for (int number = 0; number < 50; number++) {
                int wanted = number + 1;
                CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
                    while (cluster.recorder(1).arrivals().size() < wanted) {
                        cluster.transport(1).await(TimeUnit.SECONDS.toNanos(100));
                        cluster.transport(1).poll();
                    }
                });
                PatternPayload payload = new PatternPayload(number, 64);
                Endpoint endpoint = cluster.transport(0).endpoint(1);
                TransportCluster.pollUntil(
                        "room",
                        () -> endpoint.offer(header(0, wanted, 64), payload) == Endpoint.Offer.ACCEPTED,
                        List.of(cluster.transport(0)));
                TransportCluster.pollUntil(
                        "frame seen by the waiting thread", waiting::isDone, List.of(cluster.transport(0)));
                waiting.get();
            }
        }
    }

    @Test
    void shouldHaveDeliveredAllWhenDrained() {
        try (TransportCluster cluster = connected(3)) {
            List<PatternPayload> payloads = new ArrayList<>();
            for (int number = 0; number < 100; number++) {
                payloads.add(send(cluster, 0, 1, number, number * 100));
                payloads.add(send(cluster, 1, 2, number, 1));
                payloads.add(send(cluster, 2, 0, number, number * 3000));
            }
            assertThat(cluster.drain()).isTrue();
            assertThat(cluster.recorder(0).arrivalsFrom(2)).hasSize(100);
            assertThat(cluster.recorder(1).arrivalsFrom(0)).hasSize(100);
            assertThat(cluster.recorder(2).arrivalsFrom(1)).hasSize(100);
            assertThat(payloads).allMatch(payload -> payload.releases() == 1);
            for (int rank = 0; rank < 3; rank++) {
                assertThat(cluster.recorder(rank).losses()).isEmpty();
            }
        }
    }

    @Test
    void shouldRefuseOffersButLoseNothingWhenThePeerHasEndedInOrder() throws Exception {
        try (TransportCluster cluster = connected(2)) {
            for (int number = 0; number < 50; number++) {
                send(cluster, 0, 1, number, 20_000);
            }
            Transport leaving = cluster.transport(0);
            CompletableFuture<Boolean> left = CompletableFuture.supplyAsync(() -> {
                boolean drained = leaving.drain(TransportCluster.PATIENCE);
                leaving.close();
                return drained;
            });
            List<Transport> staying = List.of(cluster.transport(1));
            TransportCluster.pollUntil("the peer has left", left::isDone, staying);
            assertThat(left.get()).isTrue();
            TransportCluster.pollUntil(
                    "all frames", () -> cluster.recorder(1).arrivals().size() == 50, staying);
            Endpoint endpoint = cluster.transport(1).endpoint(0);
            TransportCluster.pollUntil(
                    "CLOSED",
                    () -> endpoint.offer(header(1, 1, 8), new PatternPayload(1, 8)) == Endpoint.Offer.CLOSED,
                    staying);
            assertThat(cluster.recorder(1).losses()).isEmpty();
            assertThat(cluster.transport(1).drain(TransportCluster.PATIENCE)).isTrue();
        }
    }

    @Test
    void shouldFreeThePortWhenClosed() {
        TransportCluster cluster = connected(2);
        int port = cluster.port(0);
        cluster.close();
        cluster.close();
        assertThatThrownBy(() -> dial("127.0.0.1", port)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldListenOnlyOnTheGivenAddressWhenBound() {
        try (TransportCluster cluster = TransportCluster.bound(provider(), options(), 1)) {
            assertThatThrownBy(() -> dial("127.0.0.2", cluster.port(0))).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldNameTheAddressWhenItCannotBeBound() {
        try (Transport transport = open(0, new JobSpec("contract", 1, 0), JobSecret.random(), new FrameRecorder())) {
            // An address of TEST-NET-1 (RFC 5737): no host has it.
            assertThatThrownBy(() -> transport.bind("192.0.2.1"))
                    .isInstanceOf(MpiFailure.class)
                    .hasMessageContaining("192.0.2.1");
        }
    }

    @Test
    void shouldConnectWhenThereIsOneRankOnly() {
        try (TransportCluster cluster = connected(1)) {
            assertThat(cluster.transport(0).poll()).isFalse();
            assertThat(cluster.transport(0).drain(Duration.ZERO)).isTrue();
        }
    }

    @Test
    void shouldConnectWhenTheLowerRankCallsConnectLater() throws Exception {
        JobSpec job = new JobSpec("contract", 2, 0);
        JobSecret secret = JobSecret.random();
        try (Transport low = open(0, job, secret, new FrameRecorder());
                Transport high = open(1, job, secret, new FrameRecorder())) {
            RankTable table = TransportCluster.table(List.of(low.bind("127.0.0.1"), high.bind("127.0.0.1")));
            CompletableFuture<Void> connecting =
                    CompletableFuture.runAsync(() -> high.connect(table, TransportCluster.PATIENCE));
            assertThatThrownBy(() -> connecting.get(SHORT.toMillis(), TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            low.connect(table, TransportCluster.PATIENCE);
            connecting.get(TransportCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldNameTheRankWhenALowerOneCannotBeReached() throws Exception {
        JobSpec job = new JobSpec("contract", 3, 0);
        try (Transport transport = open(2, job, JobSecret.random(), new FrameRecorder())) {
            int first = freePort();
            int second = freePort();
            RankTable table = TransportCluster.table(List.of(first, second, transport.bind("127.0.0.1")));
            assertThatThrownBy(() -> transport.connect(table, SHORT))
                    .isInstanceOf(MpiFailure.class)
                    .hasMessageContaining("rank 0")
                    .hasMessageContaining("127.0.0.1:" + first)
                    .hasMessageContaining("rank 1")
                    .hasMessageContaining("127.0.0.1:" + second);
        }
    }

    @Test
    void shouldNameTheRankWhenAHigherOneDoesNotCome() {
        JobSpec job = new JobSpec("contract", 2, 0);
        try (Transport transport = open(0, job, JobSecret.random(), new FrameRecorder())) {
            RankTable table = TransportCluster.table(List.of(transport.bind("127.0.0.1"), 9));
            assertThatThrownBy(() -> transport.connect(table, SHORT))
                    .isInstanceOf(MpiFailure.class)
                    .hasMessageContaining("rank 1");
        }
    }

    @Test
    void shouldNameTheRankWhenAStrangerListensOnItsPort() throws Exception {
        JobSpec job = new JobSpec("contract", 2, 0);
        CompletableFuture<Void> answering;
        try (ServerSocket stranger = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Transport transport = open(1, job, JobSecret.random(), new FrameRecorder())) {
            answering = CompletableFuture.runAsync(() -> answerRubbish(stranger));
            RankTable table = TransportCluster.table(List.of(stranger.getLocalPort(), transport.bind("127.0.0.1")));
            assertThatThrownBy(() -> transport.connect(table, SHORT))
                    .isInstanceOf(MpiFailure.class)
                    .hasMessageContaining("rank 0");
        }
        answering.get(TransportCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void shouldRefuseThePeerWhenItHasAnotherSecret() throws Exception {
        assertImpostorIsRefused(JobSecret.random(), JobSecret.random(), 0);
    }

    @Test
    void shouldRefuseThePeerWhenItIsOfAnotherGeneration() throws Exception {
        JobSecret secret = JobSecret.random();
        assertImpostorIsRefused(secret, secret, 1);
    }

    /** Rank 1 of another job or timeline dials rank 0 in vain; then the right rank 1 comes. */
    private void assertImpostorIsRefused(JobSecret secret, JobSecret impostorSecret, int impostorGeneration)
            throws Exception {
        JobSpec job = new JobSpec("contract", 2, 0);
        FrameRecorder recorder = new FrameRecorder();
        try (Transport low = open(0, job, secret, recorder);
                Transport high = open(1, job, secret, new FrameRecorder());
                Transport impostor =
                        open(1, new JobSpec("contract", 2, impostorGeneration), impostorSecret, new FrameRecorder())) {
            RankTable table = TransportCluster.table(List.of(low.bind("127.0.0.1"), high.bind("127.0.0.1")));
            impostor.bind("127.0.0.1");
            CompletableFuture<Void> accepting =
                    CompletableFuture.runAsync(() -> low.connect(table, TransportCluster.PATIENCE));
            assertThatThrownBy(() -> impostor.connect(table, SHORT))
                    .isInstanceOf(MpiFailure.class)
                    .hasMessageContaining("rank 0");
            assertThat(accepting).isNotDone();
            high.connect(table, TransportCluster.PATIENCE);
            accepting.get(TransportCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(recorder.arrivals()).isEmpty();
            assertThat(recorder.losses()).isEmpty();
        } catch (ExecutionException e) {
            throw new AssertionError("rank 0 was disturbed by the impostor", e.getCause());
        }
    }

    @Test
    void shouldGoOnWhenStrangersSendBytesToThePort() throws Exception {
        List<Socket> strangers = new ArrayList<>();
        try (TransportCluster cluster = TransportCluster.bound(provider(), options(), 2)) {
            strangers.addAll(rubbishTo(cluster.port(0)));
            strangers.addAll(rubbishTo(cluster.port(1)));
            cluster.connect(cluster.table());
            try {
                strangers.addAll(rubbishTo(cluster.port(0)));
            } catch (IOException nobodyListens) {
                // as it may: a transport that does not reconnect needs its port no more
                assertThat(nobodyListens).hasMessageContaining("refused");
            }
            for (int number = 0; number < 100; number++) {
                send(cluster, 0, 1, number, 1000);
                send(cluster, 1, 0, number, 1000);
            }
            cluster.pollUntil(
                    "all frames",
                    () -> cluster.recorder(0).arrivals().size() == 100
                            && cluster.recorder(1).arrivals().size() == 100);
            assertThat(cluster.recorder(0).losses()).isEmpty();
            assertThat(cluster.recorder(1).losses()).isEmpty();
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    /** Strangers: one is silent, one speaks HTTP, one sends noise, one hangs up at once. */
    private static List<Socket> rubbishTo(int port) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        sockets.add(dial("127.0.0.1", port));
        sockets.add(dial("127.0.0.1", port));
        sockets.get(1).getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        sockets.add(dial("127.0.0.1", port));
        byte[] noise = PatternPayload.pattern(port, 3000);
        try {
            sockets.get(2).getOutputStream().write(noise);
        } catch (IOException closedByThePeer) {
            // as it should
            sockets.get(2).close();
        }
        dial("127.0.0.1", port).close();
        return sockets;
    }

    private static void answerRubbish(ServerSocket stranger) {
        while (!stranger.isClosed()) {
            try (Socket socket = stranger.accept()) {
                socket.getOutputStream().write(PatternPayload.pattern(1, 3000));
            } catch (IOException callerOrServerIsGone) {
                Thread.onSpinWait();
            }
        }
    }

    private static Socket dial(String host, int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), 5000);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        return socket;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
