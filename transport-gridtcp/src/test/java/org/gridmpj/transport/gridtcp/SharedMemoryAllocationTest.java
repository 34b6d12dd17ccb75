package org.gridmpj.transport.gridtcp;

import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.testkit.AllocationContract;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.parallel.Isolated;

/** Messages by shared memory. */
@Isolated
class SharedMemoryAllocationTest extends AllocationContract {
    @Override
    protected TransportProvider provider() {
        return OptionedTransportProvider.SHARED_MEMORY;
    }

    /** As ranks that have a core each. */
    @Override
    protected PointToPointConfig settings() {
        return PointToPointConfig.forSharedCores().withDirectLooks(64);
    }
}
