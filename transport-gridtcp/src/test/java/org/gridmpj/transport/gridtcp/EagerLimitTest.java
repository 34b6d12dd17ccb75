package org.gridmpj.transport.gridtcp;

import java.util.Map;
import org.gridmpj.testkit.EagerLimit;
import org.gridmpj.testkit.LocalCluster;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class EagerLimitTest {
    @ParameterizedTest
    @CsvSource({"shm, 0, 65536", "shm, 1, 131072", "tcp, 0, 131072", "tcp, 1, 131072"})
    void shouldSendAtOnceUpToTheLimitOfTheLink(String link, int hostOfTheSecond, int limitBytes) {
        EagerLimit.verify(
                LocalCluster.of(2, new OptionedTransportProvider(Map.of("link", link)))
                        .on(0, hostOfTheSecond),
                limitBytes);
    }
}
