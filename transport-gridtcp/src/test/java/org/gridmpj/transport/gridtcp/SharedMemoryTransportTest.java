package org.gridmpj.transport.gridtcp;

import java.util.Map;
import org.gridmpj.testkit.transport.TransportContract;
import org.gridmpj.transport.TransportProvider;

/** The same by shared memory. */
class SharedMemoryTransportTest extends TransportContract {
    @Override
    protected TransportProvider provider() {
        return new GridTcpTransportProvider();
    }

    @Override
    protected Map<String, String> options() {
        return Map.of("link", "shm");
    }
}
