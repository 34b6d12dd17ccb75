package org.gridmpj.transport.gridtcp;

import java.util.Map;
import org.gridmpj.testkit.AllocationContract;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.parallel.Isolated;

/** Messages by a TCP connection's descriptor. */
@Isolated
class GridTcpAllocationTest extends AllocationContract {
    /** Bytes come in such pieces at the least, where both ends do nothing else. */
    private static final int CALL_BYTES = 16 << 10;

    private static final int LEAST_BY_ARRAY_BYTES = 256 << 10;

    @Override
    protected TransportProvider provider() {
        return new OptionedTransportProvider(Map.of("link", "tcp"));
    }

    /** Of long payloads each system call that moves bytes costs the object by which the JDK hands over a place in an array. */
    @Override
    protected double knownBytes(int messageBytes) {
        int calls = messageBytes < LEAST_BY_ARRAY_BYTES ? 0 : messageBytes / CALL_BYTES;
        return 56.0 * calls;
    }
}
