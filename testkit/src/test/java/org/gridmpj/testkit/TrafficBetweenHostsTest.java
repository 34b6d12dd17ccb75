package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.gridmpj.coll.Collectives;
import org.gridmpj.coll.SelectionTable;
import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How often a collective goes from one host to another: messages are counted, nothing is timed. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TrafficBetweenHostsTest {
    private static final TypeMap INT = TypeMap.of(BaseType.INT);
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
        int[] hosts = placing.hosts(RANKS);
        int inTwoLevels = 0;
        int inOneTree = 0;
        for (int root = 0; root < RANKS; root++) {
            InMemoryNetwork.Traffic traffic = betweenHosts(hosts, "", bcast(1, root));
            assertThat(traffic.messages()).isEqualTo(different(hosts) - 1);
            assertThat(traffic.payloadBytes()).isEqualTo(4L * (different(hosts) - 1));
            inTwoLevels += (int) traffic.messages();
            inOneTree +=
                    (int) betweenHosts(hosts, "bcast binomial", bcast(1, root)).messages();
        }
        System.out.println(placing + ", " + RANKS + " ranks, Bcast of each root, messages between hosts: " + inTwoLevels
                + " in two levels, " + inOneTree + " down one tree");
        if (different(hosts) < RANKS) {
            assertThat(inTwoLevels).isLessThan(inOneTree);
        } else {
            assertThat(inTwoLevels).isEqualTo(inOneTree);
        }
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
