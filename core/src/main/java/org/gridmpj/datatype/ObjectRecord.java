package org.gridmpj.datatype;

import java.io.StreamCorruptedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The unit in which objects travel: a prefix, the header stream of a codec, the data of its arrays.
 *
 * <pre>
 *    0      1        2      3   4               8                              16             20            24
 *    ┌──────┬────────┬──────┬───┬───────────────┬──────────────────────────────┬──────────────┬─────────────┐
 *    │ 0xA7 │ version│ codec│ 0 │ elements      │ bytes of the whole record    │ header bytes │ 0           │
 *    └──────┴────────┴──────┴───┴───────────────┴──────────────────────────────┴──────────────┴─────────────┘
 *   24
 *    ┌─────────────────────┬─────────┬───────────────┬─────────┬───────────────┬─────────┐
 *    │ header stream       │ pad to 8│ array data    │ pad to 8│ array data    │ pad to 8│ …
 *    └─────────────────────┴─────────┴───────────────┴─────────┴───────────────┴─────────┘
 * </pre>
 *
 * A message of OBJECT is one record of all its elements, which share references; packed objects are one record each.
 * Native byte order, as in frame headers.
 */
final class ObjectRecord {
    static final int MAGIC = 0xA7;
    static final int VERSION = 1;
    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 1;
    static final int CODEC_OFFSET = 2;
    static final int ELEMENTS_OFFSET = 4;
    static final int LENGTH_OFFSET = 8;
    static final int HEADER_LENGTH_OFFSET = 16;
    /** Length of the prefix. */
    static final int PREFIX_BYTES = 24;
    /** Prefix and header of a matrix. */
    static final int SHORT_HEAD_BYTES = 64;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    int codecId;
    int elements;
    long lengthBytes;
    int headerBytes;

    /** Where the array data begins, counted from the start of the record. */
    int dataOffset() {
        return (int) DataVector.paddedBytes(PREFIX_BYTES + (long) headerBytes);
    }

    void write(byte[] target, int offset) {
        INT.set(target, offset, 0);
        target[offset + MAGIC_OFFSET] = (byte) MAGIC;
        target[offset + VERSION_OFFSET] = VERSION;
        target[offset + CODEC_OFFSET] = (byte) codecId;
        INT.set(target, offset + ELEMENTS_OFFSET, elements);
        LONG.set(target, offset + LENGTH_OFFSET, lengthBytes);
        INT.set(target, offset + HEADER_LENGTH_OFFSET, headerBytes);
        INT.set(target, offset + HEADER_LENGTH_OFFSET + 4, 0);
    }

    /** Reads the prefix of a record of at most availableBytes. */
    void read(byte[] source, int offset, long availableBytes) throws StreamCorruptedException {
        if (availableBytes < PREFIX_BYTES
                || (source[offset + MAGIC_OFFSET] & 0xFF) != MAGIC
                || source[offset + VERSION_OFFSET] != VERSION) {
            throw new StreamCorruptedException("no serialized object begins here (" + availableBytes
                    + " bytes left): the message was sent or packed with another datatype than OBJECT");
        }
        codecId = source[offset + CODEC_OFFSET] & 0xFF;
        elements = (int) INT.get(source, offset + ELEMENTS_OFFSET);
        lengthBytes = (long) LONG.get(source, offset + LENGTH_OFFSET);
        headerBytes = (int) INT.get(source, offset + HEADER_LENGTH_OFFSET);
        if (elements < 0
                || headerBytes < 0
                || lengthBytes > availableBytes
                || PREFIX_BYTES + (long) headerBytes > lengthBytes) {
            throw new StreamCorruptedException("a serialized object has " + elements + " elements, " + headerBytes
                    + " header bytes and " + lengthBytes + " bytes in all, of " + availableBytes + " that are there");
        }
    }
}
