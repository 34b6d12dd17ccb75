package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.BlockingCollectivesContract;
import org.gridmpj.transport.TransportProvider;

/** By memory of all ranks, who wake each other by java.nio and Netty's thread. */
class NioSharedMemoryBlockingCollectivesTest extends BlockingCollectivesContract {
    @Override
    protected TransportProvider transport() {
        return OptionedTransportProvider.NIO_SHARED_MEMORY;
    }

    @Override
    protected int longestTruncated() {
        return Integer.MAX_VALUE;
    }
}
