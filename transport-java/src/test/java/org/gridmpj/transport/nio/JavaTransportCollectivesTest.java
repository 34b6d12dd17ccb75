package org.gridmpj.transport.nio;

import org.gridmpj.testkit.CollectivesContract;
import org.gridmpj.transport.TransportProvider;

class JavaTransportCollectivesTest extends CollectivesContract {
    @Override
    protected TransportProvider transport() {
        return new JavaTransportProvider();
    }
}
