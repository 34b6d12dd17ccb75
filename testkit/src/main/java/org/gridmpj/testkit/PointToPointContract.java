package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.pt2pt.Request;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What point-to-point communication must do on every transport: subclassed per transport. All ranks run in this JVM.
 */
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class PointToPointContract {
    private static final TypeMap BYTE = TypeMap.of(BaseType.BYTE);
    private static final TypeMap INT = TypeMap.of(BaseType.INT);
    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);
    private static final TypeMap OBJECT = TypeMap.of(BaseType.OBJECT);
    private static final List<SendMode> UNBUFFERED = List.of(SendMode.STANDARD, SendMode.SYNCHRONOUS, SendMode.READY);
    private static final int ANY_SOURCE = PointToPoint.ANY_SOURCE;
    private static final int ANY_TAG = PointToPoint.ANY_TAG;
    /** Small, so that all protocols are met with short messages. */
    private static final int EAGER_LIMIT_BYTES = 2048;

    private static final long CONTEXT = 0x7E57;

    /** A provider for one job; a fresh one for each run. */
    protected abstract TransportProvider provider();

    /** Of the engines. */
    protected PointToPointConfig settings() {
        return PointToPointConfig.forSharedCores();
    }

    private void run(int size, LocalCluster.RankProgram program) {
        LocalCluster.of(size, provider())
                .with(settings().withEagerLimitBytes(EAGER_LIMIT_BYTES))
                .within(Duration.ofSeconds(60))
                .run(program);
    }

    // ---------------------------------------------------------------- all protocols and modes

    @ParameterizedTest
    @EnumSource(SendMode.class)
    void shouldDeliverEveryLengthAroundTheThresholdsInEveryMode(SendMode mode) {
        int[] lengths = {0, 1, 7, 8, 9, 511, 2047, 2048, 2049, 4096, 65_535, 65_536, 65_537, 300_001};
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            int me = p.worldRank();
            if (mode == SendMode.BUFFERED) {
                p.attachBuffer(2_000_000);
            }
            for (int length : lengths) {
                byte[] out = pattern(length, me);
                byte[] in = new byte[length];
                MessageStatus status = new MessageStatus();
                if (me == 0) {
                    p.send(mode, out, 0, length, BYTE, 1, CONTEXT, length);
                    p.receive(in, 0, length, BYTE, 1, CONTEXT, length, false, status);
                } else {
                    p.receive(in, 0, length, BYTE, 0, CONTEXT, length, false, status);
                    p.send(mode, out, 0, length, BYTE, 0, CONTEXT, length);
                }
                assertThat(in).isEqualTo(pattern(length, 1 - me));
                assertThat(status.count).isEqualTo(length);
                assertThat(status.tag).isEqualTo(length);
                assertThat(status.sourceWorldRank).isEqualTo(1 - me);
            }
            if (mode == SendMode.BUFFERED) {
                assertThat(p.detachBuffer()).isEqualTo(2_000_000);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void shouldExchangeAllToAllWithRandomLengthsAndModes(int size) {
        long seed = 4711L * size;
        run(size, process -> {
            PointToPoint p = process.pointToPoint();
            int me = p.worldRank();
            int rounds = 6;
            List<Request> requests = new ArrayList<>();
            List<byte[]> expected = new ArrayList<>();
            List<byte[]> received = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                for (int peer = 0; peer < size; peer++) {
                    byte[] in = new byte[length(seed, peer, me, round)];
                    requests.add(p.ireceive(in, 0, in.length, BYTE, peer, CONTEXT, round, false));
                    received.add(in);
                    expected.add(pattern(in.length, peer * 31 + round));
                }
                for (int peer = 0; peer < size; peer++) {
                    byte[] out = pattern(length(seed, me, peer, round), me * 31 + round);
                    SendMode mode = UNBUFFERED.get((me + peer + round) % UNBUFFERED.size());
                    requests.add(p.isend(mode, out, 0, out.length, BYTE, peer, CONTEXT, round));
                }
            }
            p.awaitAll(requests.toArray(new Request[0]));
            for (int i = 0; i < received.size(); i++) {
                assertThat(received.get(i))
                        .as("seed %d, rank %d, receive %d", seed, me, i)
                        .isEqualTo(expected.get(i));
            }
        });
    }

    private static int length(long seed, int from, int to, int round) {
        Random random = new Random(seed + from * 1_000_003L + to * 10_007L + round * 101L);
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(16);
            case 1 -> EAGER_LIMIT_BYTES - 4 + random.nextInt(8);
            case 2 -> random.nextInt(EAGER_LIMIT_BYTES);
            default -> random.nextInt(100_000);
        };
    }

    @Test
    void shouldCarryObjectsAndTypedArrays() {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            if (p.worldRank() == 0) {
                Object[] objects = {"one", List.of(1, 2, 3), new double[] {1.5, 2.5}, Map.of("k", 7)};
                p.send(SendMode.STANDARD, objects, 0, 4, OBJECT, 1, CONTEXT, 1);
                long[] numbers = new long[10_000];
                Arrays.setAll(numbers, i -> i * 3L);
                p.send(SendMode.STANDARD, numbers, 10, 9_000, LONG, 1, CONTEXT, 2);
            } else {
                @Nullable Object[] objects = new @Nullable Object[6];
                p.receive(objects, 1, 5, OBJECT, 0, CONTEXT, 1, false, status);
                assertThat(status.count).isEqualTo(4);
                assertThat(objects[1]).isEqualTo("one");
                assertThat(objects[2]).isEqualTo(List.of(1, 2, 3));
                assertThat((double[]) objects[3]).containsExactly(1.5, 2.5);
                assertThat(objects[4]).isEqualTo(Map.of("k", 7));
                assertThat(objects[5]).isNull();
                long[] numbers = new long[9_000];
                p.receive(numbers, 0, 9_000, LONG, 0, CONTEXT, 2, false, status);
                assertThat(numbers[0]).isEqualTo(30);
                assertThat(numbers[8_999]).isEqualTo(9_009 * 3L);
            }
        });
    }

    @Test
    void shouldBringNewRowsWithEachMatrixWhenRanksHaveTimeWhileTheyWait() {
        // ranks with a core each make rows ahead
        LocalCluster.of(2, provider())
                .with(PointToPointConfig.forHost(1, 1))
                .within(Duration.ofSeconds(60))
                .run(process -> {
                    PointToPoint p = process.pointToPoint();
                    int me = p.worldRank();
                    float[][] before = new float[0][];
                    for (int message = 0; message < 60; message++) {
                        int rows = message % 20 < 15 ? 64 : 3 + message;
                        int columns = message % 30 < 20 ? 300 : 1 + message;
                        float[][] matrix = new float[rows][columns];
                        if (me == message % 2) {
                            for (float[] row : matrix) {
                                Arrays.fill(row, message);
                            }
                            p.send(SendMode.STANDARD, matrix, 0, rows, OBJECT, 1 - me, CONTEXT, message);
                        } else {
                            p.receive(matrix, 0, rows, OBJECT, 1 - me, CONTEXT, message, false, new MessageStatus());
                            for (int i = 0; i < rows; i++) {
                                assertThat(matrix[i]).hasSize(columns).containsOnly(message);
                                assertThat(i < before.length ? before[i] : null).isNotSameAs(matrix[i]);
                            }
                            for (float[] row : before) {
                                assertThat(row).containsOnly(message - 2);
                            }
                            before = matrix;
                        }
                    }
                });
    }

    // ---------------------------------------------------------------- order and wildcards

    @Test
    void shouldKeepTheOrderOfOneSenderThroughAllProtocols() {
        int messages = 400;
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            Random random = new Random(99);
            if (p.worldRank() == 0) {
                List<Request> requests = new ArrayList<>();
                for (int i = 0; i < messages; i++) {
                    int[] out = new int[1 + random.nextInt(1200)];
                    out[0] = i;
                    SendMode mode = random.nextBoolean() ? SendMode.STANDARD : SendMode.SYNCHRONOUS;
                    requests.add(p.isend(mode, out, 0, out.length, INT, 1, CONTEXT, 5));
                }
                p.awaitAll(requests.toArray(new Request[0]));
            } else {
                int[] in = new int[1300];
                MessageStatus status = new MessageStatus();
                for (int i = 0; i < messages; i++) {
                    p.receive(in, 0, in.length, INT, i % 2 == 0 ? 0 : ANY_SOURCE, CONTEXT, ANY_TAG, false, status);
                    assertThat(in[0]).isEqualTo(i);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 9})
    void shouldReceiveEachMessageOnceInAStormToAnySource(int size) {
        int each = 200;
        run(size, process -> {
            PointToPoint p = process.pointToPoint();
            int me = p.worldRank();
            if (me == 0) {
                int[] next = new int[size];
                int[] in = new int[1024];
                MessageStatus status = new MessageStatus();
                for (int i = 0; i < each * (size - 1); i++) {
                    p.receive(in, 0, in.length, INT, ANY_SOURCE, CONTEXT, ANY_TAG, false, status);
                    int source = status.sourceWorldRank;
                    assertThat(in[0]).isEqualTo(source);
                    assertThat(in[1]).as("order of rank %d", source).isEqualTo(next[source]++);
                }
                assertThat(next).containsExactly(counts(size, each));
            } else {
                for (int i = 0; i < each; i++) {
                    int[] out = new int[i % 7 == 0 ? 1000 : 2];
                    out[0] = me;
                    out[1] = i;
                    p.send(SendMode.STANDARD, out, 0, out.length, INT, 0, CONTEXT, i);
                }
            }
        });
    }

    private static int[] counts(int size, int each) {
        int[] counts = new int[size];
        Arrays.fill(counts, 1, size, each);
        return counts;
    }

    /**
     * Rank 0 numbers what it sends with two tags, short and long; rank 1 receives each, blocking or not, by tag or any, some when
     * it is here already. Who was posted first gets the earliest that it accepts.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldGiveTheEarliestMessageToTheReceivePostedFirst(long seed) {
        int messages = 400;
        int most = EAGER_LIMIT_BYTES / Integer.BYTES + 1;
        int[] tags = new Random(seed).ints(messages, 1, 3).toArray();
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            Random random = new Random(seed + 1 + p.worldRank());
            if (p.worldRank() == 0) {
                List<Request> sent = new ArrayList<>();
                for (int i = 0; i < messages; i++) {
                    int[] out = new int[random.nextInt(8) == 0 ? most : 1 + random.nextInt(6)];
                    out[0] = i;
                    if (out.length < most) {
                        p.send(SendMode.STANDARD, out, 0, out.length, INT, 1, CONTEXT, tags[i]);
                    } else {
                        // a long one may be received after later ones
                        sent.add(p.isend(SendMode.STANDARD, out, 0, most, INT, 1, CONTEXT, tags[i]));
                    }
                }
                p.awaitAll(sent.toArray(new Request[0]));
                return;
            }
            List<Integer> left = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                left.add(i);
            }
            List<Request> pending = new ArrayList<>();
            List<int[]> buffers = new ArrayList<>();
            List<Integer> expected = new ArrayList<>();
            while (!left.isEmpty()) {
                int next = left.get(random.nextInt(Math.min(3, left.size())));
                int tag = random.nextInt(3) == 0 ? ANY_TAG : tags[next];
                int taken = left.stream()
                        .filter(i -> tag == ANY_TAG || tags[i] == tag)
                        .findFirst()
                        .orElseThrow();
                left.remove(Integer.valueOf(taken));
                int[] in = new int[most];
                int source = random.nextInt(6) == 0 ? ANY_SOURCE : 0;
                if (random.nextInt(4) == 0) {
                    p.probe(0, CONTEXT, tags[taken], status);
                }
                if (random.nextInt(3) == 0) {
                    pending.add(p.ireceive(in, 0, in.length, INT, source, CONTEXT, tag, false));
                    buffers.add(in);
                    expected.add(taken);
                } else {
                    p.receive(in, 0, most, INT, source, CONTEXT, tag, false, status);
                    assertThat(in[0]).as("seed %d, message %d", seed, taken).isEqualTo(taken);
                    assertThat(status.tag).isEqualTo(tags[taken]);
                }
                if (random.nextInt(5) == 0) {
                    completeAll(p, pending, buffers, expected, seed);
                }
            }
            completeAll(p, pending, buffers, expected, seed);
        });
    }

    /** Both messages are here when the second receive begins, and nobody has looked yet, but perhaps a helper thread. */
    @Test
    void shouldLeaveTheFirstMessageToAReceiveThatIsPostedWhenABlockingOneFollows() {
        int rounds = 50;
        Semaphore posted = new Semaphore(0);
        Semaphore sent = new Semaphore(0);
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            for (int round = 0; round < rounds; round++) {
                if (p.worldRank() == 0) {
                    posted.acquire();
                    p.send(SendMode.STANDARD, new int[] {2 * round}, 0, 1, INT, 1, CONTEXT, 1);
                    p.send(SendMode.STANDARD, new int[] {2 * round + 1}, 0, 1, INT, 1, CONTEXT, 1);
                    sent.release();
                } else {
                    int[] first = new int[1];
                    int[] second = new int[1];
                    Request early = p.ireceive(first, 0, 1, INT, 0, CONTEXT, 1, false);
                    posted.release();
                    sent.acquire();
                    p.receive(second, 0, 1, INT, 0, CONTEXT, ANY_TAG, false, new MessageStatus());
                    p.await(early);
                    assertThat(first[0]).isEqualTo(2 * round);
                    assertThat(second[0]).isEqualTo(2 * round + 1);
                }
            }
        });
    }

    private static void completeAll(
            PointToPoint p, List<Request> pending, List<int[]> buffers, List<Integer> expected, long seed) {
        for (int i = 0; i < pending.size(); i++) {
            p.await(pending.get(i));
            assertThat(buffers.get(i)[0]).as("seed %d", seed).isEqualTo(expected.get(i));
        }
        pending.clear();
        buffers.clear();
        expected.clear();
    }

    @Test
    void shouldMatchContextTagAndTypeSeparately() {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            if (p.worldRank() == 0) {
                p.send(SendMode.STANDARD, new int[] {1}, 0, 1, INT, 1, CONTEXT + 1, 1);
                p.send(SendMode.STANDARD, new int[] {2}, 0, 1, INT, 1, CONTEXT, 2);
                p.send(SendMode.STANDARD, new int[] {3}, 0, 1, INT, 1, CONTEXT, 1);
                p.send(SendMode.STANDARD, new long[] {4}, 0, 1, LONG, 1, CONTEXT, 7);
                p.send(SendMode.STANDARD, new int[] {5}, 0, 1, INT, 1, CONTEXT, 7);
            } else {
                int[] in = new int[1];
                p.receive(in, 0, 1, INT, 0, CONTEXT, 1, false, status);
                assertThat(in[0]).isEqualTo(3);
                p.receive(in, 0, 1, INT, 0, CONTEXT, ANY_TAG, true, status);
                assertThat(in[0]).isEqualTo(2);
                p.receive(in, 0, 1, INT, 0, CONTEXT, 7, true, status);
                assertThat(in[0]).isEqualTo(5);
                long[] other = new long[1];
                p.receive(other, 0, 1, LONG, ANY_SOURCE, CONTEXT, ANY_TAG, true, status);
                assertThat(other[0]).isEqualTo(4);
                p.receive(in, 0, 1, INT, 0, CONTEXT + 1, ANY_TAG, false, status);
                assertThat(in[0]).isEqualTo(1);
            }
        });
    }

    // ---------------------------------------------------------------- truncation, probe, cancel

    @ParameterizedTest
    @ValueSource(ints = {100, 50_000})
    void shouldNameBothSizesWhenAMessageIsTruncatedAndGoOn(int length) {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            if (p.worldRank() == 0) {
                p.send(SendMode.STANDARD, new byte[length], 0, length, BYTE, 1, CONTEXT, 1);
                p.send(SendMode.STANDARD, new byte[] {42}, 0, 1, BYTE, 1, CONTEXT, 1);
            } else {
                byte[] in = new byte[60];
                assertThatThrownBy(() -> p.receive(in, 0, 60, BYTE, 0, CONTEXT, 1, false, status))
                        .isInstanceOfSatisfying(
                                MpiFailure.class,
                                failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRUNCATE))
                        .hasMessageContaining("" + length)
                        .hasMessageContaining("60");
                p.receive(in, 0, 60, BYTE, 0, CONTEXT, 1, false, status);
                assertThat(in[0]).isEqualTo((byte) 42);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 20_000})
    void shouldProbeWithoutTakingTheMessage(int length) {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            if (p.worldRank() == 0) {
                p.send(SendMode.STANDARD, new int[length], 0, length, INT, 1, CONTEXT, 77);
            } else {
                assertThat(p.iprobe(0, CONTEXT, 78)).isNull();
                p.probe(ANY_SOURCE, CONTEXT, ANY_TAG, status);
                assertThat(status.sourceWorldRank).isZero();
                assertThat(status.tag).isEqualTo(77);
                assertThat(status.count).isEqualTo(length);
                assertThat(p.iprobe(0, CONTEXT, 77)).isNotNull();
                p.receive(new int[length], 0, length, INT, 0, CONTEXT, 77, false, status);
                assertThat(p.iprobe(0, CONTEXT, 77)).isNull();
            }
        });
    }

    @Test
    void shouldCancelAReceiveThatIsNotMatched() {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            int peer = 1 - p.worldRank();
            int[] in = new int[1];
            Request request = p.ireceive(in, 0, 1, INT, peer, CONTEXT, 1, false);
            p.cancel(request);
            p.await(request);
            assertThat(request.status().cancelled).isTrue();
            // The peer sends only when this receive is cancelled.
            p.send(SendMode.STANDARD, in, 0, 1, INT, peer, CONTEXT, 2);
            p.receive(in, 0, 1, INT, peer, CONTEXT, 2, false, new MessageStatus());
            // the message goes to the next receive, not to the cancelled one
            Request next = p.ireceive(in, 0, 1, INT, peer, CONTEXT, 1, false);
            p.send(SendMode.STANDARD, new int[] {9}, 0, 1, INT, peer, CONTEXT, 1);
            p.await(next);
            assertThat(in[0]).isEqualTo(9);
            assertThat(next.status().cancelled).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 50_000})
    void shouldEitherCancelASendOrDeliverIt(int length) {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            int[] outcome = new int[1];
            if (p.worldRank() == 0) {
                Request request = p.isend(SendMode.SYNCHRONOUS, pattern(length, 3), 0, length, BYTE, 1, CONTEXT, 1);
                p.cancel(request);
                p.await(request);
                outcome[0] = request.status().cancelled ? 1 : 0;
                assertThat(outcome[0]).as("nobody had posted a receive").isEqualTo(1);
                p.send(SendMode.STANDARD, outcome, 0, 1, INT, 1, CONTEXT, 2);
            } else {
                p.receive(outcome, 0, 1, INT, 0, CONTEXT, 2, false, status);
                assertThat(p.iprobe(0, CONTEXT, 1)).isNull();
            }
        });
    }

    @Test
    void shouldNotCancelASendThatIsMatched() {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            byte[] data = pattern(30_000, 8);
            if (p.worldRank() == 0) {
                p.receive(new int[1], 0, 1, INT, 1, CONTEXT, 3, false, new MessageStatus());
                Request request = p.isend(SendMode.SYNCHRONOUS, data, 0, data.length, BYTE, 1, CONTEXT, 1);
                p.receive(new int[1], 0, 1, INT, 1, CONTEXT, 3, false, new MessageStatus());
                p.cancel(request);
                p.await(request);
                assertThat(request.status().cancelled).isFalse();
            } else {
                byte[] in = new byte[data.length];
                Request request = p.ireceive(in, 0, in.length, BYTE, 0, CONTEXT, 1, false);
                p.send(SendMode.STANDARD, new int[1], 0, 1, INT, 0, CONTEXT, 3);
                p.await(request);
                p.send(SendMode.STANDARD, new int[1], 0, 1, INT, 0, CONTEXT, 3);
                assertThat(in).isEqualTo(data);
            }
        });
    }

    // ---------------------------------------------------------------- modes

    @ParameterizedTest
    @ValueSource(ints = {4, 50_000})
    void shouldCompleteASynchronousSendOnlyWhenMatched(int length) {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            if (p.worldRank() == 0) {
                Request send = p.isend(SendMode.SYNCHRONOUS, new byte[length], 0, length, BYTE, 1, CONTEXT, 1);
                // the peer has seen the message before it answers, and has not received it
                p.receive(new int[1], 0, 1, INT, 1, CONTEXT, 2, false, status);
                assertThat(p.test(send)).isFalse();
                p.send(SendMode.STANDARD, new int[1], 0, 1, INT, 1, CONTEXT, 3);
                p.await(send);
            } else {
                p.probe(0, CONTEXT, 1, status);
                p.send(SendMode.STANDARD, new int[1], 0, 1, INT, 0, CONTEXT, 2);
                p.receive(new int[1], 0, 1, INT, 0, CONTEXT, 3, false, status);
                p.receive(new byte[length], 0, length, BYTE, 0, CONTEXT, 1, false, status);
            }
        });
    }

    @Test
    void shouldCompleteBufferedSendsBeforeTheReceiverCaresAndSayWhatIsMissing() {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            byte[] data = pattern(100_000, 5);
            if (p.worldRank() == 0) {
                assertThatThrownBy(() -> p.send(SendMode.BUFFERED, data, 0, data.length, BYTE, 1, CONTEXT, 1))
                        .isInstanceOf(MpiFailure.class)
                        .hasMessageContaining("no buffer is attached");
                p.attachBuffer(100_000 + PointToPoint.BUFFERED_SEND_OVERHEAD_BYTES);
                byte[] reused = data.clone();
                p.send(SendMode.BUFFERED, reused, 0, reused.length, BYTE, 1, CONTEXT, 1);
                Arrays.fill(reused, (byte) 0);
                p.detachBuffer();
                p.attachBuffer(50);
                assertThatThrownBy(() -> p.send(SendMode.BUFFERED, data, 0, 100, BYTE, 1, CONTEXT, 1))
                        .isInstanceOf(MpiFailure.class)
                        .hasMessageContaining("164")
                        .hasMessageContaining("50");
                p.detachBuffer();
                p.send(SendMode.STANDARD, new int[1], 0, 1, INT, 1, CONTEXT, 2);
            } else {
                p.receive(new int[1], 0, 1, INT, 0, CONTEXT, 2, false, status);
                byte[] in = new byte[data.length];
                p.receive(in, 0, in.length, BYTE, 0, CONTEXT, 1, false, status);
                assertThat(in).isEqualTo(data);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(SendMode.class)
    void shouldSendToItself(SendMode mode) {
        run(1, process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            if (mode == SendMode.BUFFERED) {
                p.attachBuffer(1_000_000);
            }
            for (int length : new int[] {0, 5, 3000, 200_000}) {
                byte[] data = pattern(length, length);
                byte[] in = new byte[length];
                Request posted = p.ireceive(in, 0, length, BYTE, 0, CONTEXT, 1, false);
                p.send(mode, data, 0, length, BYTE, 0, CONTEXT, 1);
                p.await(posted);
                assertThat(in).isEqualTo(data);

                Request early = p.isend(mode, data, 0, length, BYTE, 0, CONTEXT, 1);
                assertThat(p.test(early)).isEqualTo(mode != SendMode.SYNCHRONOUS);
                Arrays.fill(in, (byte) 0);
                p.probe(0, CONTEXT, 1, status);
                p.receive(in, 0, length, BYTE, ANY_SOURCE, CONTEXT, ANY_TAG, false, status);
                p.await(early);
                assertThat(in).isEqualTo(data);
            }
        });
    }

    // ---------------------------------------------------------------- requests

    @Test
    void shouldStartPersistentRequestsAgainAndAgain() {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            int me = p.worldRank();
            int[] out = new int[800];
            int[] in = new int[800];
            Request send = p.sendInit(SendMode.STANDARD, out, 0, 800, INT, 1 - me, CONTEXT, 4);
            Request receive = p.receiveInit(in, 0, 800, INT, 1 - me, CONTEXT, 4, false);
            Request[] both = {send, receive};
            assertThat(p.awaitAny(both)).isEqualTo(-1);
            for (int i = 0; i < 50; i++) {
                out[0] = 100 * me + i;
                p.start(receive);
                p.start(send);
                assertThat(send.isActive()).isTrue();
                p.awaitAll(both);
                assertThat(send.isActive()).isFalse();
                assertThat(in[0]).isEqualTo(100 * (1 - me) + i);
            }
        });
    }

    @Test
    void shouldCompleteAnySomeAndAll() {
        int size = 4;
        run(size, process -> {
            PointToPoint p = process.pointToPoint();
            if (p.worldRank() == 0) {
                int[][] in = new int[size][1];
                @Nullable Request[] requests = new @Nullable Request[size];
                for (int peer = 1; peer < size; peer++) {
                    requests[peer] = p.ireceive(in[peer], 0, 1, INT, peer, CONTEXT, 1, false);
                }
                assertThat(p.testAll(requests)).isFalse();
                for (int peer = 1; peer < size; peer++) {
                    p.send(SendMode.STANDARD, new int[1], 0, 1, INT, peer, CONTEXT, 2);
                    int index = p.awaitAny(requests);
                    assertThat(index).isEqualTo(peer);
                    assertThat(in[peer][0]).isEqualTo(peer);
                    requests[index] = null;
                }
                assertThat(p.awaitAny(requests)).isEqualTo(-1);
                assertThat(p.testSome(requests, new int[size])).isEqualTo(-1);
                int[] indices = new int[size];
                for (int peer = 1; peer < size; peer++) {
                    requests[peer] = p.ireceive(in[peer], 0, 1, INT, peer, CONTEXT, 3, false);
                }
                int done = 0;
                while (done < size - 1) {
                    int some = p.awaitSome(requests, indices);
                    assertThat(some).isPositive();
                    for (int i = 0; i < some; i++) {
                        requests[indices[i]] = null;
                    }
                    done += some;
                }
                assertThat(p.awaitSome(requests, indices)).isEqualTo(-1);
            } else {
                int me = p.worldRank();
                p.receive(new int[1], 0, 1, INT, 0, CONTEXT, 2, false, new MessageStatus());
                p.send(SendMode.STANDARD, new int[] {me}, 0, 1, INT, 0, CONTEXT, 1);
                p.send(SendMode.STANDARD, new int[] {me}, 0, 1, INT, 0, CONTEXT, 3);
            }
        });
    }

    @Test
    void shouldDeliverWhatWasFreedBeforeItsCompletion() {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            byte[] data = pattern(40_000, 2);
            if (p.worldRank() == 0) {
                p.free(p.isend(SendMode.STANDARD, data, 0, data.length, BYTE, 1, CONTEXT, 1));
            } else {
                byte[] in = new byte[data.length];
                p.receive(in, 0, in.length, BYTE, 0, CONTEXT, 1, false, new MessageStatus());
                assertThat(in).isEqualTo(data);
            }
        });
    }

    // ---------------------------------------------------------------- pressure and threads

    @Test
    void shouldLoseNothingWhenTheReceiverIsSlow() {
        int messages = 3000;
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            if (p.worldRank() == 0) {
                List<Request> requests = new ArrayList<>();
                for (int i = 0; i < messages; i++) {
                    int[] out = new int[100];
                    out[0] = i;
                    requests.add(p.isend(SendMode.STANDARD, out, 0, 100, INT, 1, CONTEXT, i % 3));
                }
                p.send(SendMode.STANDARD, new int[] {-1}, 0, 1, INT, 1, CONTEXT, 9);
                p.awaitAll(requests.toArray(new Request[0]));
            } else {
                int[] in = new int[100];
                // the last message first: all others must be kept, in order
                p.receive(in, 0, 100, INT, 0, CONTEXT, 9, false, status);
                assertThat(in[0]).isEqualTo(-1);
                for (int tag = 0; tag < 3; tag++) {
                    for (int i = tag; i < messages; i += 3) {
                        p.receive(in, 0, 100, INT, 0, CONTEXT, tag, false, status);
                        assertThat(in[0]).isEqualTo(i);
                    }
                }
            }
        });
    }

    @Test
    void shouldServeSeveralThreadsOfEachRank() {
        int threads = 4;
        int rounds = 150;
        run(3, process -> {
            PointToPoint p = process.pointToPoint();
            int me = p.worldRank();
            int next = (me + 1) % 3;
            int previous = (me + 2) % 3;
            AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
            List<Thread> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int tag = t;
                Thread thread = new Thread(
                        () -> {
                            try {
                                for (int i = 0; i < rounds; i++) {
                                    int length = i % 5 == 0 ? 3000 : 3;
                                    int[] out = new int[length];
                                    out[0] = i * 1000 + tag;
                                    int[] in = new int[length];
                                    Request send = p.isend(SendMode.STANDARD, out, 0, length, INT, next, CONTEXT, tag);
                                    p.receive(in, 0, length, INT, previous, CONTEXT, tag, false, new MessageStatus());
                                    p.await(send);
                                    assertThat(in[0]).isEqualTo(out[0]);
                                }
                            } catch (Throwable e) {
                                failure.compareAndSet(null, e);
                            }
                        },
                        "rank-" + me + "-thread-" + t);
                thread.setDaemon(true);
                all.add(thread);
                thread.start();
            }
            for (Thread thread : all) {
                thread.join();
            }
            assertThat(failure.get()).isNull();
        });
    }

    @Test
    void shouldMakeProgressWhileTheProgramDoesNotCallMpi() {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            byte[] data = pattern(200_000, 6);
            if (p.worldRank() == 0) {
                Request send = p.isend(SendMode.STANDARD, data, 0, data.length, BYTE, 1, CONTEXT, 1);
                // computes: the rendezvous goes on without a call of this rank
                while (!send.isComplete()) {
                    Thread.onSpinWait();
                }
                p.await(send);
            } else {
                byte[] in = new byte[data.length];
                p.receive(in, 0, in.length, BYTE, 0, CONTEXT, 1, false, new MessageStatus());
                assertThat(in).isEqualTo(data);
            }
        });
    }

    @Test
    void shouldFailAReceiveFromARankThatHasFinalized() {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            if (p.worldRank() == 0) {
                assertThatThrownBy(() -> p.receive(new int[1], 0, 1, INT, 1, CONTEXT, 1, false, new MessageStatus()))
                        .isInstanceOfSatisfying(
                                MpiFailure.class,
                                failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.PROC_FAILED))
                        .hasMessageContaining("world rank 1");
            }
        });
    }

    // ---------------------------------------------------------------- snapshots

    @Test
    void shouldCutBetweenMarkersAndBringUnexpectedMessagesBack() {
        run(3, process -> {
            PointToPoint p = process.pointToPoint();
            int me = p.worldRank();
            int next = (me + 1) % 3;
            int previous = (me + 2) % 3;
            for (int i = 0; i < 20; i++) {
                p.send(SendMode.STANDARD, new int[] {i}, 0, 1, INT, next, CONTEXT, i % 2);
            }
            assertThat(process.snapshots().pendingOperations()).isEmpty();
            process.snapshots().exchangeMarkers(7);
            Map<String, byte[]> image = process.snapshots().freeze();
            process.snapshots().release();
            // after the cut: not in the image
            p.send(SendMode.STANDARD, new int[] {99}, 0, 1, INT, next, CONTEXT, 0);
            int[] in = new int[1];
            MessageStatus status = new MessageStatus();
            for (int i = 0; i < 20; i++) {
                p.receive(in, 0, 1, INT, previous, CONTEXT, i % 2, false, status);
                assertThat(in[0]).isEqualTo(i);
            }
            p.probe(previous, CONTEXT, 0, status);
            process.snapshots().thaw(image);
            for (int i = 0; i < 20; i++) {
                p.receive(in, 0, 1, INT, ANY_SOURCE, CONTEXT, i % 2, false, status);
                assertThat(in[0]).as("message %d again", i).isEqualTo(i);
            }
            p.receive(in, 0, 1, INT, previous, CONTEXT, 0, false, status);
            assertThat(in[0]).isEqualTo(99);
        });
    }

    @Test
    void shouldNamePendingOperations() {
        run(2, process -> {
            PointToPoint p = process.pointToPoint();
            int peer = 1 - p.worldRank();
            Request receive = p.ireceive(new int[1], 0, 1, INT, peer, CONTEXT, 31, false);
            assertThat(process.snapshots().pendingOperations())
                    .singleElement()
                    .asString()
                    .contains("receive from world rank " + peer)
                    .contains("31");
            p.send(SendMode.STANDARD, new int[1], 0, 1, INT, peer, CONTEXT, 31);
            p.await(receive);
            assertThat(process.snapshots().pendingOperations()).isEmpty();
        });
    }

    @Test
    void shouldAgreeOnTheValueOfRankZero() {
        run(
                3,
                process -> assertThat(process.snapshots()
                                .agree(1000L + process.pointToPoint().worldRank()))
                        .isEqualTo(1000L));
    }

    private static byte[] pattern(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
