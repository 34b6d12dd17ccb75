package org.gridmpj.datatype;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * One {@link ObjectRecord} to be sent: prefix and header in a permanent buffer, array data still in the arrays.
 * Reused; confined to its owner.
 */
final class ObjectEncoder {
    private final ObjectRecord prefix = new ObjectRecord();
    private final DataVector data = new DataVector();
    /** A small one stays here between messages. */
    private @Nullable SerializationBuffer head;

    private boolean encoded;

    /**
     * Serializes the elements first … first + length of a message of items.
     *
     * @return bytes of the record
     * @throws MpiFailure if an object cannot be serialized
     */
    long encode(@Nullable Object[] array, int offset, TypeMap type, int first, int length) {
        if (type.isContiguous()) {
            return encode(array, offset + first, length);
        }
        @Nullable Object[] elements = new Object[length];
        for (int i = 0; i < length; i++) {
            elements[i] = array[elementIndex(offset, type, first + i)];
        }
        return encode(elements, 0, length);
    }

    private long encode(@Nullable Object[] elements, int from, int length) {
        clear();
        SerializationBuffer buffer = head;
        if (buffer == null) {
            buffer = SerializationBuffers.take();
            head = buffer;
        }
        encoded = true;
        try {
            buffer.setLength(ObjectRecord.PREFIX_BYTES);
            prefix.codecId =
                    ObjectCodecs.write(elements, from, length, buffer, data).id();
            prefix.elements = length;
            prefix.headerBytes = buffer.length() - ObjectRecord.PREFIX_BYTES;
            buffer.pad();
            prefix.lengthBytes = buffer.length() + data.lengthBytes();
            prefix.write(buffer.bytes(), 0);
            return prefix.lengthBytes;
        } catch (IOException | RuntimeException | StackOverflowError e) {
            clear();
            throw ObjectCodecs.writeFailure(e);
        }
    }

    /** Copies bytes of the record out. */
    void read(long position, MemorySegment target, long targetOffset, int length) {
        SerializationBuffer buffer = head;
        if (buffer == null || !encoded) {
            throw new IllegalStateException("nothing is encoded");
        }
        int fromHead = (int) Math.max(0, Math.min(length, buffer.length() - position));
        if (fromHead > 0) {
            MemorySegment.copy(buffer.bytes(), (int) position, target, ValueLayout.JAVA_BYTE, targetOffset, fromHead);
        }
        if (fromHead < length) {
            data.read(position + fromHead - buffer.length(), target, targetOffset + fromHead, length - fromHead);
        }
    }

    /** Lets go of arrays and buffer. */
    void clear() {
        if (!encoded) {
            return;
        }
        encoded = false;
        data.clear();
        if (head != null && !SerializationBuffers.keepOrGiveBack(head)) {
            head = null;
        }
    }

    static int elementIndex(int offset, TypeMap type, int element) {
        int size = type.size();
        int within = element % size;
        int run = type.runOf(within);
        return offset + element / size * type.extent() + type.runStart(run) + within - type.elementsBefore(run);
    }
}
