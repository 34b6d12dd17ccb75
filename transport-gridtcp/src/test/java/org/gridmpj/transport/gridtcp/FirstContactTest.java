package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.testkit.transport.ConnectionCuttingProxy;
import org.gridmpj.testkit.transport.FrameRecorder;
import org.gridmpj.testkit.transport.PatternPayload;
import org.gridmpj.testkit.transport.TransportCluster;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.Knocker;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pairs that are connected when one has something for the other. */
@Timeout(120)
class FirstContactTest {
    private static final GridTcpTransportProvider PROVIDER = new GridTcpTransportProvider();
    private static final Map<String, String> ON_USE = Map.of("connect", "1");
    private static final int SIZE = 4;
    private static final int BYTES = 100;
    /** More than any handshake between processes of this host takes. */
    private static final int MANY_ROUNDS = 20_000;

    private final AtomicLong skippedNanos = new AtomicLong();

    /** GridTcp with a clock that skips ahead of the machine's. */
    private final class SkippingProvider implements TransportProvider {
        @Override
        public String name() {
            return PROVIDER.name();
        }

        @Override
        public Transport open(Context context) {
            return new GridTcpTransport(context, () -> System.nanoTime() + skippedNanos.get());
        }
    }

    private static TransportCluster connected() {
        return TransportCluster.connected(PROVIDER, ON_USE, SIZE);
    }

    private static void offer(TransportCluster cluster, int from, int to, FrameKind kind, int number) {
        FrameHeader header = new FrameHeader();
        header.kind = kind;
        header.sourceRank = from;
        header.tag = number;
        header.messageId = number;
        header.payloadBytes = kind == FrameKind.EAGER ? BYTES : 0;
        header.messageBytes = header.payloadBytes;
        PatternPayload payload = new PatternPayload(number, (int) header.payloadBytes);
        assertThat(cluster.transport(from).endpoint(to).offer(header, payload)).isEqualTo(Endpoint.Offer.ACCEPTED);
    }

    private static List<FrameKind> kinds(TransportCluster cluster, int from, int to) {
        return cluster.recorder(to).arrivalsFrom(from).stream()
                .map(arrival -> arrival.header().kind)
                .toList();
    }

    /** "0-2" for each pair that has a link at both ends. */
    private static List<String> linkedPairs(TransportCluster cluster, int size) {
        List<String> pairs = new ArrayList<>();
        for (int low = 0; low < size; low++) {
            for (int high = low + 1; high < size; high++) {
                if (isLinked(cluster, low, high) && isLinked(cluster, high, low)) {
                    pairs.add(low + "-" + high);
                }
            }
        }
        return pairs;
    }

    private static boolean isLinked(TransportCluster cluster, int rank, int peer) {
        return ((GridTcpEndpoint) cluster.transport(rank).endpoint(peer)).link() != null;
    }

