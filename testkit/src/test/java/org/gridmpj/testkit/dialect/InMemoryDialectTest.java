package org.gridmpj.testkit.dialect;

import org.gridmpj.testkit.InMemoryNetwork;
import org.gridmpj.transport.TransportProvider;

class InMemoryDialectTest extends DialectContract {
    @Override
    protected TransportProvider provider() {
        return new InMemoryNetwork(InMemoryNetwork.Behaviour.plain());
    }
}
