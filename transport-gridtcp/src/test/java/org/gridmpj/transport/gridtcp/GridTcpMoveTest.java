package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ranks of a running job move one after the other to other endpoints, in mid-message, while all send to all. A move is
 *
 * <pre>
 *   old: freeze, and stand still ─▶ target: bind, thaw ─┬─▶ new table to all (the commit point): target connects, old is fenced
 *                                                       └─▶ target is closed: old goes on as if nothing had been
 * </pre>
 */
@Timeout(180)
class GridTcpMoveTest {
    private static final GridTcpTransportProvider PROVIDER = new GridTcpTransportProvider();
    private static final int SIZE = 4;
    private static final int FRAMES = 150;
    private static final int LARGEST = 400_000;
    private static final int OF_A_ZOMBIE = 1_000_000;

    private final JobSecret secret = JobSecret.random();
    private final List<Transport> live = new ArrayList<>();
    private final List<Transport> zombies = new ArrayList<>();
    /** What the present endpoint of each rank has received. */
    private final List<FrameRecorder> recorders = new ArrayList<>();
    /** What the earlier endpoints of each rank had received when they were frozen; what comes to a zombie counts nothing. */
    private final List<List<FrameRecorder.Arrival>> before = new ArrayList<>();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final int[] ports = new int[SIZE];
    private final int[] incarnations = new int[SIZE];
    private final int[][] next = new int[SIZE][SIZE];
    private int tableEpoch;
    /** Up to how many ranks all pairs are connected at once. */
    private String connect = "";

    private Transport open(int rank, int incarnation, FrameRecorder recorder) {
        return PROVIDER.open(new TransportProvider.Context(
                new JobSpec("moves", SIZE, 0),
                rank,
                incarnation,
                secret,
                recorder,
                Map.of("connect", connect),
                knocker(rank, incarnation)));
    }

    /** As the launcher: passes on what the present processes of ranks say, to those that are present. */
    private Knocker knocker(int ownRank, int incarnation) {
        return new Knocker() {
            @Override
            public void knock(int peerRank) {
                if (incarnation == incarnations[ownRank]) {
                    live.get(peerRank).onKnock(ownRank);
                }
            }

            @Override
            public boolean saysGoodbyes() {
                return false;
            }

            @Override
            public void sayGoodbye(List<Integer> peerRanks) {
                throw new AssertionError("not where ranks move");
            }
        };
    }

