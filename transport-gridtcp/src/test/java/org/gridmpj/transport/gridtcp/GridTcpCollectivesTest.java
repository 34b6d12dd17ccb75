package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.CollectivesContract;
import org.gridmpj.transport.TransportProvider;

class GridTcpCollectivesTest extends CollectivesContract {
    @Override
    protected TransportProvider transport() {
        return new GridTcpTransportProvider();
    }
}
