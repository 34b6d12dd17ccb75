package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.testkit.transport.FrameRecorder;
import org.gridmpj.testkit.transport.PatternPayload;
import org.gridmpj.testkit.transport.TransportCluster;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.Knocker;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks 1 and 2 go back alone, one after the other, while rank 0 runs on. The host of rank 1 is out of the launcher's reach
 * only: its earlier process lives, listens where it did, and has heard that rank 2 is to come in another process.
 */
@Timeout(60)
class GridTcpReturnTest {
    private static final GridTcpTransportProvider PROVIDER = new GridTcpTransportProvider();
    private static final int SIZE = 3;
    private static final int BYTES = 100;
    private static final int FROM_THE_RANK = 7;
    private static final int FROM_A_ZOMBIE = 1_000_000;
    /** More than any handshake between processes of this host takes. */
    private static final int MANY_ROUNDS = 20_000;

    private final JobSecret secret = JobSecret.random();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Transport> open = new ArrayList<>();
    private final RankTable.Entry[] entries = new RankTable.Entry[SIZE];
    private final @Nullable Transport[] present = new Transport[SIZE];
    private int tableEpoch;
    /** Up to how many ranks all pairs are connected at once. */
    private String connect = "";

    private Transport open(int rank, int incarnation, FrameRecorder recorder) {
        Transport transport = PROVIDER.open(new TransportProvider.Context(
                new JobSpec("returns", SIZE, 0),
                rank,
                incarnation,
                secret,
                recorder,
                Map.of("connect", connect),
                knocker(rank, incarnation)));
        open.add(transport);
        entries[rank] = new RankTable.Entry(rank, "127.0.0.1", transport.bind("127.0.0.1"), incarnation, "host");
        present[rank] = transport;
        return transport;
    }

    /** As the launcher: passes on what the present processes of ranks say, to those that are present. */
    private Knocker knocker(int ownRank, int incarnation) {
        return new Knocker() {
            @Override
            public void knock(int peerRank) {
                Transport peer = present[peerRank];
                if (incarnation == entries[ownRank].incarnation() && peer != null) {
                    peer.onKnock(ownRank);
                }
            }

            @Override
            public boolean saysGoodbyes() {
                return false;
            }

            @Override
            public void sayGoodbye(List<Integer> peerRanks) {
                throw new AssertionError("not where ranks go back");
            }
        };
    }

    private RankTable table() {
        return new RankTable(tableEpoch++, List.of(entries));
    }

    private static void offer(Transport from, int rank, int tag) {
        FrameHeader header = new FrameHeader();
        header.sourceRank = rank;
        header.tag = tag;
        header.payloadBytes = BYTES;
        header.messageBytes = BYTES;
        assertThat(from.endpoint(2).offer(header, new PatternPayload(tag, BYTES)))
                .isEqualTo(Endpoint.Offer.ACCEPTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"32", "1"})
    void shouldLetNoEarlierProcessOfARankInThatGoesBack(String connectedAtOnce) {
        connect = connectedAtOnce;
        try {
            Transport staying = open(0, 0, new FrameRecorder());
            Transport zombie = open(1, 0, new FrameRecorder());
            Transport dead = open(2, 0, new FrameRecorder());
            RankTable first = table();
            CompletableFuture.allOf(open.stream()
                            .map(each -> CompletableFuture.runAsync(
                                    () -> each.connect(first, TransportCluster.PATIENCE), threads))
                            .toArray(CompletableFuture[]::new))
                    .join();

            // rank 2 dies, and both others hear of it; then the host of rank 1 is given up
            staying.renew(2, 1);
            zombie.renew(2, 1);
            dead.close();
            open.remove(dead);
            FrameRecorder received = new FrameRecorder();
            Transport second = open(2, 1, received);
            second.arrive(table());
            staying.renew(1, 1);
            entries[1] = entries[1].goesBack(1);

            // rank 2 takes its place
            RankTable withSecond = table();
            staying.update(withSecond);
            second.update(withSecond);
            offer(staying, 0, FROM_THE_RANK);
            offer(zombie, 1, FROM_A_ZOMBIE);
            TransportCluster.pollUntil(
                    "a frame of rank 0", () -> !received.arrivals().isEmpty(), open);
            for (int round = 0; round < MANY_ROUNDS; round++) {
                open.forEach(Transport::poll);
            }
            assertThat(((GridTcpEndpoint) second.endpoint(1)).link()).isNull();

            // and then rank 1
            Transport third = open(1, 1, new FrameRecorder());
            third.arrive(table());
            RankTable withBoth = table();
            List.of(staying, second, third).forEach(each -> each.update(withBoth));
            offer(third, 1, FROM_THE_RANK);
            TransportCluster.pollUntil(
                    "all are linked",
                    () -> second.isLinked()
                            && third.isLinked()
                            && received.arrivals().size() == 2,
                    open);
            assertThat(received.arrivals())
                    .extracting(arrival -> arrival.header().tag)
                    .containsExactly(FROM_THE_RANK, FROM_THE_RANK);
        } finally {
            open.forEach(Transport::close);
            threads.shutdown();
        }
    }
}
