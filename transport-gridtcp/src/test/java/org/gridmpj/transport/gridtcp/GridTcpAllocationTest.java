package org.gridmpj.transport.gridtcp;

import java.util.Map;
import org.gridmpj.testkit.AllocationContract;
import org.gridmpj.transport.TransportProvider;

/** Messages by a TCP connection's descriptor. */
class GridTcpAllocationTest extends AllocationContract {
    @Override
    protected TransportProvider provider() {
        return new OptionedTransportProvider(Map.of("link", "tcp"));
    }
}
