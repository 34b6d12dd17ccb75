package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.CollectivesContract;
import org.gridmpj.transport.TransportProvider;

/** Nor do collectives. */
class CutCollectivesTest extends CollectivesContract {
    @Override
    protected TransportProvider transport() {
        return new CutTransportProvider(20_000, 20);
    }
}
