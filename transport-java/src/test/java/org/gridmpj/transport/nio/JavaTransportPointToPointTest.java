package org.gridmpj.transport.nio;

import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;

class JavaTransportPointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return new JavaTransportProvider();
    }
}
