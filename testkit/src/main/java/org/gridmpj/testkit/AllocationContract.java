package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A guard against gross regressions that counts instead of timing: a blocking message of primitives allocates nothing in
 * steady state, whatever its length and way. Subclassed per transport and link. Prints a table.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class AllocationContract {
    private static final TypeMap BYTE = TypeMap.of(BaseType.BYTE);
    private static final TypeMap DOUBLE = TypeMap.of(BaseType.DOUBLE);
    private static final TypeMap EVERY_THIRD = TypeMap.vector(100, 1, 3, DOUBLE);
    private static final int WARM_UP = 4_000;
    private static final int MEASURED = 2_000;
    /**
     * The least of some windows counts: until the compiler has caught up, which it does late on a busy machine, code
     * allocates what compiled code keeps in registers. An allocation that belongs to the path is in every window.
     */
    private static final int WINDOWS = 6;

    /**
     * The record of an operation alone has more. What remains is the JDK's: a wait that blocks, or finds the lock taken,
     * costs the lock a node of its queue now and then.
     */
    private static final double TOLERATED_BYTES_PER_MESSAGE = 48;

    /** One way of a message: its protocol follows from length and mode. */
    private enum Path {
        EAGER_8_BYTES(SendMode.STANDARD, 8),
        EAGER_2_KIB(SendMode.STANDARD, 2 << 10),
        EAGER_48_KIB(SendMode.STANDARD, 48 << 10),
        RENDEZVOUS_200_KIB(SendMode.STANDARD, 200 << 10),
        SYNCHRONOUS_2_KIB(SendMode.SYNCHRONOUS, 2 << 10),
        STRIDED_DOUBLES(SendMode.STANDARD, 0);

        final SendMode mode;
        final int bytes;

        Path(SendMode mode, int bytes) {
            this.mode = mode;
            this.bytes = bytes;
        }
    }

    /** A provider for one job. */
    protected abstract TransportProvider provider();

    @Test
    void shouldAllocateNothingPerMessageOnAnyPath() {
        Map<Path, Double> table = new ConcurrentSkipListMap<>();
        LocalCluster.of(2, provider())
                .with(PointToPointConfig.forSharedCores())
                .within(Duration.ofSeconds(100))
                .run(process -> {
                    for (Path path : Path.values()) {
                        table.merge(path, bytesPerMessage(process.pointToPoint(), path), Math::max);
                    }
                });
        StringBuilder text = new StringBuilder("path                   bytes allocated per message\n");
        table.forEach((path, bytes) -> text.append(String.format(Locale.ROOT, "%-22s %8.2f%n", path, bytes)));
        System.out.println(text);
        assertThat(table)
                .as("%s", text)
                .hasSize(Path.values().length)
                .allSatisfy((path, bytes) -> assertThat(bytes).isLessThan(TOLERATED_BYTES_PER_MESSAGE));
    }

    private static double bytesPerMessage(PointToPoint p, Path path) {
        boolean strided = path == Path.STRIDED_DOUBLES;
        Object data = strided ? new double[300] : new byte[path.bytes];
        TypeMap type = strided ? EVERY_THIRD : BYTE;
        int count = strided ? 1 : path.bytes;
        MessageStatus status = new MessageStatus();
        pingPong(p, path.mode, data, type, count, status, WARM_UP);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long me = Thread.currentThread().threadId();
        double least = Double.MAX_VALUE;
        for (int window = 0; window < WINDOWS; window++) {
            long before = threads.getThreadAllocatedBytes(me);
            pingPong(p, path.mode, data, type, count, status, MEASURED);
            least = Math.min(least, (threads.getThreadAllocatedBytes(me) - before) / (2.0 * MEASURED));
        }
        return least;
    }

    private static void pingPong(
            PointToPoint p, SendMode mode, Object data, TypeMap type, int count, MessageStatus status, int times) {
        int peer = 1 - p.worldRank();
        for (int i = 0; i < times; i++) {
            if (peer == 1) {
                p.send(mode, data, 0, count, type, peer, 1, 1);
                p.receive(data, 0, count, type, peer, 1, 1, false, status);
            } else {
                p.receive(data, 0, count, type, peer, 1, 1, false, status);
                p.send(mode, data, 0, count, type, peer, 1, 1);
            }
        }
    }
}
