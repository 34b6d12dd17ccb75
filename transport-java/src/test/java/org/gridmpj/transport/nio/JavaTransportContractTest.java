package org.gridmpj.transport.nio;

import org.gridmpj.testkit.transport.TransportContract;
import org.gridmpj.transport.TransportProvider;

class JavaTransportContractTest extends TransportContract {
    @Override
    protected TransportProvider provider() {
        return new JavaTransportProvider();
    }
}
