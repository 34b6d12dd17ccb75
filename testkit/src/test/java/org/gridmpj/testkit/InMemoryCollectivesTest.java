package org.gridmpj.testkit;

import java.util.List;
import org.gridmpj.transport.TransportProvider;

class InMemoryCollectivesTest extends CollectivesContract {
    @Override
    protected TransportProvider transport() {
        return new InMemoryNetwork(InMemoryNetwork.Behaviour.plain());
    }

    @Override
    protected List<Integer> sizes() {
        return List.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    }
}
