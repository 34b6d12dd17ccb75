package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.CollectivesAllocationContract;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class SharedMemoryCollectivesAllocationTest extends CollectivesAllocationContract {
    @Override
    protected TransportProvider transport() {
        return OptionedTransportProvider.SHARED_MEMORY;
    }

    @Override
    protected boolean sharesMemory() {
        return true;
    }
}
