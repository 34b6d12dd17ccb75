package org.gridmpj.transport.gridtcp;

import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;

/** The same by shared memory, where receives take short messages from where they lie. */
class DirectPointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return OptionedTransportProvider.SHARED_MEMORY;
    }

    @Override
    protected PointToPointConfig settings() {
        return PointToPointConfig.forSharedCores().withDirectLooks(64);
    }
}
