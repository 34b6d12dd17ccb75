package org.gridmpj.transport.gridtcp;

import java.util.Map;
import org.gridmpj.testkit.transport.TransportContract;
import org.gridmpj.transport.TransportProvider;

/** The same with Netty's thread between. */
class GridTcpPipelineTransportTest extends TransportContract {
    @Override
    protected TransportProvider provider() {
        return new GridTcpTransportProvider();
    }

    @Override
    protected Map<String, String> options() {
        return Map.of("data", "pipeline");
    }
}
