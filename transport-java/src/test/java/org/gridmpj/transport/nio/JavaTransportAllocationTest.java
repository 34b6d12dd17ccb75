package org.gridmpj.transport.nio;

import org.gridmpj.testkit.AllocationContract;
import org.gridmpj.transport.TransportProvider;

/** Messages by the JDK's socket channels. */
class JavaTransportAllocationTest extends AllocationContract {
    @Override
    protected TransportProvider provider() {
        return new JavaTransportProvider();
    }
}
