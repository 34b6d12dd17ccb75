package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.gridmpj.coll.BlockingCollectives;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.runtime.MpiProcess;
import org.gridmpj.testkit.LocalCluster;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A guard against gross regressions that counts instead of timing: a message on a connection is one call to send and one to
 * receive, its acknowledgement none, and sockets are watched for whoever blocks, not for each message. The transport's clock
 * stands still meanwhile, so that no tick acknowledges. Prints tables.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Isolated
class SystemCallsPerMessageTest {
    private static final TypeMap BYTE = TypeMap.of(BaseType.BYTE);
    private static final TypeMap DOUBLE = TypeMap.of(BaseType.DOUBLE);
    private static final int ROUNDS = 2_000;
    private static final int COLLECTIVE_RANKS = 4;
    /** Each of a Barrier and a short Allreduce of four ranks is two rounds of one message. */
    private static final int MESSAGES_PER_COLLECTIVE = 2;

    private static final int SHORT_BYTES = 1;
    private static final int KIBIBYTE = 1 << 10;
    private static final int MEDIUM_BYTES = 8 << 10;
    /** Four such messages are more than is staged before a frame asks for an acknowledgement. */
    private static final int LONG_BYTES = 48 << 10;
    /** The eager limit of connections: in one piece, too. */
    private static final int LONGEST_BYTES = 128 << 10;
    /** So many frames are sent to a rank that sends nothing back before one asks for an acknowledgement. */
    private static final int FRAMES_PER_ACKNOWLEDGEMENT = 1 << 10;

    /** What comes from the synchronization around the window: a frame that is early, an acknowledgement that was due. */
    private static final int AROUND = 4;

    /** Opens transports that a test can count at, under a clock that it can stop. */
    private static final class Counted implements TransportProvider {
        private final Map<Integer, GridTcpTransport> opened = new ConcurrentHashMap<>();
        private volatile long stoppedNanos;
        private volatile boolean stopped;

        GridTcpTransport opened(int worldRank) {
            return Objects.requireNonNull(opened.get(worldRank));
        }

        void stopClock() {
            stoppedNanos = System.nanoTime();
            stopped = true;
        }

        void startClock() {
            stopped = false;
        }

        @Override
        public String name() {
            return "gridtcp";
        }

        @Override
        public Transport open(Context context) {
            Context byConnections = new Context(
                    context.job(),
                    context.worldRank(),
                    context.incarnation(),
                    context.secret(),
                    context.sink(),
                    Map.of("link", "tcp"));
            GridTcpTransport transport =
                    new GridTcpTransport(byConnections, () -> stopped ? stoppedNanos : System.nanoTime());
            opened.put(context.worldRank(), transport);
            return transport;
        }
    }

    /** What a rank does over and over, and what it is to cost. */
    private interface Step {
        void run() throws Exception;
    }

    private final Counted provider = new Counted();
    private final Map<String, SystemCallCounts> table = new ConcurrentSkipListMap<>();

    private SystemCallCounts count(MpiProcess process, String name, Step step) throws Exception {
        BlockingCollectives collectives = new BlockingCollectives(process.world());
        collectives.barrier(null);
        if (process.pointToPoint().worldRank() == 0) {
            provider.stopClock();
        }
        collectives.barrier(null);
        collectives.barrier(null);
        GridTcpTransport transport = provider.opened(process.pointToPoint().worldRank());
        SystemCallCounts before = transport.systemCalls();
        for (int i = 0; i < ROUNDS; i++) {
            step.run();
        }
        SystemCallCounts counted = transport.systemCalls().since(before);
        table.put(name + ", rank " + process.pointToPoint().worldRank(), counted);
        collectives.barrier(null);
        if (process.pointToPoint().worldRank() == 0) {
            provider.startClock();
        }
        collectives.barrier(null);
        return counted;
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%-30s %8s %8s %8s %8s %8s%n",
                "system calls of " + ROUNDS,
                "sends",
                "receives",
                "watch",
                "blocks",
                "wakes");
        table.forEach((name, counts) -> System.out.printf(
                Locale.ROOT,
                "%-30s %8d %8d %8d %8d %8d%n",
                name,
                counts.sends(),
                counts.receives(),
                counts.watchChanges(),
                counts.blocks(),
                counts.wakes()));
    }

    /** A socket leaves the set at most once for each time that it has come back for somebody who blocks. */
    private static void assertWatchedForBlockersOnly(SystemCallCounts counts, int links) {
        assertThat(counts.watchChanges()).isLessThanOrEqualTo(2L * links * (counts.blocks() + 1));
        assertThat(counts.wakes()).isLessThanOrEqualTo(counts.blocks() + AROUND);
    }

    @Test
    void shouldSendAndReceiveEachMessageOfAPingPongByOneCall() {
        LocalCluster.of(2, provider).run(process -> {
            for (int bytes : new int[] {SHORT_BYTES, KIBIBYTE, MEDIUM_BYTES, LONG_BYTES, LONGEST_BYTES}) {
                SystemCallCounts counts = count(process, "ping-pong " + bytes, () -> pingPong(process, bytes));
                // the answer acknowledges; a kernel that is short of room may take the longest in pieces now and then
                long pieces = bytes == LONGEST_BYTES ? ROUNDS / 4 : 0;
                assertThat(counts.sends()).isBetween((long) ROUNDS, ROUNDS + pieces + AROUND);
                // the kernel may hand over a longer message in pieces
                assertThat(counts.receives()).isGreaterThanOrEqualTo(ROUNDS - AROUND);
                assertThat(counts.receives()).isLessThanOrEqualTo((bytes > KIBIBYTE ? 4L : 1L) * ROUNDS + AROUND);
                assertWatchedForBlockersOnly(counts, 1);
            }
        });
        print();
    }

    private static void pingPong(MpiProcess process, int bytes) {
        PointToPoint p = process.pointToPoint();
        byte[] data = new byte[bytes];
        MessageStatus status = new MessageStatus();
        int peer = 1 - p.worldRank();
        if (peer == 1) {
            p.send(SendMode.STANDARD, data, 0, bytes, BYTE, peer, 1, 1);
            p.receive(data, 0, bytes, BYTE, peer, 1, 1, false, status);
        } else {
            p.receive(data, 0, bytes, BYTE, peer, 1, 1, false, status);
            p.send(SendMode.STANDARD, data, 0, bytes, BYTE, peer, 1, 1);
        }
    }

    @Test
    void shouldSendOnePacketForEachRoundOfAShortCollective() {
        LocalCluster.of(COLLECTIVE_RANKS, provider).run(process -> {
            BlockingCollectives collectives = new BlockingCollectives(process.world());
            double[] in = new double[1];
            double[] out = new double[1];
            long messages = (long) MESSAGES_PER_COLLECTIVE * ROUNDS;
            long acknowledgements = messages / FRAMES_PER_ACKNOWLEDGEMENT + AROUND;
            SystemCallCounts barrier = count(process, "barrier", () -> collectives.barrier(null));
            SystemCallCounts allreduce = count(
                    process,
                    "allreduce 8",
                    () -> collectives.allreduce(null, in, 0, out, 0, 1, DOUBLE, PredefinedOp.SUM));
            assertThat(barrier.sends()).isBetween(messages, messages + acknowledgements);
            assertThat(allreduce.sends()).isBetween(messages, messages + acknowledgements);
            assertWatchedForBlockersOnly(barrier, COLLECTIVE_RANKS - 1);
            assertWatchedForBlockersOnly(allreduce, COLLECTIVE_RANKS - 1);
        });
        print();
    }
}
