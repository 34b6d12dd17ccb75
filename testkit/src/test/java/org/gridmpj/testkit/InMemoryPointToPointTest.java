package org.gridmpj.testkit;

import org.gridmpj.transport.TransportProvider;

class InMemoryPointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return new InMemoryNetwork(InMemoryNetwork.Behaviour.plain());
    }
}
