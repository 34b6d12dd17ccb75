package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;

/** Nor on java.nio's channels. */
class CutNioPointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return new CutTransportProvider(OptionedTransportProvider.NIO, 20_000, 20);
    }
}
