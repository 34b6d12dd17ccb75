package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;

/** Pairs are connected when they have something for each other, and cut in mid-frame. */
class OnUseCutPointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return new CutTransportProvider(OptionedTransportProvider.ON_USE, 20_000, 20);
    }
}
