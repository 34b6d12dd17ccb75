package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.pt2pt.Request;
import org.gridmpj.pt2pt.SendMode;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a peer sends behind its marker is neither matched nor saved before this rank has made its cut. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MarkerHoldTest {
    private static final TypeMap INT = TypeMap.of(BaseType.INT);
    private static final long CONTEXT = 5;
    private static final int EPOCH = 3;

    @ParameterizedTest
    @ValueSource(longs = {1, 1 << 20})
    void shouldHoldFramesBehindTheMarkerUntilTheRelease(long budgetBytes) {
        int messages = 300;
        CountDownLatch sent = new CountDownLatch(1);
        LocalCluster.of(2, new InMemoryNetwork(InMemoryNetwork.Behaviour.plain()))
                .with(PointToPointConfig.forSharedCores().withHoldBudgetBytes(budgetBytes))
                .run(process -> {
                    PointToPoint p = process.pointToPoint();
                    MessageStatus status = new MessageStatus();
                    if (p.worldRank() == 0) {
                        p.send(SendMode.STANDARD, new int[] {-1}, 0, 1, INT, 1, CONTEXT, 1);
                        p.exchangeMarkers(EPOCH);
                        p.release();
                        for (int i = 0; i < messages; i++) {
                            p.send(SendMode.STANDARD, new int[] {i}, 0, 1, INT, 1, CONTEXT, 1);
                        }
                        Request large = p.isend(SendMode.STANDARD, new int[50_000], 0, 50_000, INT, 1, CONTEXT, 2);
                        sent.countDown();
                        p.await(large);
                    } else {
                        p.exchangeMarkers(EPOCH);
                        sent.await();
                        for (int i = 0; i < 50; i++) {
                            assertThat(p.iprobe(0, CONTEXT, 2)).isNull();
                        }
                        Map<String, byte[]> image = p.freeze();
                        int[] in = new int[1];
                        p.receive(in, 0, 1, INT, 0, CONTEXT, 1, false, status);
                        assertThat(in[0]).isEqualTo(-1);
                        assertThat(p.iprobe(0, CONTEXT, 1)).isNull();
                        p.release();
                        for (int i = 0; i < messages; i++) {
                            p.receive(in, 0, 1, INT, 0, CONTEXT, 1, false, status);
                            assertThat(in[0]).isEqualTo(i);
                        }
                        p.receive(new int[50_000], 0, 50_000, INT, 0, CONTEXT, 2, false, status);
                        p.thaw(image);
                        p.receive(in, 0, 1, INT, 0, CONTEXT, 1, false, status);
                        assertThat(in[0]).isEqualTo(-1);
                        assertThat(p.iprobe(0, CONTEXT, 1)).isNull();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void shouldReleaseEverybodyWhenAnEpochIsAbandoned(int size) {
        LocalCluster.run(size, new InMemoryNetwork(InMemoryNetwork.Behaviour.adverse(77)), process -> {
            PointToPoint p = process.pointToPoint();
            int me = p.worldRank();
            int next = (me + 1) % size;
            if (me == 0) {
                p.abandonEpoch(EPOCH);
            } else {
                assertThatThrownBy(() -> p.exchangeMarkers(EPOCH))
                        .isInstanceOf(MpiFailure.class)
                        .hasMessageContaining("abandoned");
            }
            int[] in = new int[1];
            Request receive = p.ireceive(in, 0, 1, INT, (me + size - 1) % size, CONTEXT, 1, false);
            p.send(SendMode.STANDARD, new int[] {me}, 0, 1, INT, next, CONTEXT, 1);
            p.await(receive);
            assertThat(in[0]).isEqualTo((me + size - 1) % size);
            // and the next epoch works
            p.exchangeMarkers(EPOCH + 1);
            p.release();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 100_000})
    void shouldRefuseACutWhileASendWaitsForItsReceive(int count) {
        LocalCluster.run(2, new InMemoryNetwork(InMemoryNetwork.Behaviour.plain()), process -> {
            PointToPoint p = process.pointToPoint();
            if (p.worldRank() == 0) {
                Request send = p.isend(SendMode.SYNCHRONOUS, new int[count], 0, count, INT, 1, CONTEXT, 6);
                assertThat(p.pendingOperations())
                        .singleElement()
                        .asString()
                        .contains("synchronous send to world rank 1");
                p.exchangeMarkers(EPOCH);
                p.release();
                p.await(send);
            } else {
                p.exchangeMarkers(EPOCH);
                assertThatThrownBy(p::freeze)
                        .isInstanceOf(MpiFailure.class)
                        .hasMessageContaining("world rank 0")
                        .hasMessageContaining("tag 6");
                p.release();
                p.receive(new int[count], 0, count, INT, 0, CONTEXT, 6, false, new MessageStatus());
            }
        });
    }
}
