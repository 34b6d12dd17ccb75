package org.gridmpj.transport.nio;

import java.util.stream.IntStream;
import org.gridmpj.testkit.dialect.DialectContract;
import org.gridmpj.transport.TransportProvider;

class JavaTransportDialectTest extends DialectContract {
    @Override
    protected TransportProvider provider() {
        return new JavaTransportProvider();
    }

    @Override
    protected IntStream sizes() {
        return IntStream.of(2, 4);
    }
}
