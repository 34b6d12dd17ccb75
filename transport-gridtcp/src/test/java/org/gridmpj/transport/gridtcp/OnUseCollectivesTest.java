package org.gridmpj.transport.gridtcp;

import java.util.List;
import org.gridmpj.testkit.CollectivesContract;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The same where pairs are connected when they have something for each other. Without the series of short jobs that look at the
 * bits of sums: when a pair is connected says nothing about the order of terms.
 */
@Execution(ExecutionMode.CONCURRENT)
class OnUseCollectivesTest extends CollectivesContract {
    @Override
    protected TransportProvider transport() {
        return OptionedTransportProvider.ON_USE;
    }

    @Override
    protected boolean sumsRepeatedly() {
        return false;
    }

    @Override
    protected List<Integer> sizes() {
        return List.of(3, 8);
    }
}
