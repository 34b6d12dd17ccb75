package org.gridmpj.transport.gridtcp;

import java.util.Map;
import org.gridmpj.testkit.transport.TransportContract;
import org.gridmpj.transport.TransportProvider;

/** The same on java.nio and encrypted, where pairs are connected when they have something for each other. */
class OnUseNioTlsTransportTest extends TransportContract {
    @Override
    protected TransportProvider provider() {
        return new GridTcpTransportProvider();
    }

    @Override
    protected Map<String, String> options() {
        return Map.of("connect", "1", "data", "nio", "tls", "on");
    }
}
