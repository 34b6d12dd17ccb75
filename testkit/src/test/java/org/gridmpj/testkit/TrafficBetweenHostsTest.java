package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.gridmpj.coll.Collectives;
import org.gridmpj.coll.SelectionTable;
import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How often a collective goes from one host to another: messages are counted, nothing is timed. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TrafficBetweenHostsTest {
    private static final TypeMap INT = TypeMap.of(BaseType.INT);
    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);
    private static final TypeMap DOUBLE = TypeMap.of(BaseType.DOUBLE);
    private static final int RANKS = 9;

    /** One collective of each rank. */
    private interface Call {
        void run(Communicator world, Collectives collectives);
    }

    private static InMemoryNetwork.Traffic betweenHosts(int[] hosts, String entry, Call call) {
        InMemoryNetwork network = new InMemoryNetwork(InMemoryNetwork.Behaviour.plain());
        SelectionTable table = SelectionTable.of(entry, "test");
        LocalCluster.of(hosts.length, network)
                .on(hosts)
                .run(process -> call.run(process.world(), Collectives.of(process.world(), table)));
        long messages = 0;
        long bytes = 0;
        for (int from = 0; from < hosts.length; from++) {
            for (int to = 0; to < hosts.length; to++) {
                if (hosts[from] != hosts[to]) {
                    messages += network.traffic(from, to).messages();
                    bytes += network.traffic(from, to).payloadBytes();
                }
            }
        }
        return new InMemoryNetwork.Traffic(messages, bytes);
    }

    private static Call bcast(int count, int root) {
        return (world, collectives) -> {
            int[] data = new int[count];
            data[count - 1] = world.rank() == root ? 42 : 0;
            world.pointToPoint().await(collectives.bcast(data, 0, count, INT, root));
            assertThat(data[count - 1]).isEqualTo(42);
        };
    }

    private static int different(int[] hosts) {
        return (int) Arrays.stream(hosts).distinct().count();
    }

    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldSendABroadcastOnceToEachOtherHostWhateverTheRoot(Placing placing) {
        requireOneMessageOfEachOtherHost(placing, "bcast", root -> bcast(1, root), 4);
    }

    /** With each root in turn. */
    private static void requireOneMessageOfEachOtherHost(
            Placing placing, String operation, IntFunction<Call> call, long bytes) {
        int[] hosts = placing.hosts(RANKS);
        int inTwoLevels = 0;
        int inOneTree = 0;
        for (int root = 0; root < RANKS; root++) {
            InMemoryNetwork.Traffic traffic = betweenHosts(hosts, "", call.apply(root));
            assertThat(traffic.messages()).isEqualTo(different(hosts) - 1);
            assertThat(traffic.payloadBytes()).isEqualTo(bytes * (different(hosts) - 1));
            inTwoLevels += (int) traffic.messages();
            inOneTree += (int) betweenHosts(hosts, operation + " binomial", call.apply(root))
                    .messages();
        }
        System.out.println(placing + ", " + RANKS + " ranks, " + operation + " with each root, messages between hosts: "
                + inTwoLevels + " in two levels, " + inOneTree + " in one tree");
        requireFewer(hosts, inTwoLevels, inOneTree);
    }

    /** Fewer where ranks share some of several hosts, else as many. */
    private static void requireFewer(int[] hosts, long inTwoLevels, long inOne) {
        if (different(hosts) > 1 && different(hosts) < RANKS) {
            assertThat(inTwoLevels).isLessThan(inOne);
        } else {
            assertThat(inTwoLevels).isEqualTo(inOne);
        }
    }

    private static Call reduce(int count, int root) {
        return (world, collectives) -> {
            long[] terms = new long[count];
            terms[count - 1] = world.rank();
            long[] sum = new long[count];
            world.pointToPoint().await(collectives.reduce(terms, 0, sum, 0, count, LONG, PredefinedOp.SUM, root));
            assertThat(sum[count - 1]).isEqualTo(world.rank() == root ? RANKS * (RANKS - 1) / 2 : 0);
        };
    }

    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldReduceByOneMessageOfEachOtherHostWhateverTheRoot(Placing placing) {
        requireOneMessageOfEachOtherHost(placing, "reduce", root -> reduce(3, root), 24);
    }

    /** Of numbers whose sums have the same bits in any order. */
    private static Call allreduceOfLongs(int count) {
        return (world, collectives) -> {
            long[] sum = new long[count];
            long[] terms = new long[count];
            terms[count - 1] = world.rank();
            world.pointToPoint().await(collectives.allreduce(terms, 0, sum, 0, count, LONG, PredefinedOp.SUM));
            assertThat(sum[count - 1]).isEqualTo(world.size() * (world.size() - 1) / 2);
        };
    }

    /** Of as many bytes, whose terms are combined in the order of the ranks. */
    private static Call allreduceOfDoubles(int count) {
        return (world, collectives) -> {
            double[] sum = new double[count];
            double[] terms = new double[count];
            terms[count - 1] = world.rank();
            world.pointToPoint().await(collectives.allreduce(terms, 0, sum, 0, count, DOUBLE, PredefinedOp.SUM));
            assertThat(sum[count - 1]).isEqualTo(world.size() * (world.size() - 1) / 2.0);
        };
    }

    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldLetOnlyLeadersMeetInAShortAllreduce(Placing placing) {
        int[] hosts = placing.hosts(RANKS);
        int leaders = different(hosts);
        int power = Integer.highestOneBit(leaders);
        long vectors = 2L * (leaders - power) + (long) power * Integer.numberOfTrailingZeros(power);

        InMemoryNetwork.Traffic traffic = betweenHosts(hosts, "", allreduceOfLongs(4));
        InMemoryNetwork.Traffic amongAll = betweenHosts(hosts, "", allreduceOfDoubles(4));

        System.out.println(placing + ", " + RANKS + " ranks, Allreduce, messages between hosts: " + traffic.messages()
                + " in two levels, " + amongAll.messages() + " among all");
        assertThat(traffic).isEqualTo(new InMemoryNetwork.Traffic(vectors, 32 * vectors));
        requireFewer(hosts, traffic.messages(), amongAll.messages());
    }

    /** The order of ranks is kept for doubles; longs go in the order of hosts, or in two levels. */
    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldCountTheBytesOfLongAllreduces(Placing placing) {
        int[] hosts = placing.hosts(RANKS);
        int count = 16_000;
        long byRank = betweenHosts(hosts, "", allreduceOfDoubles(count)).payloadBytes();
        long byHost = betweenHosts(hosts, "", allreduceOfLongs(count)).payloadBytes();
        long inTwoLevels = betweenHosts(hosts, "allreduce hierarchical", allreduceOfLongs(count))
                .payloadBytes();
        System.out.println(
                placing + ", " + RANKS + " ranks, Allreduce of " + 8 * count + " bytes, between hosts: " + byRank
                        + " in the order of ranks, " + byHost + " in that of hosts, " + inTwoLevels + " in two levels");
        assertThat(byHost).isLessThanOrEqualTo(byRank);
        assertThat(inTwoLevels).isLessThanOrEqualTo(byHost);
    }

    /** Hosts of 2ᵏ ranks each. */
    @Test
    void shouldSendAsLittleAsLeadersWouldInTheOrderOfHosts() {
        int count = 16_000;
        int[][] placements = {
            {0, 0, 0, 0, 1, 1, 1, 1}, {0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 2, 2, 3, 3}, {3, 1, 0, 2, 0, 1, 2, 3}
        };
        for (int[] hosts : placements) {
            long least = 2L * (different(hosts) - 1) * 8 * count;
            assertThat(betweenHosts(hosts, "", allreduceOfLongs(count)).payloadBytes())
                    .as("%s", Arrays.toString(hosts))
                    .isEqualTo(least);
            assertThat(betweenHosts(hosts, "allreduce hierarchical", allreduceOfLongs(count))
                            .payloadBytes())
                    .isEqualTo(least);
        }
    }

    private static Call allgather(int count) {
        return (world, collectives) -> {
            int[] block = new int[count];
            block[count - 1] = world.rank();
            int[] all = new int[RANKS * count];
            world.pointToPoint().await(collectives.allgather(block, 0, count, INT, all, 0, count, INT));
            for (int rank = 0; rank < RANKS; rank++) {
                assertThat(all[(rank + 1) * count - 1]).isEqualTo(rank);
            }
        };
    }

    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldGiveEachBlockOnceToEachOtherHostInAShortAllgather(Placing placing) {
        int[] hosts = placing.hosts(RANKS);
        int leaders = different(hosts);
        int rounds = 32 - Integer.numberOfLeadingZeros(leaders - 1);

        InMemoryNetwork.Traffic traffic = betweenHosts(hosts, "", allgather(2));
        InMemoryNetwork.Traffic amongAll = betweenHosts(hosts, "allgather bruck", allgather(2));

        System.out.println(placing + ", " + RANKS + " ranks, Allgather of 8 bytes, messages and bytes between hosts: "
                + traffic + " in two levels, " + amongAll + " among all");
        assertThat(traffic).isEqualTo(new InMemoryNetwork.Traffic((long) leaders * rounds, 8L * RANKS * (leaders - 1)));
        requireFewer(hosts, traffic.messages(), amongAll.messages());
        requireFewer(hosts, traffic.payloadBytes(), amongAll.payloadBytes());
    }

    /** Each of the h links of the ring that join two hosts takes p − 1 blocks. */
    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldGoFromHostToHostInALongAllgather(Placing placing) {
        int[] hosts = placing.hosts(RANKS);
        int leaders = different(hosts);
        int count = 4_000;

        InMemoryNetwork.Traffic traffic = betweenHosts(hosts, "", allgather(count));

        long messages = leaders == 1 ? 0 : (long) leaders * (RANKS - 1);
        assertThat(traffic).isEqualTo(new InMemoryNetwork.Traffic(messages, 4L * count * messages));
    }

    @ParameterizedTest
    @EnumSource(Placing.class)
    void shouldLetOnlyLeadersMeetInABarrier(Placing placing) {
        int[] hosts = placing.hosts(RANKS);
        Call barrier = (world, collectives) -> world.pointToPoint().await(collectives.barrier());
        int leaders = different(hosts);
        int rounds = 32 - Integer.numberOfLeadingZeros(leaders - 1);

        long messages = betweenHosts(hosts, "", barrier).messages();
        long amongAll = betweenHosts(hosts, "barrier dissemination", barrier).messages();

        System.out.println(placing + ", " + RANKS + " ranks, Barrier, messages between hosts: " + messages
                + " in three steps, " + amongAll + " among all");
        assertThat(messages).isEqualTo((long) leaders * rounds).isLessThanOrEqualTo(amongAll);
    }

    /** The long one is scattered by the table; in two levels it would take fewer bytes, but all from the root's host. */
    @Test
    void shouldCountTheBytesOfLongBroadcasts() {
        int count = 150_000;
        for (Placing placing : new Placing[] {Placing.BLOCKED, Placing.CYCLIC}) {
            int[] hosts = placing.hosts(RANKS);
            long scattered = betweenHosts(hosts, "", bcast(count, 0)).payloadBytes();
            long inTwoLevels =
                    betweenHosts(hosts, "bcast hierarchical", bcast(count, 0)).payloadBytes();
            System.out.println(placing + ", " + RANKS + " ranks, Bcast of " + 4 * count + " bytes, between hosts: "
                    + scattered + " scattered, " + inTwoLevels + " in two levels");
            assertThat(inTwoLevels)
                    .isEqualTo(4L * count * (different(hosts) - 1))
                    .isLessThan(scattered);
        }
    }
}