    private static void rounds(TransportCluster cluster, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int rank = 0; rank < SIZE; rank++) {
                boolean _ = cluster.transport(rank).poll();
            }
        }
    }

    @Test
    void shouldConnectNobodyWhenNobodyHasAnything() {
        try (TransportCluster cluster = connected()) {
            rounds(cluster, MANY_ROUNDS);
            assertThat(linkedPairs(cluster, SIZE)).isEmpty();
            assertThat(cluster.knocks()).isEmpty();
            assertThat(cluster.transport(0).isLinked()).isTrue();
        }
    }

    @Test
    void shouldConnectAllAtOnceUpToTheNumberOfRanksThatIsAskedFor() {
        for (String limit : List.of("4", "")) {
            try (TransportCluster cluster = TransportCluster.connected(PROVIDER, Map.of("connect", limit), SIZE)) {
                assertThat(linkedPairs(cluster, SIZE)).hasSize(SIZE * (SIZE - 1) / 2);
            }
        }
    }

    @Test
    void shouldKnockWhenTheLowerRankHasSomethingFirst() {
        try (TransportCluster cluster = connected()) {
            offer(cluster, 0, 2, FrameKind.EAGER, 1);
            // before anybody polls: who sends may compute for long
            assertThat(cluster.knocks()).containsExactly(new TransportCluster.Knock(0, 2));
            cluster.pollUntil("the frame", () -> kinds(cluster, 0, 2).size() == 1 && isLinked(cluster, 0, 2));
            assertThat(linkedPairs(cluster, SIZE)).containsExactly("0-2");
        }
    }

    @Test
    void shouldDialWithoutAKnockWhenTheHigherRankHasSomethingFirst() {
        try (TransportCluster cluster = connected()) {
            offer(cluster, 3, 1, FrameKind.EAGER, 1);
            cluster.pollUntil("the frame", () -> kinds(cluster, 3, 1).size() == 1 && isLinked(cluster, 3, 1));
            assertThat(linkedPairs(cluster, SIZE)).containsExactly("1-3");
            assertThat(cluster.knocks()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void shouldMakeOneConnectionWhenBothHaveSomethingAtOnce(String link) throws IOException {
        Map<String, String> options = Map.of("connect", "1", "link", link);
        try (TransportCluster cluster = TransportCluster.bound(PROVIDER, options, 2);
                ConnectionCuttingProxy proxy =
                        new ConnectionCuttingProxy(cluster.port(0), 1, Integer.MAX_VALUE / 2, 0)) {
            cluster.connect(TransportCluster.table(List.of(proxy.port(), cluster.port(1))));
            for (int number = 0; number < 20; number++) {
                offer(cluster, 0, 1, FrameKind.EAGER, number);
                offer(cluster, 1, 0, FrameKind.EAGER, number);
            }
            cluster.pollUntil(
                    "all frames",
                    () -> kinds(cluster, 0, 1).size() == 20
                            && kinds(cluster, 1, 0).size() == 20);
            assertThat(proxy.connectionsMade()).isEqualTo(1);
            assertThat(cluster.drain()).isTrue();
        }
    }

    @Test
    void shouldKnockAgainWhenAKnockWasLost() {
        try (TransportCluster cluster = TransportCluster.connected(new SkippingProvider(), ON_USE, SIZE)) {
            cluster.loseKnocks(true);
            offer(cluster, 0, 2, FrameKind.EAGER, 1);
            rounds(cluster, MANY_ROUNDS);
            assertThat(linkedPairs(cluster, SIZE)).isEmpty();
            cluster.loseKnocks(false);
            cluster.pollUntil("the frame", () -> {
                skippedNanos.addAndGet(100_000_000);
                return kinds(cluster, 0, 2).size() == 1;
            });
            assertThat(cluster.knocks()).containsOnly(new TransportCluster.Knock(0, 2));
        }
    }

    /** As when the whole of a job was slow: the knocks of a pair must not be too few, and cannot be too many. */
    @Test
    void shouldTakeAKnockForNothingWhenThePairIsConnected() {
        try (TransportCluster cluster = connected()) {
            offer(cluster, 2, 0, FrameKind.EAGER, 1);
            cluster.pollUntil("the frame", () -> kinds(cluster, 2, 0).size() == 1);
            cluster.transport(2).onKnock(0);
            cluster.transport(0).onKnock(2);
            cluster.transport(2).onKnock(2);
            cluster.transport(2).onKnock(SIZE);
            offer(cluster, 0, 2, FrameKind.EAGER, 1);
            cluster.pollUntil("the frame back", () -> kinds(cluster, 0, 2).size() == 1);
            assertThat(linkedPairs(cluster, SIZE)).containsExactly("0-2");
        }
    }

    @Test
    void shouldConnectAgainWhenTheConnectionIsCut() throws IOException {
        try (TransportCluster cluster = TransportCluster.bound(PROVIDER, ON_USE, 2);
                ConnectionCuttingProxy proxy =
                        new ConnectionCuttingProxy(cluster.port(0), 1, Integer.MAX_VALUE / 2, 0)) {
            cluster.connect(TransportCluster.table(List.of(proxy.port(), cluster.port(1))));
            for (int number = 1; number <= 5; number++) {
                int sofar = number;
                offer(cluster, 0, 1, FrameKind.EAGER, number);
                cluster.pollUntil("frame " + number, () -> kinds(cluster, 0, 1).size() == sofar);
                proxy.cut();
            }
            assertThat(proxy.connectionsMade()).isGreaterThan(1);
        }
    }

    // ---------------------------------------------------------------- cuts

    /** Nobody can know that a channel is empty before he has its marker: a marker is something for the peer. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldBringAMarkerThoughNothingElseIsEverSent(int from) {
        try (TransportCluster cluster = connected()) {
            offer(cluster, from, 1, FrameKind.MARKER, 5);
            cluster.pollUntil("the marker", () -> kinds(cluster, from, 1).equals(List.of(FrameKind.MARKER)));
        }
    }

    /** Both ends have made their cuts, one of them has sent before its own: the first contact has it all in order. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldHaveTheMarkerInItsPlaceAtTheFirstContactAfterACut(int early) {
        int late = 2 - early;
        try (TransportCluster cluster = connected()) {
            cluster.loseKnocks(true);
            offer(cluster, early, late, FrameKind.EAGER, 1);
            offer(cluster, early, late, FrameKind.MARKER, 5);
            offer(cluster, early, late, FrameKind.EAGER, 2);
            offer(cluster, late, early, FrameKind.MARKER, 5);
            offer(cluster, late, early, FrameKind.EAGER, 3);
            cluster.pollUntil(
                    "all frames",
                    () -> kinds(cluster, early, late).size() == 3
                            && kinds(cluster, late, early).size() == 2);
            assertThat(kinds(cluster, early, late)).containsExactly(FrameKind.EAGER, FrameKind.MARKER, FrameKind.EAGER);
            assertThat(kinds(cluster, late, early)).containsExactly(FrameKind.MARKER, FrameKind.EAGER);
        }
    }

    // ---------------------------------------------------------------- ends

    private static void sayGoodbyes(TransportCluster cluster) {
        for (int from = 0; from < SIZE; from++) {
            for (int to = 0; to < SIZE; to++) {
                if (from != to) {
                    offer(cluster, from, to, FrameKind.FINALIZED, 0);
                }
            }
        }
    }

    private static boolean haveAllSaidGoodbye(TransportCluster cluster) {
        for (int from = 0; from < SIZE; from++) {
            for (int to = 0; to < SIZE; to++) {
                if (from != to && !kinds(cluster, from, to).contains(FrameKind.FINALIZED)) {
                    return false;
                }
            }
        }
        return true;
    }

    @Test
    void shouldEndWithoutConnectionsWhenNobodyEverHadAnything() {
        try (TransportCluster cluster = connected()) {
            sayGoodbyes(cluster);
            cluster.pollUntil("all goodbyes", () -> haveAllSaidGoodbye(cluster));
            assertThat(cluster.drain()).isTrue();
            assertThat(linkedPairs(cluster, SIZE)).isEmpty();
            assertThat(cluster.knocks()).isEmpty();
        }
    }

    @Test
    void shouldSayGoodbyeBehindWhatWasSentBefore() {
        try (TransportCluster cluster = connected()) {
            cluster.loseKnocks(true);
            offer(cluster, 0, 2, FrameKind.EAGER, 1);
            sayGoodbyes(cluster);
            rounds(cluster, MANY_ROUNDS / 10);
            // by the launcher it would have overtaken the message, which rank 2 may be waiting for
            assertThat(kinds(cluster, 0, 2)).isEmpty();
            assertThat(kinds(cluster, 2, 0)).containsExactly(FrameKind.FINALIZED);
            cluster.loseKnocks(false);
            cluster.pollUntil("all goodbyes", () -> haveAllSaidGoodbye(cluster));
            assertThat(kinds(cluster, 0, 2)).containsExactly(FrameKind.EAGER, FrameKind.FINALIZED);
            assertThat(cluster.drain()).isTrue();
            for (int from = 0; from < SIZE; from++) {
                for (int to = 0; to < SIZE; to++) {
                    assertThat(kinds(cluster, from, to).stream().filter(FrameKind.FINALIZED::equals))
                            .hasSize(from == to ? 0 : 1);
                }
            }
        }
    }

    @Test
    void shouldEndInOrderWhenNobodyHasSaidGoodbye() {
        try (TransportCluster cluster = connected()) {
            assertThat(cluster.drain()).isTrue();
        }
    }

    @Test
    void shouldTakeNoNoticeOfWhatIsSaidAfterTheEnd() {
        TransportCluster cluster = connected();
        cluster.close();
        cluster.transport(0).onKnock(2);
        cluster.transport(0).onGoodbye(2);
        assertThat(cluster.recorder(0).arrivals()).isEmpty();
    }

    // ---------------------------------------------------------------- nobody there

    /** Reaches nobody. */
    private record DeafKnocker(List<Integer> knocks) implements Knocker {
        @Override
        public void knock(int peerRank) {
            knocks.add(peerRank);
        }

        @Override
        public boolean saysGoodbyes() {
            return false;
        }

        @Override
        public void sayGoodbye(List<Integer> peerRanks) {
            throw new AssertionError("not in this job");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Where all pairs are connected in MPI.Init that fails. */
    @Test
    void shouldNameTheRankWhenItIsOutOfReachAtTheFirstUse() throws IOException {
        FrameRecorder recorder = new FrameRecorder();
        List<Integer> knocks = new ArrayList<>();
        TransportProvider.Context context = new TransportProvider.Context(
                new JobSpec("first", 3, 0), 1, 0, JobSecret.random(), recorder, ON_USE, new DeafKnocker(knocks));
        int port = freePort();
        try (Transport transport = new SkippingProvider().open(context)) {
            transport.connect(
                    TransportCluster.table(List.of(port, transport.bind("127.0.0.1"), port)), Duration.ofSeconds(60));
            for (int peer : List.of(0, 2)) {
                FrameHeader header = new FrameHeader();
                header.sourceRank = 1;
                assertThat(transport.endpoint(peer).offer(header, new PatternPayload(1, 0)))
                        .isEqualTo(Endpoint.Offer.ACCEPTED);
            }
            TransportCluster.pollUntil(
                    "both are given up",
                    () -> {
                        skippedNanos.addAndGet(200_000_000);
                        return recorder.losses().size() == 2;
                    },
                    List.of(transport));
            assertThat(skippedNanos.get()).isGreaterThan(60_000_000_000L);
            assertThat(knocks).hasSizeGreaterThan(2).containsOnly(2);
            assertThat(recorder.losses().toString())
                    .contains("rank 0", "127.0.0.1:" + port, "rank 2", "60000 ms", "has not dialed this rank");
            assertThat(transport.endpoint(0).offer(new FrameHeader(), new PatternPayload(1, 0)))
                    .isEqualTo(Endpoint.Offer.CLOSED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "many"})
    void shouldSayWhatIsPossibleWhenTheOptionIsNoNumberOfRanks(String value) {
        TransportProvider.Context context = new TransportProvider.Context(
                new JobSpec("x", 1, 0), 0, 0, JobSecret.random(), new FrameRecorder(), Map.of("connect", value));
        assertThatThrownBy(() -> PROVIDER.open(context))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("connect")
                .hasMessageContaining(value);
    }

    /** Who starts ranks by hand passes nothing on. */
    @Test
    void shouldConnectAllAtOnceWhenNobodyReachesAPeerWithoutAConnection() {
        TransportProvider.Context context = new TransportProvider.Context(
                new JobSpec("x", 2, 0), 1, 0, JobSecret.random(), new FrameRecorder(), ON_USE);
        try (Transport transport = PROVIDER.open(context)) {
            int own = transport.bind("127.0.0.1");
            assertThatThrownBy(
                            () -> transport.connect(TransportCluster.table(List.of(own, own)), Duration.ofMillis(20)))
                    .isInstanceOf(MpiFailure.class)
                    .hasMessageContaining("rank 0");
        }
    }
}
