package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.gridmpj.coll.BlockingCollectives;
import org.gridmpj.coll.SelectionTable;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A blocking collective of primitives allocates nothing, once the program is in its stride: a short one over any transport, each
 * one that goes by memory of all ranks. Counts bytes.
 */
public abstract class CollectivesAllocationContract {
    private static final TypeMap DOUBLE = TypeMap.of(BaseType.DOUBLE);
    /** Between two ranks long data goes by messages otherwise. */
    private static final SelectionTable SEGMENTS = SelectionTable.of(
            "allreduce segment; alltoall segment; alltoallv segment; allgatherv segment; reduce-scatter segment",
            "test");

    private static final int WARM_UP = 6_000;
    private static final int BATCHES = 20;
    private static final int BATCH = 200;
    /** Enough that each rank of two combines a share. */
    private static final int LONG_COUNT = 3_000;

    private static final int[] COUNTS = {2_000, 1_000};
    private static final int[] PLACES = {1_000, 0};
    private static final int[] BLOCKS = {LONG_COUNT, LONG_COUNT};
    private static final int[] BLOCKS_AT = {LONG_COUNT, 0};
    /**
     * Less than the smallest schedule. A wait that blocks costs the JDK's lock and the network's condition a node each;
     * that depends on the other threads, hence the best of some batches.
     */
    private static final double TOLERATED_BYTES = 200;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The network of one run. */
    protected abstract TransportProvider transport();

    /** Whether calls go by memory of all ranks. */
    protected abstract boolean sharesMemory();

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void shouldAllocateNothingPerCallWhenItsShapeWasSeenBefore() {
        LocalCluster.of(2, transport()).run(process -> {
            BlockingCollectives collectives = new BlockingCollectives(process.world(), SEGMENTS);
            int rank = process.world().rank();
            double[][] in = {new double[2 * LONG_COUNT], new double[2 * LONG_COUNT]};
            double[] out = new double[2 * LONG_COUNT];
            for (int i = 0; i < WARM_UP; i++) {
                calls(collectives, rank, in[i & 1], out);
            }
            long least = Long.MAX_VALUE;
            for (int batch = 0; batch < BATCHES; batch++) {
                long before =
                        threads.getThreadAllocatedBytes(Thread.currentThread().threadId());
                for (int i = 0; i < BATCH; i++) {
                    calls(collectives, rank, in[i & 1], out);
                }
                least = Math.min(
                        least,
                        threads.getThreadAllocatedBytes(Thread.currentThread().threadId()) - before);
            }
            assertThat((double) least / BATCH / 4)
                    .as("bytes per call, rank %d", rank)
                    .isLessThan(TOLERATED_BYTES);
        });
    }

    private void calls(BlockingCollectives collectives, int rank, double[] in, double[] out) {
        collectives.barrier(null);
        collectives.bcast(null, in, 0, 2, DOUBLE, 1);
        collectives.allreduce(null, in, 0, out, 1, 2, DOUBLE, PredefinedOp.SUM);
        collectives.reduce(null, in, 0, out, 0, 2, DOUBLE, PredefinedOp.MAX, 0);
        if (sharesMemory()) {
            collectives.allgather(null, in, 0, 2, DOUBLE, out, 0, 2, DOUBLE);
            collectives.alltoall(null, in, 0, LONG_COUNT, DOUBLE, out, 0, LONG_COUNT, DOUBLE);
            collectives.allreduce(null, in, 0, out, 0, LONG_COUNT, DOUBLE, PredefinedOp.SUM);
            collectives.allgatherv(null, in, 0, COUNTS[rank], DOUBLE, out, 0, COUNTS, PLACES, DOUBLE);
            collectives.alltoallv(null, in, 0, BLOCKS, BLOCKS_AT, DOUBLE, out, 0, BLOCKS, BLOCKS_AT, DOUBLE);
            collectives.reduceScatter(null, in, 0, out, 0, COUNTS, DOUBLE, PredefinedOp.SUM);
        }
    }
}
