package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.gridmpj.pt2pt.Request;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.testkit.allocation.FacadeCalls;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A guard against gross regressions that counts instead of timing: a blocking or persistent message of primitives allocates
 * nothing in steady state, whatever its length and way, a nonblocking one its record, and the facade what it returns.
 * Subclassed per transport and link. Prints tables.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class AllocationContract {
    private static final TypeMap BYTE = TypeMap.of(BaseType.BYTE);
    private static final TypeMap DOUBLE = TypeMap.of(BaseType.DOUBLE);
    private static final TypeMap EVERY_THIRD = TypeMap.vector(100, 1, 3, DOUBLE);
    private static final int ROUNDS = 2_000;
    /** Of more than {@link #LONG_BYTES}. */
    private static final int LONG_ROUNDS = 500;

    private static final int LONG_BYTES = 128 << 10;

    /**
     * The record of an operation alone has more. What remains is the JDK's: a wait that blocks, or finds the lock taken,
     * costs the lock a node of its queue now and then.
     */
    private static final double TOLERATED_BYTES_PER_MESSAGE = 48;

    /** The record of a nonblocking operation with its buffer and status: the program's for as long as it likes. */
    private static final double RECORD_BYTES = 264;

    /** How a message is begun and completed. */
    private enum Way {
        BLOCKING(0),
        NONBLOCKING(RECORD_BYTES),
        PERSISTENT(0);

        final double knownBytes;

        Way(double knownBytes) {
            this.knownBytes = knownBytes;
        }
    }

    /** One way of a message: its protocol follows from length and mode. */
    private enum Path {
        EAGER_8_BYTES(Way.BLOCKING, SendMode.STANDARD, 8),
        EAGER_2_KIB(Way.BLOCKING, SendMode.STANDARD, 2 << 10),
        EAGER_48_KIB(Way.BLOCKING, SendMode.STANDARD, 48 << 10),
        RENDEZVOUS_200_KIB(Way.BLOCKING, SendMode.STANDARD, 200 << 10),
        RENDEZVOUS_1_MIB(Way.BLOCKING, SendMode.STANDARD, 1 << 20),
        SYNCHRONOUS_2_KIB(Way.BLOCKING, SendMode.SYNCHRONOUS, 2 << 10),
        STRIDED_DOUBLES(Way.BLOCKING, SendMode.STANDARD, 0),
        NONBLOCKING_8_BYTES(Way.NONBLOCKING, SendMode.STANDARD, 8),
        NONBLOCKING_200_KIB(Way.NONBLOCKING, SendMode.STANDARD, 200 << 10),
        PERSISTENT_8_BYTES(Way.PERSISTENT, SendMode.STANDARD, 8),
        PERSISTENT_200_KIB(Way.PERSISTENT, SendMode.STANDARD, 200 << 10);

        final Way way;
        final SendMode mode;
        final int bytes;

        Path(Way way, SendMode mode, int bytes) {
            this.way = way;
            this.mode = mode;
            this.bytes = bytes;
        }

        int rounds() {
            return bytes > LONG_BYTES ? LONG_ROUNDS : ROUNDS;
        }
    }

    /** A provider for one job. */
    protected abstract TransportProvider provider();

    /** What a message of so many bytes is known to cost beside that. */
    protected double knownBytes(int messageBytes) {
        return 0;
    }

    /** Of the engines. */
    protected PointToPointConfig settings() {
        return PointToPointConfig.forSharedCores();
    }

    @Test
    void shouldAllocateNothingPerMessageOnAnyPath() {
        Map<Path, Double> table = new ConcurrentSkipListMap<>();
        LocalCluster.of(2, provider())
                .with(settings())
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
                .allSatisfy((path, bytes) -> assertThat(bytes)
                        .isLessThan(knownBytes(path.bytes) + path.way.knownBytes + TOLERATED_BYTES_PER_MESSAGE));
    }

    /** Of one send or one receive: half of a round trip. */
    private static double bytesPerMessage(PointToPoint p, Path path) {
        boolean strided = path == Path.STRIDED_DOUBLES;
        Object data = strided ? new double[300] : new byte[path.bytes];
        TypeMap type = strided ? EVERY_THIRD : BYTE;
        int count = strided ? 1 : path.bytes;
        int peer = 1 - p.worldRank();
        Runnable send;
        Runnable receive;
        switch (path.way) {
            case BLOCKING -> {
                MessageStatus status = new MessageStatus();
                send = () -> p.send(path.mode, data, 0, count, type, peer, 1, 1);
                receive = () -> p.receive(data, 0, count, type, peer, 1, 1, false, status);
            }
            case NONBLOCKING -> {
                send = () -> p.await(p.isend(path.mode, data, 0, count, type, peer, 1, 1));
                receive = () -> p.await(p.ireceive(data, 0, count, type, peer, 1, 1, false));
            }
            default -> {
                Request sending = p.sendInit(path.mode, data, 0, count, type, peer, 1, 1);
                Request receiving = p.receiveInit(data, 0, count, type, peer, 1, 1, false);
                send = () -> run(p, sending);
                receive = () -> run(p, receiving);
            }
        }
        Runnable first = peer == 1 ? send : receive;
        Runnable second = peer == 1 ? receive : send;
        return AllocationMeter.bytesPerRound(path.rounds(), () -> {
                    first.run();
                    second.run();
                })
                / 2;
    }

    private static void run(PointToPoint p, Request persistent) {
        p.start(persistent);
        p.await(persistent);
    }

    /** By the calls that programs make. */
    @Test
    void shouldAllocateOnlyWhatTheFacadeReturns() {
        assertThat(FacadeCluster.of(2, provider()).run(FacadeCalls.class)).isZero();
    }
}
