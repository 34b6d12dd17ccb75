package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.Request;
import org.gridmpj.pt2pt.SendMode;

/** Up to the limit of its link a message leaves without its receive; a longer one waits for it. */
public final class EagerLimit {
    private static final TypeMap BYTE = TypeMap.of(BaseType.BYTE);
    private static final int CONTEXT = 1;
    private static final int LONG = 1;
    private static final int SHORT = 2;

    private EagerLimit() {}

    /** Fails, or waits for ever, if the limit between two processes is another one. */
    public static void verify(LocalCluster two, int limitBytes) {
        two.run(process -> exchange(process.pointToPoint(), limitBytes));
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
