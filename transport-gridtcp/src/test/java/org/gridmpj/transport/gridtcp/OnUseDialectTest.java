package org.gridmpj.transport.gridtcp;

import java.util.stream.IntStream;
import org.gridmpj.testkit.dialect.DialectContract;
import org.gridmpj.transport.TransportProvider;

/** The same where pairs are connected when they have something for each other. */
class OnUseDialectTest extends DialectContract {
    @Override
    protected TransportProvider provider() {
        return OptionedTransportProvider.ON_USE;
    }

    @Override
    protected IntStream sizes() {
        return IntStream.of(2, 4);
    }
}
