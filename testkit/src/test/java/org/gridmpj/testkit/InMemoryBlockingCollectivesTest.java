package org.gridmpj.testkit;

import org.gridmpj.transport.TransportProvider;

class InMemoryBlockingCollectivesTest extends BlockingCollectivesContract {
    @Override
    protected TransportProvider transport() {
        return new InMemoryNetwork(InMemoryNetwork.Behaviour.plain());
    }
}
