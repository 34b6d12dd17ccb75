package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gridmpj.job.RankTable;
import org.gridmpj.testkit.transport.TransportCluster;
import org.gridmpj.testkit.transport.TransportContract;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The same by shared memory. */
class SharedMemoryTransportTest extends TransportContract {
    @Override
    protected TransportProvider provider() {
        return new GridTcpTransportProvider();
    }

    @Override
    protected Map<String, String> options() {
        return Map.of("link", "shm");
    }

    @Test
    void shouldShareMemoryWithRanksOfTheSameHostByTheTableAndWithNoOther() {
        assumeTrue(SharedFile.hostId() != 0, "this system has no shared memory");
        List<String> hosts = List.of("here", "here", "there");
        try (TransportCluster cluster = TransportCluster.bound(provider(), options(), hosts.size())) {
            List<RankTable.Entry> entries = new ArrayList<>();
            for (RankTable.Entry entry : cluster.table().entries()) {
                int rank = entry.worldRank();
                entries.add(new RankTable.Entry(rank, entry.host(), entry.port(), 0, hosts.get(rank)));
            }
            cluster.connect(new RankTable(0, entries));
            assertThat(link(cluster, 0, 1)).isInstanceOf(SharedMemoryLink.class);
            assertThat(link(cluster, 1, 0)).isInstanceOf(SharedMemoryLink.class);
            for (int rank = 0; rank < 2; rank++) {
                assertThat(link(cluster, rank, 2)).isNotNull().isNotInstanceOf(SharedMemoryLink.class);
                assertThat(link(cluster, 2, rank)).isNotNull().isNotInstanceOf(SharedMemoryLink.class);
            }
        }
    }

    private static @Nullable Object link(TransportCluster cluster, int from, int to) {
        return ((GridTcpEndpoint) cluster.transport(from).endpoint(to)).link();
    }
}
