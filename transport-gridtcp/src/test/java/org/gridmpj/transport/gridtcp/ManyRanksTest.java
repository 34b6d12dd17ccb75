package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.gridmpj.coll.Collectives;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.testkit.LocalCluster;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job above the number of ranks up to which all pairs are connected at once: its program decides what is connected. */
@Timeout(240)
class ManyRanksTest {
    private static final GridTcpTransportProvider PROVIDER = new GridTcpTransportProvider();
    private static final int RANKS = 40;
    private static final int CONTEXT = 77;

    private final List<Transport> transports = Collections.synchronizedList(new ArrayList<>());

    private final class RememberingProvider implements TransportProvider {
        @Override
        public String name() {
            return PROVIDER.name();
        }

        @Override
        public Transport open(Context context) {
            Transport transport = PROVIDER.open(context);
            transports.add(transport);
            return transport;
        }
    }

    /** Pairs that have ever been linked. */
    private long connections() {
        long ends = 0;
        for (Transport transport : transports) {
            for (int peer = 0; peer < RANKS; peer++) {
                ends += hasMet(transport, peer) ? 1 : 0;
            }
        }
        return ends / 2;
    }

    private static boolean hasMet(Transport transport, int peer) {
        GridTcpEndpoint endpoint = ((GridTcpTransport) transport).known(peer);
        return endpoint != null && endpoint.hasMet();
    }

    @Test
    void shouldConnectNobodyForAProgramThatSaysNothing() {
        LocalCluster.of(RANKS, new RememberingProvider())
                .within(Duration.ofMinutes(3))
                .run(process -> assertThat(process.world().size()).isEqualTo(RANKS));
        assertThat(connections()).isZero();
    }

    @Test
    void shouldConnectThePairsOfARingAndOfABarrierAndNoOther() {
        LocalCluster.of(RANKS, new RememberingProvider())
                .within(Duration.ofMinutes(3))
                .run(process -> {
                    PointToPoint p = process.pointToPoint();
                    int me = p.worldRank();
                    int[] token = {me == 0 ? 1 : 0};
                    TypeMap type = TypeMap.of(BaseType.INT);
                    MessageStatus status = new MessageStatus();
                    if (me > 0) {
                        p.receive(token, 0, 1, type, me - 1, CONTEXT, 1, false, status);
                        token[0]++;
                    }
                    p.send(SendMode.STANDARD, token, 0, 1, type, (me + 1) % RANKS, CONTEXT, 1);
                    if (me == 0) {
                        p.receive(token, 0, 1, type, RANKS - 1, CONTEXT, 1, false, status);
                        assertThat(token[0]).isEqualTo(RANKS);
                    }
                    p.await(Collectives.of(process.world()).barrier());
                });
        // each rank at the distances 1, 2, 4, 8, 16 and 32 by dissemination; all pairs would be 780
        assertThat(connections()).isBetween((long) RANKS, 6L * RANKS);
    }
}
