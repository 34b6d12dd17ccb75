package org.gridmpj.testkit;

import org.gridmpj.transport.TransportProvider;

class SteadyCollectivesAllocationTest extends CollectivesAllocationContract {
    @Override
    protected TransportProvider transport() {
        return new InMemoryNetwork(InMemoryNetwork.Behaviour.plain());
    }

    @Override
    protected boolean sharesMemory() {
        return false;
    }
}
