package org.gridmpj.testkit;

import org.gridmpj.transport.TransportProvider;

/** The same over channels of three frames, in pieces of 1 KiB, in random order across peers. */
class AdverseNetworkPointToPointTest extends PointToPointContract {
    private static final long SEED = 20261120;

    @Override
    protected TransportProvider provider() {
        return new InMemoryNetwork(InMemoryNetwork.Behaviour.adverse(SEED));
    }
}
