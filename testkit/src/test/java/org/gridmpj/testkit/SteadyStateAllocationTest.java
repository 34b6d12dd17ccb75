package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A blocking Send and Recv of a primitive array allocates nothing, once the program is in its stride. Counts bytes. */
class SteadyStateAllocationTest {
    private static final TypeMap BYTE = TypeMap.of(BaseType.BYTE);
    private static final int WARM_UP = 30_000;
    private static final int MEASURED = 20_000;
    /** What the measurement itself and the compiler's own late changes may cost in all. */
    private static final long TOLERATED_BYTES = 64 << 10;

    private static TransportProvider plain() {
        return new InMemoryNetwork(InMemoryNetwork.Behaviour.plain());
    }

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void shouldAllocateNothingPerBlockingMessage() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        LocalCluster.run(1, plain(), process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            byte[] out = new byte[512];
            byte[] in = new byte[512];
            exchangeWithSelf(p, out, in, status, WARM_UP);
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().threadId());
            exchangeWithSelf(p, out, in, status, MEASURED);
            long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().threadId()) - before;
            assertThat(bytes).as("bytes for %d messages to oneself", MEASURED).isLessThan(TOLERATED_BYTES);
        });
    }

    private static void exchangeWithSelf(PointToPoint p, byte[] out, byte[] in, MessageStatus status, int times) {
        for (int i = 0; i < times; i++) {
            p.send(SendMode.STANDARD, out, 0, out.length, BYTE, 0, 1, 1);
            p.receive(in, 0, in.length, BYTE, 0, 1, 1, false, status);
        }
    }

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void shouldAllocateNothingPerMessageBetweenRanks() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        LocalCluster.run(2, plain(), process -> {
            PointToPoint p = process.pointToPoint();
            MessageStatus status = new MessageStatus();
            byte[] data = new byte[512];
            pingPong(p, data, status, WARM_UP / 3);
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().threadId());
            pingPong(p, data, status, MEASURED / 4);
            long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().threadId()) - before;
            // a wait that blocks costs the JDK's lock a node of its queue, and the network's condition another: at most
            // one of each per message, while the record of an operation alone has more than that
            assertThat(bytes / (2.0 * MEASURED / 4))
                    .as("bytes per message, rank %d", p.worldRank())
                    .isLessThan(160.0);
        });
    }

    private static void pingPong(PointToPoint p, byte[] data, MessageStatus status, int times) {
        int me = p.worldRank();
        for (int i = 0; i < times; i++) {
            if (me == 0) {
                p.send(SendMode.STANDARD, data, 0, data.length, BYTE, 1, 1, 1);
                p.receive(data, 0, data.length, BYTE, 1, 1, 1, false, status);
            } else {
                p.receive(data, 0, data.length, BYTE, 0, 1, 1, false, status);
                p.send(SendMode.STANDARD, data, 0, data.length, BYTE, 0, 1, 1);
            }
        }
    }
}
