package org.gridmpj.testkit;

import org.gridmpj.transport.TransportProvider;

class InMemoryCommunicatorsTest extends CommunicatorsContract {
    @Override
    protected TransportProvider transport() {
        return new InMemoryNetwork(InMemoryNetwork.Behaviour.plain());
    }
}
