package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.transport.TransportContract;
import org.gridmpj.transport.TransportProvider;

class GridTcpTransportTest extends TransportContract {
    @Override
    protected TransportProvider provider() {
        return new GridTcpTransportProvider();
    }
}
