package org.gridmpj.transport.nio;

import org.gridmpj.testkit.EagerLimit;
import org.gridmpj.testkit.LocalCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JavaTransportEagerLimitTest {
    @Test
    void shouldSendAtOnceUpToTheLimitOfConnections() {
        EagerLimit.verify(LocalCluster.of(2, new JavaTransportProvider()), 128 << 10);
    }
}
