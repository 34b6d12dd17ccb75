package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gridmpj.coll.BlockingCollectives;
import org.gridmpj.coll.Collectives;
import org.gridmpj.coll.SelectionTable;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.CommunicatorCreation;
import org.gridmpj.comm.IntercommCreation;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.pt2pt.Request;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What collectives must do over any transport: random calls against a sequential oracle, the same bits in each run,
 * overlapping and concurrent calls, buffers in one array, errors. Set {@code gridmpj.seed} to run a failure again.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class CollectivesContract {
    private static final long SEED = Long.getLong("gridmpj.seed", 20_261_120L);
    private static final TypeMap INT = TypeMap.of(BaseType.INT);
    private static final TypeMap DOUBLE = TypeMap.of(BaseType.DOUBLE);

    private static final String IN_TWO_LEVELS = Stream.of("barrier", "bcast", "allgather", "reduce", "allreduce")
            .map(operation -> operation + " hierarchical")
            .collect(Collectors.joining("\n"));

    /** Hashes of the bits of sums for 1 to 9 processes. */
    private static final List<String> RECORDED = List.of(
            "1821f730", "d75035eb", "e2381379", "c5b257d8", "a24b0a", "dd537ce5", "3f8def6", "e1622be5", "6090f8b9");

    /** The network of one run. */
    protected abstract TransportProvider transport();

    /** Calls of each random test. */
    protected int randomCalls() {
        return 200;
    }

    /** Numbers of processes of the tests that run many jobs of each. */
    protected List<Integer> sizes() {
        return List.of(2, 3, 5, 8);
    }

    /** Whether series of short jobs are run, among them the hundred in which the bits of sums are looked at. */
    protected boolean sumsRepeatedly() {
        return true;
    }

    /** How the engines are set. */
    protected PointToPointConfig settings(int processes) {
        return PointToPointConfig.forSharedCores();
    }

    private void run(int processes, LocalCluster.RankProgram program) {
        LocalCluster.of(processes, transport()).with(settings(processes)).run(program);
    }

    private void run(int processes, Placing placing, LocalCluster.RankProgram program) {
        LocalCluster.of(processes, transport())
                .with(settings(processes))
                .on(placing.hosts(processes))
                .run(program);
    }

    private static void finish(Communicator communicator, Request request) {
        communicator.pointToPoint().await(request);
    }

    private static AssertionError explained(CollectiveCase call, long seed, Throwable cause) {
        return new AssertionError(call + ", seed " + seed + ": " + cause.getMessage(), cause);
    }

    private static void perform(Communicator communicator, int process, List<CollectiveCase> calls, long seed) {
        perform(communicator, Collectives.of(communicator), process, calls, seed);
    }

    private static void perform(
            Communicator communicator, Collectives collectives, int process, List<CollectiveCase> calls, long seed) {
        for (CollectiveCase call : calls) {
            try {
                finish(communicator, call.start(collectives, process));
                call.check(process);
            } catch (MpiFailure | AssertionError e) {
                throw explained(call, seed, e);
            }
        }
    }

    private static List<CollectiveCase> calls(CollectiveCases cases, int number) {
        List<CollectiveCase> calls = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            calls.add(cases.next());
        }
        return calls;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void shouldEqualTheOracleWhenCallsAreRandom(int processes) {
        long seed = SEED + processes;
        List<CollectiveCase> calls = calls(CollectiveCases.intra(new SplittableRandom(seed), processes), randomCalls());
        run(processes, process -> perform(process.world(), process.world().rank(), calls, seed));
    }

    /** One algorithm for all calls of its operation that it can do. */
    @ParameterizedTest
    @CsvSource({
        "BARRIER, barrier dissemination",
        "BARRIER, barrier linear",
        "BARRIER, barrier direct",
        "BCAST, bcast binomial",
        "BCAST, bcast scatter-allgather",
        "GATHER, gather linear",
        "GATHER, gather binomial",
        "SCATTER, scatter linear",
        "SCATTER, scatter binomial",
        "ALLGATHER, allgather ring",
        "ALLGATHER, allgather bruck",
        "ALLGATHER, allgather linear",
        "ALLTOALL, alltoall linear",
        "ALLTOALL, alltoall bruck",
        "ALLTOALL, alltoall pairwise",
        "ALLREDUCE, allreduce recursive-doubling",
        "ALLREDUCE, allreduce rabenseifner",
        "ALLREDUCE, allreduce ring",
        "ALLREDUCE, allreduce direct",
        "REDUCE_SCATTER, reduce-scatter by-reduce",
        "REDUCE_SCATTER, reduce-scatter pairwise",
        "SCAN, scan linear",
        "SCAN, scan recursive-doubling",
        "EXSCAN, scan linear",
        "EXSCAN, scan recursive-doubling"
    })
    void shouldEqualTheOracleWhenTheAlgorithmIsForced(CollectiveCases.Operation operation, String entry) {
        SelectionTable table = SelectionTable.of(entry, "test");
        for (int processes : sizes()) {
            long seed = SEED + 700 + processes;
            CollectiveCases cases = CollectiveCases.intra(new SplittableRandom(seed), processes);
            List<CollectiveCase> calls = new ArrayList<>();
            for (int i = 0; i < randomCalls() / 5; i++) {
                calls.add(cases.next(operation));
            }
            run(processes, process -> {
                Communicator world = process.world();
                perform(world, Collectives.of(world, table), world.rank(), calls, seed);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldTakeEachCallsOwnBuffersWhenSchedulesAreUsedAgain(int processes) {
        run(processes, process -> callAgainAndAgain(process.world(), SEED));
    }

    @Test
    void shouldKeepCommunicatorsApartWhenThreadsUseSchedulesAgain() {
        int processes = 3;
        run(processes, process -> {
            Communicator one = process.world();
            Communicator other = Objects.requireNonNull(CommunicatorCreation.split(one, 0, one.rank()));
            try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
                Future<?> first = threads.submit(() -> callAgainAndAgain(one, SEED + 1));
                Future<?> second = threads.submit(() -> callAgainAndAgain(other, SEED + 2));
                first.get();
                second.get();
            }
        });
    }

    /** Few shapes, ever other arrays, offsets and roots; now and then one array for both buffers. */
    private static void callAgainAndAgain(Communicator communicator, long seed) {
        BlockingCollectives collectives = new BlockingCollectives(communicator);
        SplittableRandom random = new SplittableRandom(seed);
        int rank = communicator.rank();
        int size = communicator.size();
        int rankSum = size * (size - 1) / 2;
        for (int call = 0; call < 60; call++) {
            int count = 1 + random.nextInt(2);
            int from = random.nextInt(3);
            int root = random.nextInt(size);
            int distance = random.nextInt(3);
            boolean oneArray = random.nextInt(4) == 0;
            int value = random.nextInt(1000);
            int[] send = new int[from + distance + 2 * count];
            Arrays.fill(send, from, from + count, value + rank);
            int to = oneArray ? from + (distance == 2 ? count : 0) : distance;
            int[] receive = oneArray ? send : new int[to + count];
            int expected = size * value + rankSum;
            String where = "call " + call + " of seed " + seed;
            switch (random.nextInt(4)) {
                case 0 -> collectives.barrier(null);
                case 1 -> {
                    collectives.bcast(null, send, from, count, INT, root);
                    assertThat(Arrays.copyOfRange(send, from, from + count))
                            .as(where)
                            .containsOnly(value + root);
                }
                case 2 -> {
                    collectives.allreduce(null, send, from, receive, to, count, INT, PredefinedOp.SUM);
                    assertThat(Arrays.copyOfRange(receive, to, to + count))
                            .as(where)
                            .containsOnly(expected);
                }
                default -> {
                    collectives.reduce(null, send, from, receive, to, count, INT, PredefinedOp.SUM, root);
                    if (rank == root) {
                        assertThat(Arrays.copyOfRange(receive, to, to + count))
                                .as(where)
                                .containsOnly(expected);
                    }
                }
            }
        }
    }

    /** Long enough that a reduction goes in several segments; the sums are of integers, so any order is right. */
    @ParameterizedTest
    @ValueSource(strings = {"allreduce rabenseifner", "allreduce ring", "allreduce recursive-doubling"})
    void shouldSumLongVectorsWhenTheAlgorithmIsForced(String entry) {
        SelectionTable table = SelectionTable.of(entry, "test");
        int count = 150_001;
        for (int processes : new int[] {2, 3, 4, 7}) {
            run(processes, process -> {
                Communicator world = process.world();
                int rank = world.rank();
                double[] sum = new double[count];
                double[] terms = new double[count + 1];
                Arrays.setAll(terms, i -> i * (rank + 1.0));
                double[] expected = new double[count];
                Arrays.setAll(expected, i -> (i + 1.0) * (processes * (processes + 1) / 2.0));
                Collectives collectives = Collectives.of(world, table);
                finish(world, collectives.allreduce(terms, 1, sum, 0, count, DOUBLE, PredefinedOp.SUM));
                assertThat(sum).isEqualTo(expected);
                finish(world, collectives.allreduce(terms, 1, terms, 1, count, DOUBLE, PredefinedOp.SUM));
                assertThat(Arrays.copyOfRange(terms, 1, count + 1)).isEqualTo(expected);
            });
        }
    }

    /** Long enough that a linear one goes in several pieces, of which the last is shorter. */
    @ParameterizedTest
    @ValueSource(strings = {"scan linear", "scan recursive-doubling"})
    void shouldScanLongVectorsWhenTheAlgorithmIsForced(String entry) {
        SelectionTable table = SelectionTable.of(entry, "test");
        int count = 10_001;
        for (int processes : new int[] {2, 3, 4, 7}) {
            run(processes, process -> {
                Communicator world = process.world();
                int rank = world.rank();
                double[] terms = new double[count + 1];
                Arrays.setAll(terms, i -> i * (rank + 1.0));
                double[] before = new double[count];
                Arrays.setAll(before, i -> rank == 0 ? -1 : (i + 1.0) * (rank * (rank + 1) / 2.0));
                double[] upTo = new double[count];
                Arrays.setAll(upTo, i -> (i + 1.0) * ((rank + 1) * (rank + 2) / 2.0));
                Collectives collectives = Collectives.of(world, table);
                double[] found = new double[count];
                finish(world, collectives.scan(terms, 1, found, 0, count, DOUBLE, PredefinedOp.SUM));
                assertThat(found).isEqualTo(upTo);
                Arrays.fill(found, -1);
                finish(world, collectives.exscan(terms, 1, found, 0, count, DOUBLE, PredefinedOp.SUM));
                assertThat(found).isEqualTo(before);
                double[] both = terms.clone();
                finish(world, collectives.exscan(both, 1, both, 1, count, DOUBLE, PredefinedOp.SUM));
                assertThat(Arrays.copyOfRange(both, 1, count + 1))
                        .isEqualTo(rank == 0 ? Arrays.copyOfRange(terms, 1, count + 1) : before);
                finish(world, collectives.scan(terms, 1, terms, 1, count, DOUBLE, PredefinedOp.SUM));
                assertThat(Arrays.copyOfRange(terms, 1, count + 1)).isEqualTo(upTo);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void shouldEqualTheOracleWhenEachProcessIsRoot(int processes) {
        long seed = SEED + 100 + processes;
        CollectiveCases cases = CollectiveCases.intra(new SplittableRandom(seed), processes);
        List<CollectiveCase> calls = new ArrayList<>();
        for (CollectiveCases.Operation operation : List.of(
                CollectiveCases.Operation.BCAST,
                CollectiveCases.Operation.GATHER,
                CollectiveCases.Operation.GATHERV,
                CollectiveCases.Operation.SCATTER,
                CollectiveCases.Operation.SCATTERV,
                CollectiveCases.Operation.REDUCE)) {
            for (int root = 0; root < processes; root++) {
                calls.add(cases.next(operation, root));
            }
        }
        run(processes, process -> perform(process.world(), process.world().rank(), calls, seed));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8})
    void shouldEqualTheOracleWhenTheCommunicatorIsInter(int processes) {
        long seed = SEED + 200 + processes;
        SplittableRandom random = new SplittableRandom(seed);
        int firstGroup = random.nextInt(1, processes);
        List<CollectiveCase> calls = calls(CollectiveCases.inter(random, processes, firstGroup), randomCalls());
        run(processes, process -> {
            Communicator world = process.world();
            boolean first = world.rank() < firstGroup;
            Communicator local = Objects.requireNonNull(CommunicatorCreation.split(world, first ? 0 : 1, 0));
            Communicator inter = IntercommCreation.create(local, 0, world, first ? firstGroup : 0, 7);
            perform(inter, world.rank(), calls, seed);
        });
    }

    @Test
    void shouldBroadcastLongMessagesWhenThereAreManyProcesses() {
        long seed = SEED + 300;
        CollectiveCases cases = CollectiveCases.intra(new SplittableRandom(seed), 8);
        // 12 × 6,000 doubles are more than the 512 KiB from which a broadcast is scattered.
        List<CollectiveCase> calls = List.of(
                cases.bcast(ElementKind.DOUBLE, 6_000, 0),
                cases.bcast(ElementKind.DOUBLE, 6_000, 5),
                cases.bcast(ElementKind.LONG, 7_001, 7));
        run(8, process -> perform(process.world(), process.world().rank(), calls, seed));
    }

    @Test
    void shouldExchangeLongBlocks() {
        long seed = SEED + 350;
        CollectiveCases cases = CollectiveCases.intra(new SplittableRandom(seed), 3);
        // 12 × 2,800 doubles are more than the 256 KiB from which blocks go pairwise.
        List<CollectiveCase> calls = List.of(cases.alltoall(ElementKind.DOUBLE, 2_800));
        run(3, process -> perform(process.world(), process.world().rank(), calls, seed));
    }

    @Test
    void shouldGatherAndScatterAlongATreeWhenThereAreManyProcesses() {
        int processes = 26;
        long seed = SEED + 400;
        CollectiveCases cases = CollectiveCases.intra(new SplittableRandom(seed), processes);
        List<CollectiveCase> calls = new ArrayList<>();
        for (int root : new int[] {0, 13, 25, 0, 8, 16}) {
            calls.add(cases.next(CollectiveCases.Operation.GATHER, root));
            calls.add(cases.next(CollectiveCases.Operation.SCATTER, root));
        }
        run(processes, process -> perform(process.world(), process.world().rank(), calls, seed));
    }

    @Test
    void shouldLetNobodyOutOfABarrierWhenSomebodyIsNotIn() {
        int processes = 5;
        AtomicInteger entered = new AtomicInteger();
        run(processes, process -> {
            Communicator world = process.world();
            for (int i = 1; i <= 50; i++) {
                entered.incrementAndGet();
                finish(world, Collectives.of(world).barrier());
                assertThat(entered.get()).isGreaterThanOrEqualTo(i * processes);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldEqualTheOracleWhenRanksShareHosts(Placing placing) {
        SelectionTable forced = SelectionTable.of(IN_TWO_LEVELS, "test");
        for (int processes : sizes()) {
            long seed = SEED + 800 + processes;
            CollectiveCases cases = CollectiveCases.intra(new SplittableRandom(seed), processes);
            List<CollectiveCase> calls = calls(cases, 20);
            List<CollectiveCase> inTwoLevels = new ArrayList<>();
            List<CollectiveCase> backwards = new ArrayList<>();
            for (int root = 0; root < processes; root++) {
                for (ElementKind kind : List.of(ElementKind.INT, ElementKind.OBJECT, ElementKind.DOUBLE)) {
                    calls.add(cases.bcast(kind, 1 + 4 * root, root));
                    inTwoLevels.add(cases.bcast(kind, kind == ElementKind.DOUBLE ? 1_000 : 50, root));
                    backwards.add(cases.bcast(kind, 3, root));
                }
                inTwoLevels.add(cases.next(CollectiveCases.Operation.BARRIER));
                for (int i = 0; i < 3; i++) {
                    calls.add(cases.next(CollectiveCases.Operation.ALLGATHERV));
                    inTwoLevels.add(cases.next(CollectiveCases.Operation.ALLGATHER));
                    inTwoLevels.add(cases.next(CollectiveCases.Operation.REDUCE, root));
                    inTwoLevels.add(cases.next(CollectiveCases.Operation.ALLREDUCE));
                }
                backwards.add(cases.next(CollectiveCases.Operation.ALLGATHER));
                backwards.add(cases.next(CollectiveCases.Operation.REDUCE, root));
                backwards.add(cases.next(CollectiveCases.Operation.ALLREDUCE));
            }
            run(processes, placing, process -> {
                Communicator world = process.world();
                perform(world, world.rank(), calls, seed);
                perform(world, Collectives.of(world, forced), world.rank(), inTwoLevels, seed);
                // other ranks, so other leaders
                Communicator reversed = Objects.requireNonNull(CommunicatorCreation.split(world, 0, -world.rank()));
                perform(reversed, reversed.rank(), backwards, seed);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldTakeEachCallsOwnBuffersWhenSchedulesAreUsedAgainOnSeveralHosts(Placing placing) {
        for (int processes : new int[] {2, 5, 9}) {
            run(processes, placing, process -> callAgainAndAgain(process.world(), SEED + 3));
        }
    }

    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldLetNobodyOutOfABarrierWhenSomebodyOnAnyHostIsNotIn(Placing placing) {
        for (int processes : new int[] {2, 5, 7, 9}) {
            AtomicInteger entered = new AtomicInteger();
            run(processes, placing, process -> {
                Communicator world = process.world();
                for (int i = 1; i <= 30; i++) {
                    entered.incrementAndGet();
                    finish(world, Collectives.of(world).barrier());
                    assertThat(entered.get()).isGreaterThanOrEqualTo(i * processes);
                }
            });
        }
    }

    /** Where the order of combination may show, placements do not change it; where it cannot, no algorithm shows. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9})
    void shouldReduceToTheSameBitsWhereverTheRanksAreWhateverTheOperation(int processes) {
        assumeThat(sumsRepeatedly()).isTrue();
        assumeThat(sizes()).contains(processes);
        byte[][] inRankOrder = reduceAll(processes, Placing.TOGETHER, "allreduce recursive-doubling")
                .exact();
        for (String table : List.of("", IN_TWO_LEVELS, "allreduce ring\nreduce binomial")) {
            byte[][] onOneHost = reduceAll(processes, Placing.TOGETHER, table).others();
            for (Placing placing : Placing.values()) {
                String where = placing + ", table '" + table + "', seed " + SEED;
                Results found = reduceAll(processes, placing, table);
                assertThat(Arrays.deepEquals(found.exact(), inRankOrder))
                        .as("exact operations, %s", where)
                        .isTrue();
                assertThat(Arrays.deepEquals(found.others(), onOneHost))
                        .as("other operations, %s", where)
                        .isTrue();
            }
        }
    }

    /** By rank, the bits of all its results, one after the other: of the exact operations, and of the others. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Results(byte[][] exact, byte[][] others) {}

    private Results reduceAll(int processes, Placing placing, String entry) {
        SelectionTable table = SelectionTable.of(entry, "test");
        Results results = new Results(new byte[processes][], new byte[processes][]);
        run(processes, placing, process -> {
            Communicator world = process.world();
            ByteArrayOutputStream exact = new ByteArrayOutputStream();
            ByteArrayOutputStream others = new ByteArrayOutputStream();
            SplittableRandom random = new SplittableRandom(SEED + 900 + world.rank());
            int root = 0;
            for (Terms.Reduction reduction : Terms.reductions()) {
                ByteArrayOutputStream bits = reduction.op().isExactOn(reduction.type()) ? exact : others;
                // one item, fewer than ranks, the short ones of the table, and a long one
                for (int items : new int[] {1, 3, 200, 3_500}) {
                    bits.writeBytes(reduce(world, table, reduction, items, -1, random));
                    bits.writeBytes(reduce(world, table, reduction, items, root, random));
                    root = (root + 1) % processes;
                }
            }
            results.exact()[world.rank()] = exact.toByteArray();
            results.others()[world.rank()] = others.toByteArray();
        });
        return results;
    }

    /** The bits of a result; of an Allreduce if the root is −1. */
    private static byte[] reduce(
            Communicator world,
            SelectionTable table,
            Terms.Reduction reduction,
            int items,
            int root,
            SplittableRandom random) {
        TypeMap type = reduction.type();
        int elements = items * type.size();
        Object send = Terms.of(type.base(), elements, random);
        Object result = Array.newInstance(send.getClass().getComponentType(), elements);
        Collectives collectives = Collectives.of(world, table);
        finish(
                world,
                root < 0
                        ? collectives.allreduce(send, 0, result, 0, items, type, reduction.op())
                        : collectives.reduce(send, 0, result, 0, items, type, reduction.op(), root));
        return Terms.bits(type.base(), result, elements);
    }

    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldTakeTheDataBeforeOverwritingThemWhenOneArrayIsBothOnSeveralHosts(Placing placing) {
        for (int processes : new int[] {3, 5, 9}) {
            run(processes, placing, process -> useOneArrayForBoth(process.world(), ""));
            run(processes, placing, process -> useOneArrayForBoth(process.world(), IN_TWO_LEVELS));
        }
    }

    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldKeepCollectivesApartWhenManyAreUnderWayOnSeveralHosts(Placing placing) {
        manyUnderWay(7, placing, IN_TWO_LEVELS);
    }

    /** Neither the hosts nor the tree of a broadcast may show in a sum. */
    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldGiveTheSameBitsWhereverTheRanksAre(Placing placing) {
        assumeThat(sumsRepeatedly()).isTrue();
        for (int processes : new int[] {4, 7, 9}) {
            long[] onOneHost = sums(processes, 40, -1)[0];
            long[][] onSeveral = new long[processes][];
            run(
                    processes,
                    placing,
                    process -> onSeveral[process.world().rank()] =
                            sum(process.world(), 40, -1, SelectionTable.of("", "test")));
            for (long[] bits : onSeveral) {
                assertThat(bits).isEqualTo(onOneHost);
            }
        }
    }

    /** Sums whose bits depend on the order of their terms. */
    private long[][] sums(int processes, int count, int root) {
        return sums(processes, count, root, "");
    }

    private long[][] sums(int processes, int count, int root, String entry) {
        SelectionTable table = SelectionTable.of(entry, "test");
        long[][] bits = new long[processes][];
        run(processes, process -> bits[process.world().rank()] = sum(process.world(), count, root, table));
        return bits;
    }

    private static long[] sum(Communicator world, int count, int root, SelectionTable table) {
        SplittableRandom random = new SplittableRandom(world.rank());
        double[] terms = new double[count];
        Arrays.setAll(terms, i -> (random.nextDouble() - 0.5) * Math.scalb(1.0, random.nextInt(40)));
        double[] sum = new double[count];
        if (root < 0) {
            finish(world, Collectives.of(world, table).allreduce(terms, 0, sum, 0, count, DOUBLE, PredefinedOp.SUM));
        } else {
            finish(world, Collectives.of(world).reduce(terms, 0, sum, 0, count, DOUBLE, PredefinedOp.SUM, root));
        }
        return Arrays.stream(sum).mapToLong(Double::doubleToRawLongBits).toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void shouldGiveAllProcessesTheSameBitsWhenSummingRepeatedly(int processes) {
        assumeThat(sumsRepeatedly()).isTrue();
        for (int count : new int[] {3, 4_000}) {
            long[][] first = sums(processes, count, -1);
            long[][] again = sums(processes, count, -1);
            for (int rank = 0; rank < processes; rank++) {
                assertThat(first[rank]).isEqualTo(first[0]);
                assertThat(again[rank]).isEqualTo(first[0]);
            }
        }
    }

    /**
     * The bits themselves: a job that moves to another transport or release goes on with the same numbers. A change of an
     * algorithm's order of reduction changes them; say so in the change log.
     */
    @Test
    void shouldGiveTheRecordedBitsWhenSumming() {
        assumeThat(sumsRepeatedly()).isTrue();
        List<String> found = new ArrayList<>();
        for (int processes = 1; processes <= 9; processes++) {
            long[] shortSum = sums(processes, 3, -1)[0];
            long[] longSum = sums(processes, 4_000, -1)[0];
            long[] reduced = sums(processes, 3, 0)[0];
            found.add(Integer.toHexString(Arrays.hashCode(
                    new int[] {Arrays.hashCode(shortSum), Arrays.hashCode(longSum), Arrays.hashCode(reduced)})));
        }
        assertThat(found).isEqualTo(RECORDED);
    }

    /** Neither blocks nor their length may show: item by item both algorithms combine in the same order. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 6, 8})
    void shouldGiveTheSameBitsWhenALongVectorGoesInBlocks(int processes) {
        assumeThat(sumsRepeatedly()).isTrue();
        int count = 70_001;
        long[] whole = sums(processes, count, -1, "allreduce recursive-doubling")[0];
        for (long[] ranks : sums(processes, count, -1, "allreduce rabenseifner")) {
            assertThat(ranks).isEqualTo(whole);
        }
    }

    @Test
    void shouldReduceToTheSameBitsWhateverTheRoot() {
        assumeThat(sumsRepeatedly()).isTrue();
        for (int processes : new int[] {4, 7}) {
            long[] atZero = sums(processes, 50, 0)[0];
            for (int root = 1; root < processes; root++) {
                assertThat(sums(processes, 50, root)[root]).isEqualTo(atZero);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void shouldKeepCollectivesApartWhenManyAreUnderWay(int processes) {
        manyUnderWay(processes, Placing.TOGETHER, "");
    }

    private void manyUnderWay(int processes, Placing placing, String entry) {
        SelectionTable table = SelectionTable.of(entry, "test");
        long seed = SEED + 500 + processes;
        List<CollectiveCase> calls = calls(CollectiveCases.intra(new SplittableRandom(seed), processes), 40);
        run(processes, placing, process -> {
            Communicator world = process.world();
            Collectives collectives = Collectives.of(world, table);
            List<Request> requests = new ArrayList<>();
            for (CollectiveCase call : calls) {
                requests.add(call.start(collectives, world.rank()));
            }
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < requests.size(); i++) {
                order.add(i);
            }
            Collections.shuffle(order, new Random(seed + world.rank()));
            for (int i : order) {
                try {
                    finish(world, requests.get(i));
                    calls.get(i).check(world.rank());
                } catch (MpiFailure | AssertionError e) {
                    throw explained(calls.get(i), seed, e);
                }
            }
        });
    }

    @Test
    void shouldKeepCommunicatorsApartWhenEachHasAThread() {
        int processes = 3;
        int threads = 4;
        List<List<CollectiveCase>> calls = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            calls.add(calls(CollectiveCases.intra(new SplittableRandom(SEED + 600 + thread), processes), 40));
        }
        run(processes, process -> {
            Communicator world = process.world();
            List<Communicator> own = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                own.add(CommunicatorCreation.dup(world));
            }
            try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
                List<Future<?>> done = new ArrayList<>();
                for (int thread = 0; thread < threads; thread++) {
                    int self = thread;
                    done.add(executor.submit(
                            () -> perform(own.get(self), world.rank(), calls.get(self), SEED + 600 + self)));
                }
                for (Future<?> each : done) {
                    await(each);
                }
            }
        });
    }

    private static void await(Future<?> future) throws InterruptedException {
        try {
            future.get();
        } catch (ExecutionException e) {
            throw new AssertionError("a thread has failed: " + e.getCause(), e.getCause());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5})
    void shouldTakeTheDataBeforeOverwritingThemWhenOneArrayIsBoth(int processes) {
        run(processes, process -> useOneArrayForBoth(process.world(), ""));
    }

    private static void useOneArrayForBoth(Communicator world, String entry) {
        Collectives collectives = Collectives.of(world, SelectionTable.of(entry, "test"));
        int size = world.size();
        int rank = world.rank();

        int[] sum = {rank, 10 * rank};
        finish(world, collectives.allreduce(sum, 0, sum, 0, 2, INT, PredefinedOp.SUM));
        int total = size * (size - 1) / 2;
        assertThat(sum).containsExactly(total, 10 * total);
        int[] shifted = {rank, 10 * rank, -1};
        finish(world, collectives.allreduce(shifted, 0, shifted, 1, 2, INT, PredefinedOp.SUM));
        assertThat(shifted).endsWith(total, 10 * total);

        int[] gathered = new int[size];
        gathered[rank] = rank + 1;
        finish(world, collectives.allgather(gathered, rank, 1, INT, gathered, 0, 1, INT));
        assertThat(gathered).isEqualTo(expected(size, i -> i + 1));

        int[] exchanged = expected(size, i -> 100 * rank + i);
        finish(world, collectives.alltoall(exchanged, 0, 1, INT, exchanged, 0, 1, INT));
        assertThat(exchanged).isEqualTo(expected(size, i -> 100 * i + rank));

        int root = size - 1;
        int[] reduced = {-1, rank, 10 * rank};
        finish(world, collectives.reduce(reduced, 1, reduced, 0, 2, INT, PredefinedOp.SUM, root));
        if (rank == root) {
            assertThat(reduced).startsWith(total, 10 * total);
        }
        int[] atRoot = expected(size, i -> rank == root ? i : -1);
        finish(world, collectives.scatter(atRoot, 0, 1, INT, atRoot, 0, 1, INT, root));
        assertThat(atRoot[0]).isEqualTo(rank);
        finish(world, collectives.gather(atRoot, 0, 1, INT, atRoot, 0, 1, INT, root));
        if (rank == root) {
            assertThat(atRoot).isEqualTo(expected(size, i -> i));
        }

        int[] parts = expected(2_000 * size, i -> i + rank);
        int[] counts = expected(size, i -> 2_000);
        finish(world, collectives.reduceScatter(parts, 0, parts, 0, counts, INT, PredefinedOp.SUM));
        int first = 2_000 * rank;
        assertThat(Arrays.copyOf(parts, 2_000)).isEqualTo(expected(2_000, i -> size * (first + i) + total));
    }

    private static int[] expected(int length, IntUnaryOperator value) {
        int[] array = new int[length];
        Arrays.setAll(array, value);
        return array;
    }

    /** Every reduction, and an exchange within one array, of items whose elements begin behind their displacement 0. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldTakeTypesWithoutAnElementAtDisplacementZero(int processes) {
        TypeMap type = TypeMap.hindexed(new int[] {2}, new int[] {3}, INT);
        run(processes, process -> {
            Communicator world = process.world();
            Collectives collectives = Collectives.of(world);
            int rank = world.rank();
            int sum = processes * (processes - 1) / 2;
            int[] send = {0, 0, 0, rank, 2 * rank};
            int[] got = new int[5];
            finish(world, collectives.reduce(send, 0, got, 0, 1, type, PredefinedOp.SUM, processes - 1));
            assertThat(got).containsExactly(rank == processes - 1 ? new int[] {0, 0, 0, sum, 2 * sum} : new int[5]);
            finish(world, collectives.allreduce(send, 0, got, 0, 1, type, PredefinedOp.SUM));
            assertThat(got).containsExactly(0, 0, 0, sum, 2 * sum);
            finish(world, collectives.scan(send, 0, got, 0, 1, type, PredefinedOp.SUM));
            assertThat(got).containsExactly(0, 0, 0, rank * (rank + 1) / 2, rank * (rank + 1));
            int[] counts = new int[processes];
            Arrays.fill(counts, 1);
            int[] vector = expected(3 + 2 * processes, i -> i);
            finish(world, collectives.reduceScatter(vector, 0, got, 0, counts, type, PredefinedOp.SUM));
            assertThat(got).containsExactly(0, 0, 0, (3 + 2 * rank) * processes, (4 + 2 * rank) * processes);
            int[] displacements = expected(processes, i -> i);
            int[] both = expected(3 + 2 * processes, i -> 100 * rank + (i - 3) / 2);
            finish(
                    world,
                    collectives.alltoallv(both, 0, counts, displacements, type, both, 0, counts, displacements, type));
            for (int from = 0; from < processes; from++) {
                assertThat(both[3 + 2 * from]).isEqualTo(100 * from + rank);
                assertThat(both[4 + 2 * from]).isEqualTo(100 * from + rank);
            }
        });
    }

    @Test
    void shouldNameTheProcessWhenCountsDiffer() {
        run(2, process -> {
            Communicator world = process.world();
            int count = 2 - world.rank();
            Request request =
                    Collectives.of(world).reduce(new int[2], 0, new int[2], 0, count, INT, PredefinedOp.SUM, 0);
            if (world.rank() == 0) {
                assertThatExceptionOfType(MpiFailure.class)
                        .isThrownBy(() -> finish(world, request))
                        .withMessageContaining("world rank 1")
                        .withMessageContaining("Reduce")
                        .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.COUNT));
            } else {
                finish(world, request);
            }
        });
    }

    @Test
    void shouldFailWithTheCauseWhenAUserOperationThrows() {
        Reducer broken = new Reducer() {
            @Override
            public void reduce(Object in, int inOffset, Object inout, int inoutOffset, int count, TypeMap type) {
                throw new ArithmeticException("no such sum");
            }

            @Override
            public boolean commutative() {
                return true;
            }
        };
        run(2, process -> {
            Communicator world = process.world();
            Request request = Collectives.of(world).allreduce(new int[1], 0, new int[1], 0, 1, INT, broken);
            assertThatExceptionOfType(MpiFailure.class)
                    .isThrownBy(() -> finish(world, request))
                    .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.OP))
                    .havingRootCause()
                    .withMessage("no such sum");
        });
    }
}
