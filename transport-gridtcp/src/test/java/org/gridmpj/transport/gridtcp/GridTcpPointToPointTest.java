package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;

class GridTcpPointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return new GridTcpTransportProvider();
    }
}
