package org.gridmpj.transport.gridtcp;

import java.util.stream.IntStream;
import org.gridmpj.testkit.dialect.DialectContract;
import org.gridmpj.transport.TransportProvider;

class GridTcpDialectTest extends DialectContract {
    @Override
    protected TransportProvider provider() {
        return new GridTcpTransportProvider();
    }

    @Override
    protected IntStream sizes() {
        return IntStream.of(2, 4);
    }
}
