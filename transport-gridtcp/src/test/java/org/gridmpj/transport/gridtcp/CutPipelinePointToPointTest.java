package org.gridmpj.transport.gridtcp;

import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;

/** Nor with Netty's thread between. */
class CutPipelinePointToPointTest extends PointToPointContract {
    @Override
    protected TransportProvider provider() {
        return new CutTransportProvider(OptionedTransportProvider.PIPELINE, 20_000, 20);
    }
}
