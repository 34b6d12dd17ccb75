package org.gridmpj.testkit;

import java.util.List;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.transport.TransportProvider;

/** Narrow queues, small pieces, and nearly every message by rendezvous. */
class AdverseNetworkCollectivesTest extends CollectivesContract {
    private static final int EAGER_LIMIT_BYTES = 200;
    private static final long SEED = 42;

    @Override
    protected TransportProvider transport() {
        return new InMemoryNetwork(InMemoryNetwork.Behaviour.adverse(SEED));
    }

    @Override
    protected PointToPointConfig settings(int processes) {
        return super.settings(processes).withEagerLimitBytes(EAGER_LIMIT_BYTES);
    }

    @Override
    protected int randomCalls() {
        return 50;
    }

    @Override
    protected List<Integer> sizes() {
        return List.of(3, 5);
    }
}
