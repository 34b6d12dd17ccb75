package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;

/** The same by shared memory. */
class SharedMemoryPointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return OptionedTransportProvider.SHARED_MEMORY;
    }
}
