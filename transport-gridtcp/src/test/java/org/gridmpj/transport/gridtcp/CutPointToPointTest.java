package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;

/** A program does not notice that its connections are cut. */
class CutPointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return new CutTransportProvider(20_000, 20);
    }
}
