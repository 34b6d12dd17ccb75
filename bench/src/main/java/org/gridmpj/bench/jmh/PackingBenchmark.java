package org.gridmpj.bench.jmh;

import java.util.concurrent.TimeUnit;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.Packer;
import org.gridmpj.datatype.TypeMap;
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

/** Pack and Unpack of 64 KiB of doubles by their datatype, µs: whole, in rows of a matrix, each third element. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PackingBenchmark {
    private static final int ELEMENTS = 8192;
    private static final TypeMap DOUBLE = TypeMap.of(BaseType.DOUBLE);

    @Param({"contiguous", "rows", "strided"})
    String layout = "contiguous";

    private TypeMap type = DOUBLE;
    private int count;
    private final double[] array = new double[3 * ELEMENTS];
    private final byte[] packed = new byte[8 * ELEMENTS];

    @Setup
    public void prepare() {
        type = switch (layout) {
            case "rows" -> TypeMap.vector(ELEMENTS / 64, 64, 128, DOUBLE);
            case "strided" -> TypeMap.vector(ELEMENTS, 1, 3, DOUBLE);
            default -> TypeMap.contiguous(ELEMENTS, DOUBLE);
        };
        count = 1;
    }

    @Benchmark
    public int pack() {
        return Packer.pack(array, 0, count, type, packed, 0);
    }

    @Benchmark
    public int unpack() {
        return Packer.unpack(packed, 0, array, 0, count, type);
    }
}
