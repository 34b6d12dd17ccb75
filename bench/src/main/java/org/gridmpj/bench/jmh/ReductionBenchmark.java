package org.gridmpj.bench.jmh;

import java.lang.reflect.Array;
import java.util.concurrent.TimeUnit;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
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

/**
 * Combines 64 KiB of elements, by the operations of Reduce, beside a plain copy of as much ({@code copy}). Operands stand at
 * one place in their arrays or at two.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ReductionBenchmark {
    private static final int BYTES = 64 << 10;

    @Param({"BYTE", "SHORT", "CHAR", "INT", "LONG", "FLOAT", "DOUBLE"})
    BaseType base = BaseType.DOUBLE;

    @Param({"SUM", "PROD", "MAX", "MIN", "LAND", "LOR", "LXOR", "BAND", "BOR", "BXOR"})
    PredefinedOp op = PredefinedOp.SUM;

    @Param({"0", "5"})
    int inOffset;

    private TypeMap type = TypeMap.of(BaseType.DOUBLE);
    private int elements;
    private Object in = "";
    private Object inout = "";

    @Setup
    public void prepare() {
        type = TypeMap.of(base);
        if (!op.takes(type)) {
            throw new IllegalArgumentException(op + " does not take " + base);
        }
        elements = BYTES / base.sizeBytes();
        in = Array.newInstance(base.arrayClass().getComponentType(), elements + inOffset);
        inout = Array.newInstance(base.arrayClass().getComponentType(), elements);
        for (int i = 0; i < elements; i++) {
            if (base == BaseType.CHAR) {
                Array.setChar(in, i, (char) (i % 3));
            } else {
                Array.setByte(in, i, (byte) (i % 3));
            }
        }
    }

    @Benchmark
    public void combine() {
        op.reduce(in, inOffset, inout, 0, elements, type);
    }

    @Benchmark
    public void copy() {
        System.arraycopy(in, inOffset, inout, 0, elements);
    }
}
