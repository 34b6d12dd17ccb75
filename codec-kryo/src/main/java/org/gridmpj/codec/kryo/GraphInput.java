package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The bytes of one header. No room is made for more than there are. Numbers are read at once, not byte by byte as Kryo does. */
final class GraphInput extends Input {
    /** How numbers stand in a header. */
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /**
     * How many elements follow.
     *
     * @param least bytes that each of them takes at least
     * @param type of what they are in
     * @throws KryoException if there are not so many bytes
     */
    int readCount(int least, Class<?> type) {
        int count = readVarInt(true);
        if (count < 0 || count > (limit - position) / least) {
            throw new KryoException("a " + type.getTypeName() + " of " + count);
        }
        return count;
    }

    @Override
    public byte[] readBytes(int length) {
        if (length < 0 || length > limit - position) {
            throw new KryoException("an array of " + length);
        }
        return super.readBytes(length);
    }

    @Override
    public int readInt() {
        require(Integer.BYTES);
        int value = (int) INT.get(buffer, position);
        position += Integer.BYTES;
        return value;
    }

    @Override
    public long readLong() {
        require(Long.BYTES);
        long value = (long) LONG.get(buffer, position);
        position += Long.BYTES;
        return value;
    }

    @Override
    public float readFloat() {
        return Float.intBitsToFloat(readInt());
    }

    @Override
    public double readDouble() {
        return Double.longBitsToDouble(readLong());
    }
}
