package org.gridmpj.testkit;

import org.gridmpj.transport.TransportProvider;

class InMemoryCollectivesTest extends CollectivesContract {
    @Override
    protected TransportProvider transport() {
        return new InMemoryNetwork(InMemoryNetwork.Behaviour.plain());
    }
}
