package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.BlockingCollectivesContract;
import org.gridmpj.transport.TransportProvider;

/** By memory of all ranks. */
class SharedMemoryBlockingCollectivesTest extends BlockingCollectivesContract {
    @Override
    protected TransportProvider transport() {
        return OptionedTransportProvider.SHARED_MEMORY;
    }

    @Override
    protected int longestTruncated() {
        return Integer.MAX_VALUE;
    }
}
