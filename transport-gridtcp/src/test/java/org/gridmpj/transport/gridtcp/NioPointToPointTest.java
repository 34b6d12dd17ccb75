package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;

/** On java.nio's channels, as on a system without epoll. */
class NioPointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return OptionedTransportProvider.NIO;
    }
}
