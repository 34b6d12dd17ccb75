package org.gridmpj.datatype;

import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A growing byte array, kept from message to message (the permanent serialization buffer of the 2005 report). Confined
 * to its owner.
 */
public final class SerializationBuffer extends OutputStream {
    private static final int MAXIMUM_BYTES = Integer.MAX_VALUE - 16;

    /** A buffer of which so many messages in a row used less than a part of it is too large. */
    private static final int PATIENCE = 256;

    private static final int LAVISH = 4;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private byte[] bytes;
    private int length;
    /** Messages since one used a good part of it. */
    private int lavish;

    /** An empty one with room for so many bytes before it grows. */
    public SerializationBuffer(int capacityBytes) {
        bytes = new byte[capacityBytes];
    }

    /** What was written, at index 0 … length; replaced when it grows. */
    public byte[] bytes() {
        return bytes;
    }

    /** How much was written. */
    public int length() {
        return length;
    }

    /** A copy of what was written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    int capacityBytes() {
        return bytes.length;
    }

    void clear() {
        lavish = (long) length * LAVISH < bytes.length ? lavish + 1 : 0;
        length = 0;
    }

    /** Whether it has long been larger than the messages need. */
    boolean isTooLarge() {
        return lavish >= PATIENCE;
    }

    /** Moves the end; what lies between is whatever was there. */
    public void setLength(int newLength) {
        require(newLength);
        length = newLength;
    }

    /** Fills with zeros up to a multiple of 8. */
    void pad() {
        int padded = (int) DataVector.paddedBytes(length);
        // a whole long, of which some lies behind the end
        require((long) length + Long.BYTES);
        LONG.set(bytes, length, 0L);
        length = padded;
    }

    @Override
    public void write(int b) {
        require((long) length + 1);
        bytes[length++] = (byte) b;
    }

    @Override
    public void write(byte[] source, int offset, int count) {
        require((long) length + count);
        System.arraycopy(source, offset, bytes, length, count);
        length += count;
    }

    /** Grows at once to what will be needed. What was put into {@link #bytes} stays, also behind the end. */
    public void reserve(long capacityBytes) {
        require(capacityBytes);
    }

    private void require(long needed) {
        if (needed <= bytes.length) {
            return;
        }
        if (needed > MAXIMUM_BYTES) {
            throw new OutOfMemoryError("an object message needs a buffer of " + needed + " bytes: send it in parts");
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(MAXIMUM_BYTES, Math.max(needed, bytes.length * 2L)));
    }
}
