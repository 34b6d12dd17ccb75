package org.gridmpj.transport.gridtcp;

import java.util.List;
import org.gridmpj.testkit.CollectivesContract;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Nor do collectives. Fewer calls and sizes, and no series of short jobs: each job in which the very last acknowledgement is cut off
 * ends with a rank that waits two seconds for a peer that has gone.
 */
@Execution(ExecutionMode.CONCURRENT)
class CutCollectivesTest extends CollectivesContract {
    @Override
    protected TransportProvider transport() {
        return new CutTransportProvider(20_000, 20);
    }

    @Override
    protected int randomCalls() {
        return 60;
    }

    @Override
    protected List<Integer> sizes() {
        return List.of(3, 5);
    }

    @Override
    protected boolean sumsRepeatedly() {
        return false;
    }
}
