package org.gridmpj.bench.jmh;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.pt2pt.Request;
import org.gridmpj.pt2pt.SendMode;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A message of 8 bytes to oneself, ns: matching and the engine without any wire, beside so many other operations that wait
 * with other tags.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class MatchingBenchmark {
    private static final TypeMap BYTE = TypeMap.of(BaseType.BYTE);
    private static final long CONTEXT = 2;

    @Param({"0", "100", "10000"})
    int waiting;

    private final PointToPoint engine = new PointToPoint(0, 1, PointToPointConfig.forHost(1, 1));
    private final ArrayDeque<Request> posted = new ArrayDeque<>();
    private final byte[] out = new byte[8];
    private final byte[] in = new byte[8];
    private final MessageStatus status = new MessageStatus();

    @Setup
    public void prepare() {
        for (int i = 0; i < waiting; i++) {
            posted.add(engine.ireceive(new byte[8], 0, 8, BYTE, 0, CONTEXT, 1000 + i, false));
        }
    }

    /** The receive finds the message: the unexpected queue. */
    @Benchmark
    public int unexpected() {
        engine.send(SendMode.STANDARD, out, 0, 8, BYTE, 0, CONTEXT, 7);
        engine.receive(in, 0, 8, BYTE, 0, CONTEXT, 7, false, status);
        return status.count;
    }

    /** The message finds the receive: the posted queue. */
    @Benchmark
    public int posted() {
        Request receive = engine.ireceive(in, 0, 8, BYTE, 0, CONTEXT, 7, false);
        engine.send(SendMode.STANDARD, out, 0, 8, BYTE, 0, CONTEXT, 7);
        return receive.status().count;
    }
}
