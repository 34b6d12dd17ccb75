package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;

/** By shared memory whose nudges go by java.nio and Netty's thread. */
class NioSharedMemoryPointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return OptionedTransportProvider.NIO_SHARED_MEMORY;
    }
}
