package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.CollectivesContract;
import org.gridmpj.transport.TransportProvider;

/** The same with Netty's thread between; fewer calls, for there is one kind of engine above. */
class GridTcpPipelineCollectivesTest extends CollectivesContract {
    @Override
    protected TransportProvider transport() {
        return OptionedTransportProvider.PIPELINE;
    }

    @Override
    protected int randomCalls() {
        return 60;
    }
}
