package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.gridmpj.coll.BlockingCollectives;
import org.gridmpj.coll.Collectives;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.CommunicatorCreation;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.pt2pt.Request;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What blocking collectives must do over any transport, whether they go by messages or by memory of all ranks. Set
 * {@code gridmpj.seed} to run a failure again.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class BlockingCollectivesContract {
    private static final long SEED = Long.getLong("gridmpj.seed", 20_261_121L);
    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);
    private static final TypeMap DOUBLE = TypeMap.of(BaseType.DOUBLE);
    /** More than the calls after which a communicator gets memory of its own. */
    private static final int CALLS_BEFORE = 10;

    private static final int TAG = 5;

    /** Bytes around which a call goes another way: a post beside its number, shares, slots of 2 to 9 ranks. */
    private static final int[] LIMITS = {8, 112, 8 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10};

    /** The network of one run. */
    protected abstract TransportProvider transport();

    /** How the engines are set. */
    protected PointToPointConfig settings() {
        return PointToPointConfig.forSharedCores();
    }

    /** Longs in a block that may be truncated at one rank without leaving others waiting; around a ring of messages it does. */
    protected int longestTruncated() {
        return 300;
    }

    private void run(int processes, LocalCluster.RankProgram program) {
        LocalCluster.of(processes, transport()).with(settings()).run(program);
    }

    private static BlockingCollectives inStride(Communicator communicator) {
        BlockingCollectives collectives = new BlockingCollectives(communicator);
        for (int i = 0; i < CALLS_BEFORE; i++) {
            collectives.barrier(null);
        }
        return collectives;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void shouldEqualTheOracleWhenCallsAreRandom(int processes) {
        long seed = SEED + processes;
        CollectiveCases cases = CollectiveCases.intra(new SplittableRandom(seed), processes);
        List<CollectiveCase> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            calls.add(cases.next());
        }
        run(processes, process -> {
            Communicator world = process.world();
            CallWay way = new CallWay(Collectives.of(world), inStride(world));
            for (CollectiveCase call : calls) {
                try {
                    world.pointToPoint().await(call.start(way, world.rank()));
                    call.check(world.rank());
                } catch (MpiFailure | AssertionError e) {
                    throw new AssertionError(call + ", seed " + seed + ": " + e.getMessage(), e);
                }
            }
        });
    }

    /** Calls of all lengths, with messages under way that only those can move who are in a collective. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7})
    void shouldGiveEachItsDataWhenCallsAreLongAndMessagesAreUnderWay(int processes) {
        run(processes, process -> mixedProgram(process.world(), SEED + 50 + processes));
    }

    private static void mixedProgram(Communicator world, long seed) {
        BlockingCollectives collectives = inStride(world);
        SplittableRandom random = new SplittableRandom(seed);
        int size = world.size();
        for (int call = 0; call < 50; call++) {
            int limit = LIMITS[random.nextInt(LIMITS.length)];
            int count = Math.max(1, limit / Long.BYTES * (1 + random.nextInt(3)) + random.nextInt(-1, 2));
            int root = random.nextInt(size);
            int messageLength = random.nextInt(3) == 0 ? 20_000 : 10;
            int kind = random.nextInt(10);
            String where = "call " + call + ": kind " + kind + " of " + count + " longs, seed " + seed;
            long[] out = new long[messageLength];
            long[] in = new long[messageLength];
            Arrays.fill(out, call);
            int next = world.group().worldRank((world.rank() + 1) % size);
            int before = world.group().worldRank((world.rank() + size - 1) % size);
            PointToPoint engine = world.pointToPoint();
            Request received =
                    engine.ireceive(in, 0, messageLength, LONG, before, world.pointToPointContext(), TAG, false);
            Request sent = engine.isend(
                    SendMode.STANDARD, out, 0, messageLength, LONG, next, world.pointToPointContext(), TAG);
            perform(world, collectives, kind, count, root, call, where);
            engine.await(sent);
            engine.await(received);
            assertThat(in).as(where).isEqualTo(out);
        }
    }

    private static long value(int rank, int index, int call) {
        return rank * 1_000_003L + index * 31L + call;
    }

    private static long[] values(int rank, int count, int call) {
        long[] values = new long[count];
        Arrays.setAll(values, i -> value(rank, i, call));
        return values;
    }

    private static void perform(
            Communicator world,
            BlockingCollectives collectives,
            int kind,
            int count,
            int root,
            int call,
            String where) {
        int size = world.size();
        int rank = world.rank();
        switch (kind) {
            case 0 -> {
                long[] buffer = rank == root ? values(root, count, call) : new long[count];
                collectives.bcast(null, buffer, 0, count, LONG, root);
                assertThat(Arrays.equals(buffer, values(root, count, call)))
                        .as(where)
                        .isTrue();
            }
            case 1 -> {
                long[] all = new long[count * size];
                boolean inPlace = call % 3 == 0;
                long[] own = values(rank, count, call);
                System.arraycopy(own, 0, all, inPlace ? rank * count : 0, count);
                if (inPlace || call % 3 == 1) {
                    collectives.allgather(null, all, inPlace ? rank * count : 0, count, LONG, all, 0, count, LONG);
                } else {
                    collectives.allgather(null, own, 0, count, LONG, all, 0, count, LONG);
                }
                for (int from = 0; from < size; from++) {
                    long[] block = Arrays.copyOfRange(all, from * count, (from + 1) * count);
                    assertThat(Arrays.equals(block, values(from, count, call)))
                            .as(where)
                            .isTrue();
                }
            }
            case 2 -> {
                long[] send = new long[count * size];
                for (int to = 0; to < size; to++) {
                    System.arraycopy(values(rank * size + to, count, call), 0, send, to * count, count);
                }
                long[] receive = call % 2 == 0 ? send : new long[count * size];
                collectives.alltoall(null, send, 0, count, LONG, receive, 0, count, LONG);
                for (int from = 0; from < size; from++) {
                    long[] block = Arrays.copyOfRange(receive, from * count, (from + 1) * count);
                    assertThat(Arrays.equals(block, values(from * size + rank, count, call)))
                            .as(where)
                            .isTrue();
                }
            }
            case 3 -> {
                long[] sum = sum(size, count, call);
                long[] send = Arrays.copyOf(values(rank, count, call), count + 2);
                boolean oneArray = call % 3 == 0;
                int shift = call % 2 == 0 ? 2 : 0;
                long[] receive = oneArray ? send : new long[count + 2];
                collectives.allreduce(null, send, 0, receive, shift, count, LONG, PredefinedOp.SUM);
                assertThat(Arrays.equals(Arrays.copyOfRange(receive, shift, shift + count), sum))
                        .as(where)
                        .isTrue();
            }
            case 4 -> {
                long[] send = Arrays.copyOf(values(rank, count, call), count + 2);
                boolean oneArray = call % 3 == 0;
                int shift = call % 2 == 0 ? 2 : 0;
                long[] receive = oneArray ? send : new long[count + 2];
                collectives.reduce(
                        null, send, 0, rank == root ? receive : null, shift, count, LONG, PredefinedOp.SUM, root);
                if (rank == root) {
                    assertThat(Arrays.equals(Arrays.copyOfRange(receive, shift, shift + count), sum(size, count, call)))
                            .as(where)
                            .isTrue();
                } else {
                    assertThat(Arrays.equals(Arrays.copyOf(send, count), values(rank, count, call)))
                            .as(where)
                            .isTrue();
                }
            }
            case 5 -> {
                int room = count + call % 3; // more than comes: blocks begin where their room does
                long[] all = new long[room * size];
                boolean inPlace = call % 2 == 0 && rank == root;
                long[] own = values(rank, count, call);
                System.arraycopy(own, 0, all, inPlace ? rank * room : 0, count);
                long[] send = inPlace ? all : own;
                collectives.gather(
                        null,
                        send,
                        inPlace ? rank * room : 0,
                        count,
                        LONG,
                        rank == root ? all : null,
                        0,
                        rank == root ? room : 0,
                        LONG,
                        root);
                for (int from = 0; rank == root && from < size; from++) {
                    long[] block = Arrays.copyOfRange(all, from * room, from * room + count);
                    assertThat(Arrays.equals(block, values(from, count, call)))
                            .as(where)
                            .isTrue();
                }
            }
            case 6 -> {
                // block sizes of many kinds, in the order of the ranks from behind, with gaps
                int[] counts = new int[size];
                int[] displacements = new int[size];
                int end = 0;
                for (int each = size - 1; each >= 0; each--) {
                    counts[each] = (each + call) % 3 == 0 ? 0 : count / (1 + (each + call) % 3);
                    displacements[each] = end + 1;
                    end += counts[each] + 1;
                }
                long[] all = new long[end];
                boolean inPlace = call % 3 == 0;
                int from = inPlace ? displacements[rank] : 0;
                long[] own = inPlace ? all : new long[counts[rank]];
                System.arraycopy(values(rank, counts[rank], call), 0, own, from, counts[rank]);
                collectives.allgatherv(null, own, from, counts[rank], LONG, all, 0, counts, displacements, LONG);
                for (int each = 0; each < size; each++) {
                    int first = displacements[each];
                    assertThat(all[first - 1]).as(where).isZero();
                    assertThat(Arrays.equals(
                                    Arrays.copyOfRange(all, first, first + counts[each]),
                                    values(each, counts[each], call)))
                            .as(where)
                            .isTrue();
                }
            }
            case 7 -> {
                int[] counts = new int[size];
                int total = 0;
                int first = 0;
                for (int each = 0; each < size; each++) {
                    first = each == rank ? total : first;
                    counts[each] = (each + call) % 4 == 0 ? 0 : count / (1 + (each + call) % 3);
                    total += counts[each];
                }
                long[] send = values(rank, total, call);
                boolean oneArray = call % 2 == 0;
                long[] receive = oneArray ? send : new long[counts[rank]];
                int shift = oneArray && call % 4 == 0 ? total - counts[rank] : 0;
                collectives.reduceScatter(null, send, 0, receive, shift, counts, LONG, PredefinedOp.SUM);
                assertThat(Arrays.equals(
                                Arrays.copyOfRange(receive, shift, shift + counts[rank]),
                                Arrays.copyOfRange(sum(size, total, call), first, first + counts[rank])))
                        .as(where)
                        .isTrue();
            }
            case 8 -> {
                // blocks from none to long ones, as rank, peer and call will have it
                int[] out = new int[size];
                int[] in = new int[size];
                int[] outAt = new int[size];
                int[] inAt = new int[size];
                int outEnd = 0;
                int inEnd = 0;
                for (int peer = 0; peer < size; peer++) {
                    out[peer] = blockOf(rank, peer, count, call);
                    in[peer] = blockOf(peer, rank, count, call);
                    outAt[peer] = outEnd;
                    inAt[peer] = inEnd;
                    outEnd += out[peer];
                    inEnd += in[peer] + 1;
                }
                boolean oneArray = call % 2 == 0;
                long[] send = new long[oneArray ? Math.max(outEnd, inEnd) : outEnd];
                for (int to = 0; to < size; to++) {
                    System.arraycopy(values(rank * size + to, out[to], call), 0, send, outAt[to], out[to]);
                }
                long[] receive = oneArray ? send : new long[inEnd];
                collectives.alltoallv(null, send, 0, out, outAt, LONG, receive, 0, in, inAt, LONG);
                for (int from = 0; from < size; from++) {
                    assertThat(Arrays.equals(
                                    Arrays.copyOfRange(receive, inAt[from], inAt[from] + in[from]),
                                    values(from * size + rank, in[from], call)))
                            .as(where)
                            .isTrue();
                }
            }
            default -> collectives.barrier(null);
        }
    }

    private static int blockOf(int from, int to, int count, int call) {
        return switch ((from * 3 + to + call) % 4) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> count / 3;
            default -> count;
        };
    }

    private static long[] sum(int size, int count, int call) {
        long[] sum = values(0, count, call);
        for (int each = 1; each < size; each++) {
            long[] term = values(each, count, call);
            Arrays.setAll(sum, i -> sum[i] + term[i]);
        }
        return sum;
    }

    /** A job with snapshots goes by messages, one without perhaps not: the same bits. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9})
    void shouldCombineToTheBitsOfMessagesWhateverTheOperation(int processes) {
        run(processes, process -> {
            Communicator world = process.world();
            BlockingCollectives collectives = inStride(world);
            for (Terms.Reduction reduction : Terms.reductions()) {
                for (int items : new int[] {1, 3, 700}) {
                    compare(world, collectives, reduction, items);
                }
            }
            compare(world, collectives, new Terms.Reduction(PredefinedOp.SUM, DOUBLE), 140_001);
            compare(world, collectives, new Terms.Reduction(PredefinedOp.PROD, TypeMap.of(BaseType.FLOAT)), 70_001);
            // an item is longer than what a rank can post at once
            TypeMap manyPairs = TypeMap.contiguous(40_000, TypeMap.of(BaseType.INT));
            compare(world, collectives, new Terms.Reduction(PredefinedOp.SUM, TypeMap.contiguous(20_000, DOUBLE)), 3);
            compare(world, collectives, new Terms.Reduction(PredefinedOp.MAXLOC, manyPairs), 1);
        });
    }

    private static void compare(
            Communicator world, BlockingCollectives collectives, Terms.Reduction reduction, int items) {
        TypeMap type = reduction.type();
        PredefinedOp op = reduction.op();
        BaseType base = type.base();
        int elements = items * type.size();
        Object send = Terms.of(base, elements, new SplittableRandom(SEED + world.rank()));
        Object expected = Array.newInstance(send.getClass().getComponentType(), elements);
        Object found = Array.newInstance(send.getClass().getComponentType(), elements);
        world.pointToPoint().await(Collectives.of(world).allreduce(send, 0, expected, 0, items, type, op));
        collectives.allreduce(null, send, 0, found, 0, items, type, op);
        assertThat(Terms.bits(base, found, elements))
                .as("%d × %s by %d ranks", items, reduction, world.size())
                .isEqualTo(Terms.bits(base, expected, elements));
        int size = world.size();
        int[] counts = new int[size];
        Arrays.setAll(counts, each -> items * (each + 1) / size - items * each / size);
        int own = counts[world.rank()] * type.size();
        world.pointToPoint().await(Collectives.of(world).reduceScatter(send, 0, expected, 0, counts, type, op));
        collectives.reduceScatter(null, send, 0, found, 0, counts, type, op);
        assertThat(Terms.bits(base, found, own))
                .as("%d × %s scattered by %d ranks", items, reduction, size)
                .isEqualTo(Terms.bits(base, expected, own));
        int root = items % world.size();
        boolean isRoot = world.rank() == root;
        Object reduced = Array.newInstance(send.getClass().getComponentType(), elements);
        world.pointToPoint()
                .await(Collectives.of(world).reduce(send, 0, isRoot ? expected : null, 0, items, type, op, root));
        collectives.reduce(null, send, 0, isRoot ? reduced : null, 0, items, type, op, root);
        if (isRoot) {
            assertThat(Terms.bits(base, reduced, elements))
                    .as("%d × %s by %d ranks to rank %d", items, reduction, world.size(), root)
                    .isEqualTo(Terms.bits(base, expected, elements));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 8})
    void shouldLetNobodyOutOfABarrierWhenSomebodyIsNotIn(int processes) {
        AtomicInteger entered = new AtomicInteger();
        run(processes, process -> {
            BlockingCollectives collectives = inStride(process.world());
            for (int i = 1; i <= 200; i++) {
                entered.incrementAndGet();
                collectives.barrier(null);
                assertThat(entered.get()).isGreaterThanOrEqualTo(i * processes);
            }
        });
    }

    /** Ranks come late, so that the others block: each must be woken. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void shouldWakeThoseThatSleepWhenSomebodyComesLate(int processes) {
        run(processes, process -> {
            Communicator world = process.world();
            BlockingCollectives collectives = inStride(world);
            PointToPoint engine = world.pointToPoint();
            long[] value = new long[1];
            for (int round = 0; round < 40; round++) {
                int late = round % processes;
                if (world.rank() == late) {
                    long endNanos = System.nanoTime() + 2_000_000;
                    while (System.nanoTime() < endNanos) {
                        Thread.onSpinWait();
                    }
                }
                value[0] = world.rank() == late ? round : -1;
                collectives.bcast(null, value, 0, 1, LONG, late);
                assertThat(value[0]).isEqualTo(round);
                // a message for one that is in a barrier, answered by nobody but its engine
                if (world.rank() == late) {
                    int other = world.group().worldRank((late + 1) % processes);
                    engine.send(SendMode.SYNCHRONOUS, value, 0, 1, LONG, other, world.pointToPointContext(), TAG);
                    collectives.barrier(null);
                } else if (world.rank() == (late + 1) % processes) {
                    Request received = engine.ireceive(
                            value, 0, 1, LONG, world.group().worldRank(late), world.pointToPointContext(), TAG, false);
                    collectives.barrier(null);
                    engine.await(received);
                } else {
                    collectives.barrier(null);
                }
            }
        });
    }

    /** One thread polls for messages while another is in a collective, and the other way round. */
    @Test
    void shouldServeBothWhenOneThreadReceivesAndAnotherIsInACollective() {
        int rounds = 300;
        run(3, process -> {
            Communicator world = process.world();
            Communicator messages = CommunicatorCreation.dup(world);
            BlockingCollectives collectives = inStride(world);
            Thread echo = new Thread(() -> {
                MessageStatus status = new MessageStatus();
                PointToPoint engine = messages.pointToPoint();
                long[] value = new long[1];
                int next = (world.rank() + 1) % 3;
                int before = (world.rank() + 2) % 3;
                for (int i = 0; i < rounds; i++) {
                    if (world.rank() == 0) {
                        engine.send(SendMode.STANDARD, value, 0, 1, LONG, next, messages.pointToPointContext(), TAG);
                    }
                    engine.receive(value, 0, 1, LONG, before, messages.pointToPointContext(), TAG, false, status);
                    if (world.rank() != 0) {
                        engine.send(SendMode.STANDARD, value, 0, 1, LONG, next, messages.pointToPointContext(), TAG);
                    }
                }
            });
            echo.start();
            long[] value = {1};
            long[] sum = new long[1];
            for (int i = 0; i < rounds; i++) {
                collectives.allreduce(null, value, 0, sum, 0, 1, LONG, PredefinedOp.SUM);
                assertThat(sum[0]).isEqualTo(3);
            }
            echo.join();
        });
    }

    /** The facade has a byte[] for a buffer that is null. */
    @Test
    void shouldTakeArraysOfAnyClassWhenThereAreNoItems() {
        run(3, process -> {
            Communicator world = process.world();
            BlockingCollectives collectives = inStride(world);
            byte[] none = {};
            for (TypeMap type : List.of(LONG, TypeMap.of(BaseType.OBJECT), TypeMap.contiguous(0, LONG))) {
                int count = type.size() == 0 ? 2 : 0;
                collectives.bcast(null, none, 0, count, type, 1);
                collectives.allgather(null, none, 0, count, type, none, 0, count, type);
                collectives.alltoall(null, none, 0, count, type, none, 0, count, type);
                collectives.allreduce(null, none, 0, new long[0], 0, count, type, PredefinedOp.SUM);
                collectives.reduce(null, none, 0, new long[0], 0, count, type, PredefinedOp.SUM, 1);
            }
            long[] sum = new long[1];
            collectives.allreduce(null, new long[] {1}, 0, sum, 0, 1, LONG, PredefinedOp.SUM);
            assertThat(sum[0]).isEqualTo(3);
        });
    }

    /** One rank has too little room: it fails and keeps what lies behind, the others have their data, and all go on. */
    @ParameterizedTest
    @ValueSource(ints = {4, 300, 40_000})
    void shouldTruncateAtTheRankThatHasTooLittleRoom(int count) {
        assumeThat(count).isLessThanOrEqualTo(longestTruncated());
        int processes = 3;
        run(processes, process -> {
            Communicator world = process.world();
            BlockingCollectives collectives = inStride(world);
            int rank = world.rank();
            boolean isShort = rank == 1;
            long[] own = values(rank, count * processes, 0);
            for (boolean toAll : new boolean[] {false, true}) {
                long[] all = new long[count * processes];
                int room = isShort ? count / 2 : count;
                Runnable call = () -> {
                    if (toAll) {
                        collectives.alltoall(null, own, 0, count, LONG, all, 0, room, LONG);
                    } else {
                        collectives.allgather(null, own, 0, count, LONG, all, 0, room, LONG);
                    }
                };
                if (isShort) {
                    assertThatExceptionOfType(MpiFailure.class)
                            .isThrownBy(call::run)
                            .satisfies(
                                    failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRUNCATE));
                    assertThat(Arrays.stream(all, room * processes, all.length).sum())
                            .isZero();
                } else {
                    call.run();
                    for (int from = 0; from < processes; from++) {
                        assertThat(all[from * count + 1]).isEqualTo(value(from, (toAll ? rank * count : 0) + 1, 0));
                    }
                }
            }
            collectives.barrier(null);
        });
    }

    /** One block does not fit, another is shorter than its room: who cannot take it says so, the others have theirs. */
    @Test
    void shouldTellWhoCannotTakeItWhenABlockOfAnAlltoallvIsTooLong() {
        int processes = 3;
        int count = Math.min(longestTruncated(), 50_000);
        run(processes, process -> {
            Communicator world = process.world();
            BlockingCollectives collectives = inStride(world);
            int rank = world.rank();
            long[] own = values(rank, count * processes, 0);
            long[] all = new long[count * processes];
            int[] sent = {count, count, count};
            int[] received = {count, count, count};
            int[] places = {0, count, 2 * count};
            if (rank == 0) {
                sent[2] = 1;
            }
            if (rank == 1) {
                received[0] = count / 2;
            }
            Runnable call =
                    () -> collectives.alltoallv(null, own, 0, sent, places, LONG, all, 0, received, places, LONG);
            if (rank == 1) {
                assertThatExceptionOfType(MpiFailure.class)
                        .isThrownBy(call::run)
                        .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRUNCATE));
                assertThat(all[count / 2]).isZero();
            } else {
                call.run();
                for (int from = 0; from < processes; from++) {
                    int last = rank == 2 && from == 0 ? 0 : count - 1;
                    assertThat(all[from * count + last]).isEqualTo(value(from, rank * count + last, 0));
                }
            }
            collectives.barrier(null);
        });
    }

    @Test
    void shouldKeepCommunicatorsApartWhenTheyShareRanks() {
        run(5, process -> {
            Communicator world = process.world();
            Communicator part =
                    Objects.requireNonNull(CommunicatorCreation.split(world, world.rank() % 2, -world.rank()));
            BlockingCollectives all = inStride(world);
            BlockingCollectives some = inStride(part);
            long[] sum = new long[1];
            for (int i = 0; i < 100; i++) {
                all.allreduce(null, new long[] {i}, 0, sum, 0, 1, LONG, PredefinedOp.SUM);
                assertThat(sum[0]).isEqualTo(5L * i);
                some.allreduce(null, new long[] {i}, 0, sum, 0, 1, LONG, PredefinedOp.SUM);
                assertThat(sum[0]).isEqualTo((long) part.size() * i);
            }
        });
    }

    @Test
    void shouldFailRatherThanHangWhenARankIsGone() {
        run(3, process -> {
            Communicator world = process.world();
            BlockingCollectives collectives = inStride(world);
            if (world.rank() != 2) {
                assertThatExceptionOfType(MpiFailure.class)
                        .isThrownBy(() -> collectives.barrier(null))
                        .withMessageContaining("rank 2")
                        .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.PROC_FAILED));
            }
        });
    }
}
