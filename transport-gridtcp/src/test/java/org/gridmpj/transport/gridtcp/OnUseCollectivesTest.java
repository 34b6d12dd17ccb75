package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.CollectivesContract;
import org.gridmpj.transport.TransportProvider;

/** The same where pairs are connected when they have something for each other. */
class OnUseCollectivesTest extends CollectivesContract {
    @Override
    protected TransportProvider transport() {
        return OptionedTransportProvider.ON_USE;
    }
}
