package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.CollectivesAllocationContract;
import org.gridmpj.transport.TransportProvider;

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
