package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.io.Output;
import org.gridmpj.datatype.SerializationBuffer;

/**
 * The header of one graph that is being written, straight into its buffer, which grows; for {@link GraphInput}. New for each graph,
 * and with it what must not outlive that: see {@link WrittenObjects} for why.
 */
final class GraphOutput extends Output {
    private final SerializationBuffer header;
    private final WrittenObjects written;

    /** Begins behind what the header has. */
    GraphOutput(SerializationBuffer header, WrittenObjects written) {
        this.header = header;
        this.written = written;
        buffer = header.bytes();
        capacity = buffer.length;
        maxCapacity = Integer.MAX_VALUE;
        position = header.length();
    }

    /** What this output has written so far. */
    WrittenObjects written() {
        return written;
    }

    /** What was written is the header's. */
    void end() {
        header.setLength(position);
        written.clear();
    }

    @Override
    protected boolean require(int bytes) {
        if (capacity - position >= bytes) {
            return false;
        }
        header.reserve((long) position + bytes);
        buffer = header.bytes();
        capacity = buffer.length;
        return true;
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
