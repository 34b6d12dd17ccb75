package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;

/** The same with Netty's thread between. */
class GridTcpPipelinePointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return OptionedTransportProvider.PIPELINE;
    }
}
