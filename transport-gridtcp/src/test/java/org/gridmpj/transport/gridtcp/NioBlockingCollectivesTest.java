package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.BlockingCollectivesContract;
import org.gridmpj.transport.TransportProvider;

/** By messages on java.nio's channels, as on a system without epoll. */
class NioBlockingCollectivesTest extends BlockingCollectivesContract {
    @Override
    protected TransportProvider transport() {
        return OptionedTransportProvider.NIO;
    }
}
