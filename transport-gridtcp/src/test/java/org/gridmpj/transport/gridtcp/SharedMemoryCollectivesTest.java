package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.CollectivesContract;
import org.gridmpj.transport.TransportProvider;

/** The same by shared memory; fewer calls, for there is one kind of engine above. */
class SharedMemoryCollectivesTest extends CollectivesContract {
    @Override
    protected TransportProvider transport() {
        return OptionedTransportProvider.SHARED_MEMORY;
    }

    @Override
    protected int randomCalls() {
        return 60;
    }
}
