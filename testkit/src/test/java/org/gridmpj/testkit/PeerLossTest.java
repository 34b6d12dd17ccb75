package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.Request;
import org.gridmpj.pt2pt.SendMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing hangs on a rank that is gone: what waits for it fails and names it; the rest goes on. */
class PeerLossTest {
    private static final TypeMap INT = TypeMap.of(BaseType.INT);
    private static final long CONTEXT = 5;
    private static final int VICTIM = 2;

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void shouldFailWhatWaitsForALostRankAndServeTheOthers() {
        InMemoryNetwork network = new InMemoryNetwork(InMemoryNetwork.Behaviour.plain());
        CountDownLatch done = new CountDownLatch(2);
        LocalCluster.run(3, network, process -> {
            PointToPoint p = process.pointToPoint();
            int me = p.worldRank();
            if (me == VICTIM) {
                p.send(SendMode.STANDARD, new int[] {8}, 0, 1, INT, 0, CONTEXT, 8);
                done.await();
                process.close();
                return;
            }
            int other = 1 - me;
            MessageStatus status = new MessageStatus();
            Request named = p.ireceive(new int[1], 0, 1, INT, VICTIM, CONTEXT, 1, false);
            Request large = p.isend(SendMode.STANDARD, new int[100_000], 0, 100_000, INT, VICTIM, CONTEXT, 1);
            Request synchronous = p.isend(SendMode.SYNCHRONOUS, new int[1], 0, 1, INT, VICTIM, CONTEXT, 1);
            Request unaffected = p.ireceive(new int[1], 0, 1, INT, other, CONTEXT, 2, false);
            if (me == 0) {
                // so that what the victim has sent is here before it dies
                p.probe(VICTIM, CONTEXT, 8, status);
                network.kill(VICTIM);
            }
            failsNaming(() -> p.await(named));
            failsNaming(() -> p.await(large));
            failsNaming(() -> p.await(synchronous));
            failsNaming(() -> p.receive(new int[1], 0, 1, INT, VICTIM, CONTEXT, 3, false, status));
            failsNaming(() -> p.send(SendMode.STANDARD, new int[1], 0, 1, INT, VICTIM, CONTEXT, 3));
            failsNaming(() -> p.probe(VICTIM, CONTEXT, 3, status));
            failsNaming(() -> p.iprobe(VICTIM, CONTEXT, 3));
            p.send(SendMode.STANDARD, new int[] {me}, 0, 1, INT, other, CONTEXT, 2);
            p.await(unaffected);
            assertThat(unaffected.status().sourceWorldRank).isEqualTo(other);
            if (me == 0) {
                // it had arrived before the loss
                int[] in = new int[1];
                p.receive(in, 0, 1, INT, VICTIM, CONTEXT, 8, false, status);
                assertThat(in[0]).isEqualTo(8);
            }
            done.countDown();
        });
    }

    /** A program that polls must not poll for ever. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void shouldFailEveryTestOfAPendingRequestOnceTheEngineIsClosed() {
        InMemoryNetwork network = new InMemoryNetwork(InMemoryNetwork.Behaviour.plain());
        LocalCluster.run(2, network, process -> {
            PointToPoint p = process.pointToPoint();
            Request done = p.isend(SendMode.STANDARD, new int[1], 0, 1, INT, p.worldRank(), CONTEXT, 1);
            p.receive(new int[1], 0, 1, INT, p.worldRank(), CONTEXT, 1, false, new MessageStatus());
            Request pending = p.ireceive(new int[1], 0, 1, INT, 1 - p.worldRank(), CONTEXT, 4, false);
            Request[] both = {null, pending};
            process.close();
            failsAsClosed(() -> p.test(pending));
            failsAsClosed(() -> p.testAny(both));
            failsAsClosed(() -> p.testSome(both, new int[2]));
            failsAsClosed(() -> p.testAll(both));
            failsAsClosed(() -> p.iprobe(PointToPoint.ANY_SOURCE, CONTEXT, 4));
            failsAsClosed(() -> p.await(pending));
            // what was complete before stays so
            assertThat(p.test(done)).isTrue();
            assertThat(p.testAny(new Request[] {null})).isEqualTo(-1);
        });
    }

    private static void failsAsClosed(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(MpiFailure.class).hasMessageContaining("the engine was closed");
    }

    private static void failsNaming(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        MpiFailure.class,
                        failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.PROC_FAILED))
                .hasMessageContaining("world rank " + VICTIM);
    }
}
