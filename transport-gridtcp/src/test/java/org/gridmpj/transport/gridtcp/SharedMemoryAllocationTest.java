package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.AllocationContract;
import org.gridmpj.transport.TransportProvider;

/** Messages by shared memory. */
class SharedMemoryAllocationTest extends AllocationContract {
    @Override
    protected TransportProvider provider() {
        return OptionedTransportProvider.SHARED_MEMORY;
    }
}
