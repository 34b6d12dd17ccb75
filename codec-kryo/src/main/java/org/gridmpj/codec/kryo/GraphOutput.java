package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.io.Output;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A header that is being written; for {@link GraphInput}. */
final class GraphOutput extends Output {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    GraphOutput(int bufferBytes) {
        super(bufferBytes);
    }

    @Override
    public void writeInt(int value) {
        require(Integer.BYTES);
        INT.set(buffer, position, value);
        position += Integer.BYTES;
    }

    @Override
    public void writeLong(long value) {
        require(Long.BYTES);
        LONG.set(buffer, position, value);
        position += Long.BYTES;
    }

    @Override
    public void writeFloat(float value) {
        writeInt(Float.floatToIntBits(value));
    }

    @Override
    public void writeDouble(double value) {
        writeLong(Double.doubleToLongBits(value));
    }
}
