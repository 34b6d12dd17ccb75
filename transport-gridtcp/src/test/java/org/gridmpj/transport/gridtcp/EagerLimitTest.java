package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.Request;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.testkit.LocalCluster;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Up to the limit of its link a message leaves without its receive; a longer one waits for it. */
@Timeout(60)
class EagerLimitTest {
    private static final TypeMap BYTE = TypeMap.of(BaseType.BYTE);
    private static final int CONTEXT = 1;
    private static final int LONG = 1;
    private static final int SHORT = 2;

    @ParameterizedTest
    @CsvSource({"shm, 0, 65536", "shm, 1, 131072", "tcp, 0, 131072", "tcp, 1, 131072"})
    void shouldSendAtOnceUpToTheLimitOfTheLink(String link, int hostOfTheSecond, int limitBytes) {
        LocalCluster.of(2, new OptionedTransportProvider(Map.of("link", link)))
                .on(0, hostOfTheSecond)
                .run(process -> exchange(process.pointToPoint(), limitBytes));
    }

    private static void exchange(PointToPoint p, int limitBytes) {
        byte[] tooLong = new byte[limitBytes + 1];
        if (p.worldRank() == 0) {
            Request atOnce = p.isend(SendMode.STANDARD, tooLong, 0, limitBytes, BYTE, 1, CONTEXT, LONG);
            // by the other protocol this would wait for ever, as the other rank does for what follows
            p.await(atOnce);
            Request asks = p.isend(SendMode.STANDARD, tooLong, 0, tooLong.length, BYTE, 1, CONTEXT, LONG);
            p.send(SendMode.STANDARD, tooLong, 0, 1, BYTE, 1, CONTEXT, SHORT);
            receive(p, tooLong, 1, SHORT);
            assertThat(p.test(asks)).isFalse();
            p.send(SendMode.STANDARD, tooLong, 0, 1, BYTE, 1, CONTEXT, SHORT);
            p.await(asks);
        } else {
            receive(p, tooLong, 0, SHORT);
            p.send(SendMode.STANDARD, tooLong, 0, 1, BYTE, 0, CONTEXT, SHORT);
            receive(p, tooLong, 0, SHORT);
            receive(p, tooLong, 0, LONG);
            receive(p, tooLong, 0, LONG);
        }
    }

    private static void receive(PointToPoint p, byte[] into, int source, int tag) {
        p.receive(into, 0, into.length, BYTE, source, CONTEXT, tag, false, new MessageStatus());
    }
}