    private RankTable table() {
        List<RankTable.Entry> entries = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            entries.add(new RankTable.Entry(rank, "127.0.0.1", ports[rank], incarnations[rank], "host"));
        }
        return new RankTable(tableEpoch++, entries);
    }

    private static int bytes(int source, int target, int number) {
        int mixed = (number * 31 + source * 7 + target * 3) % 97;
        return mixed == 0 ? LARGEST : mixed * 40;
    }

    private static long seedOf(int source, int target, int number) {
        return (source * SIZE + target) * 100_000L + number;
    }

    private static FrameHeader header(int source, int tag, int bytes) {
        FrameHeader header = new FrameHeader();
        header.sourceRank = source;
        header.tag = tag;
        header.payloadBytes = bytes;
        header.messageBytes = bytes;
        return header;
    }

    /** Every rank offers one more frame to every other, if there is room. */
    private void offer() {
        for (int source = 0; source < SIZE; source++) {
            for (int target = 0; target < SIZE; target++) {
                int number = next[source][target];
                if (source == target || number == FRAMES) {
                    continue;
                }
                int bytes = bytes(source, target, number);
                PatternPayload payload = new PatternPayload(seedOf(source, target, number), bytes);
                if (live.get(source).endpoint(target).offer(header(source, number, bytes), payload)
                        == Endpoint.Offer.ACCEPTED) {
                    next[source][target]++;
                }
            }
        }
    }

    private void run(SplittableRandom random) {
        for (int round = random.nextInt(60); round > 0; round--) {
            offer();
            for (Transport transport : live) {
                if (random.nextInt(3) > 0) {
                    transport.poll();
                }
            }
            for (Transport zombie : zombies) {
                zombie.poll();
            }
        }
    }

    /** @param arriving the target has its channels before the commit point, and waits for it */
    private void move(int rank, boolean aborted, boolean arriving) {
        Transport old = live.get(rank);
        Map<String, byte[]> image = old.freeze();
        List<FrameRecorder.Arrival> received = List.copyOf(recorders.get(rank).arrivals());
        assertThat(image).hasSize(SIZE - 1);
        FrameRecorder recorder = new FrameRecorder();
        Transport target = open(rank, incarnations[rank] + 1, recorder);
        int port = target.bind("127.0.0.1");
        if (arriving) {
            List<RankTable.Entry> entries = new ArrayList<>(table().entries());
            entries.set(rank, new RankTable.Entry(rank, "127.0.0.1", port, incarnations[rank] + 1, "host"));
            target.arrive(new RankTable(tableEpoch++, entries));
        }
        target.thaw(image);
        if (arriving) {
            boolean _ = target.poll();
            assertThat(isAnyLinked(target, rank)).isFalse();
        }
        List<Transport> others = new ArrayList<>(live);
        others.remove(rank);
        // the others run on meanwhile
        for (Transport other : others) {
            other.poll();
        }
        if (aborted) {
            target.close();
            return;
        }
        ports[rank] = port;
        incarnations[rank]++;
        RankTable table = table();
        for (Transport other : others) {
            other.update(table);
        }
        CompletableFuture<Void> connecting =
                CompletableFuture.runAsync(() -> connect(target, table, arriving), threads);
        TransportCluster.pollUntil("rank " + rank + " has moved", connecting::isDone, others);
        connecting.join();
        assertThat(target.isLinked()).isTrue();
        live.set(rank, target);
        before.get(rank).addAll(received);
        recorders.set(rank, recorder);
        zombies.add(old);
        for (int peer = 0; peer < SIZE; peer++) {
            if (peer != rank) {
                Endpoint.Offer _ = old.endpoint(peer).offer(header(rank, OF_A_ZOMBIE, 10), new PatternPayload(1, 10));
            }
        }
    }

    private static boolean isAnyLinked(Transport target, int ownRank) {
        for (int peer = 0; peer < SIZE; peer++) {
            if (peer != ownRank && ((GridTcpEndpoint) target.endpoint(peer)).link() != null) {
                return true;
            }
        }
        return false;
    }

    private static void connect(Transport target, RankTable table, boolean arriving) {
        if (arriving) {
            target.update(table);
        } else {
            target.connect(table, TransportCluster.PATIENCE);
        }
        TransportCluster.pollUntil("links of the channels that go on", target::isLinked, List.of(target));
    }

    private List<FrameRecorder.Arrival> arrivals(int rank) {
        List<FrameRecorder.Arrival> all = new ArrayList<>(before.get(rank));
        all.addAll(recorders.get(rank).arrivals());
        return all;
    }

    private boolean allArrived() {
        for (int rank = 0; rank < SIZE; rank++) {
            if (before.get(rank).size() + recorders.get(rank).arrivals().size() < (SIZE - 1) * FRAMES) {
                return false;
            }
        }
        return true;
    }

    @ParameterizedTest
    @CsvSource({"1, 32", "2, 32", "3, 32", "4, 32", "5, 32", "6, 32", "7, 1", "8, 1", "9, 1", "10, 1", "11, 1", "12, 1"
    })
    void shouldLoseRepeatAndReorderNothingWhileRanksMove(long seed, String connectedAtOnce) {
        connect = connectedAtOnce;
        SplittableRandom random = new SplittableRandom(seed);
        try {
            for (int rank = 0; rank < SIZE; rank++) {
                FrameRecorder recorder = new FrameRecorder();
                live.add(open(rank, 0, recorder));
                recorders.add(recorder);
                before.add(new ArrayList<>());
                ports[rank] = live.get(rank).bind("127.0.0.1");
            }
            RankTable first = table();
            CompletableFuture.allOf(live.stream()
                            .map(each -> CompletableFuture.runAsync(
                                    () -> each.connect(first, TransportCluster.PATIENCE), threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
            for (int moves = 0; moves < 6; moves++) {
                run(random);
                move(random.nextInt(SIZE), random.nextInt(3) == 0, random.nextBoolean());
            }
            List<Transport> all = new ArrayList<>(live);
            all.addAll(zombies);
            TransportCluster.pollUntil(
                    "all frames, seed " + seed,
                    () -> {
                        offer();
                        return allArrived();
                    },
                    all);
            verify(seed);
        } finally {
            live.forEach(Transport::close);
            zombies.forEach(Transport::close);
            threads.shutdown();
        }
    }

    private void verify(long seed) {
        for (int target = 0; target < SIZE; target++) {
            int[] expected = new int[SIZE];
            assertThat(recorders.get(target).losses()).isEmpty();
            for (FrameRecorder.Arrival arrival : arrivals(target)) {
                int source = arrival.header().sourceRank;
                int number = expected[source]++;
                assertThat(arrival.header().tag)
                        .as("seed %d, rank %d to %d", seed, source, target)
                        .isEqualTo(number);
                assertThat(arrival.payload())
                        .isEqualTo(
                                PatternPayload.pattern(seedOf(source, target, number), bytes(source, target, number)));
            }
        }
    }
}
