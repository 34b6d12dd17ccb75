package org.gridmpj.transport.gridtcp;

import java.util.Map;
import org.gridmpj.testkit.transport.TransportContract;
import org.gridmpj.transport.TransportProvider;

/** On java.nio's channels, as on a system without epoll. */
class NioTransportTest extends TransportContract {
    @Override
    protected TransportProvider provider() {
        return new GridTcpTransportProvider();
    }

    @Override
    protected Map<String, String> options() {
        return Map.of("data", "nio");
    }
}
