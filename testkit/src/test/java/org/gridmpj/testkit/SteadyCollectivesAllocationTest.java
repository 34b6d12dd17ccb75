package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.gridmpj.coll.BlockingCollectives;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A short blocking collective of primitives allocates nothing, once the program is in its stride. Counts bytes. */
class SteadyCollectivesAllocationTest {
    private static final TypeMap DOUBLE = TypeMap.of(BaseType.DOUBLE);
    private static final int WARM_UP = 6_000;
    private static final int BATCHES = 20;
    private static final int BATCH = 200;
    /**
     * Less than the smallest schedule. A wait that blocks costs the JDK's lock and the network's condition a node each;
     * that depends on the other threads, hence the best of some batches.
     */
    private static final double TOLERATED_BYTES = 200;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void shouldAllocateNothingPerCallWhenItsShapeWasSeenBefore() {
        LocalCluster.of(2).run(process -> {
            BlockingCollectives collectives = new BlockingCollectives(process.world());
            double[][] in = {{1, 2}, {3, 4}};
            double[] out = new double[3];
            for (int i = 0; i < WARM_UP; i++) {
                calls(collectives, in[i & 1], out);
            }
            long least = Long.MAX_VALUE;
            for (int batch = 0; batch < BATCHES; batch++) {
                long before =
                        threads.getThreadAllocatedBytes(Thread.currentThread().threadId());
                for (int i = 0; i < BATCH; i++) {
                    calls(collectives, in[i & 1], out);
                }
                least = Math.min(
                        least,
                        threads.getThreadAllocatedBytes(Thread.currentThread().threadId()) - before);
            }
            assertThat((double) least / BATCH / 4)
                    .as("bytes per call, rank %d", process.world().rank())
                    .isLessThan(TOLERATED_BYTES);
        });
    }

    private static void calls(BlockingCollectives collectives, double[] in, double[] out) {
        collectives.barrier(null);
        collectives.bcast(null, in, 0, 2, DOUBLE, 1);
        collectives.allreduce(null, in, 0, out, 1, 2, DOUBLE, PredefinedOp.SUM);
        collectives.reduce(null, in, 0, out, 0, 2, DOUBLE, PredefinedOp.MAX, 0);
    }
}
