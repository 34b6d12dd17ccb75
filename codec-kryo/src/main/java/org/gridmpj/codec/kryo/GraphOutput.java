package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.io.Output;

/** A header that is being written; for {@link GraphInput}. */
final class GraphOutput extends Output {
    GraphOutput(int bufferBytes) {
        super(bufferBytes);
    }

    @Override
    public void writeInt(int value) {
        require(Integer.BYTES);
        GraphInput.INT.set(buffer, position, value);
        position += Integer.BYTES;
    }

    @Override
    public void writeLong(long value) {
        require(Long.BYTES);
        GraphInput.LONG.set(buffer, position, value);
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
