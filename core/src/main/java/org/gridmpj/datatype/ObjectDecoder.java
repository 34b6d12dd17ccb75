package org.gridmpj.datatype;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * Objects on their way in: one {@link ObjectRecord}, or several one after the other if they were packed. Reused;
 * confined to its owner.
 *
 * <p>Bytes are staged in a permanent buffer and the objects are rebuilt by {@link #finish}. Arrays of primitives are
 * received in place instead: once their header is complete their bytes go straight into them, and each is allocated just before.
 */
final class ObjectDecoder {
    private final ObjectRecord prefix = new ObjectRecord();
    private final DataVector data;
    private @Nullable Object[] elements = new Object[1];
    private @Nullable SerializationBuffer staging;
    /** A small buffer that stays here between messages. */
    private @Nullable SerializationBuffer kept;

    private @Nullable ClassLoader loader;
    private @Nullable IOException streamFailure;
    private long messageBytes;
    private int capacity;
    /** Staged bytes without a gap from the start. */
    private long contiguousBytes;

    private boolean prefixSeen;
    /** Where array data begin that are received in place; 0 if all is staged. */
    private int streamOffset;

    private boolean streaming;
    /** Elements that may be there. */
    private int used;

    /** For objects of which all bytes are there. */
    ObjectDecoder() {
        data = new DataVector();
    }

    /** For objects from the wire, whose arrays may have been made ahead. */
    ObjectDecoder(@Nullable RowsAhead ahead) {
        data = new DataVector(ahead);
    }

    /** Begins a message. */
    void expect(long bytes, int capacityElements, @Nullable ClassLoader contextLoader) {
        clear();
        messageBytes = bytes;
        capacity = capacityElements;
        loader = contextLoader;
        staging = kept != null ? kept : SerializationBuffers.take();
    }

    /**
     * The arrays of primitives that lie in a program's array are filled, where they fit, instead of new ones. Called after
     * {@link #expect}.
     */
    void fillInPlace(@Nullable Object[] there, int offset) {
        data.fillInPlace(there, offset);
    }

    /** Takes bytes from the wire; again from 0 after a reconnect. */
    void write(long position, MemorySegment source, long sourceOffset, int length) {
        long at = position;
        long from = sourceOffset;
        int left = length;
        while (left > 0 && !streaming) {
            SerializationBuffer buffer = staging();
            int piece = (int) Math.min(left, stagedLimit() - at);
            if (piece <= 0) {
                throw new IllegalStateException("bytes at " + at + ", but " + contiguousBytes + " are there");
            }
            long end = at + piece;
            if (end > buffer.length()) {
                buffer.setLength(checkedLength(end));
            }
            MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, buffer.bytes(), (int) at, piece);
            at = end;
            from += piece;
            left -= piece;
            if (at > contiguousBytes) {
                contiguousBytes = at;
                tryStreaming(buffer);
            }
        }
        int skip = (int) Math.max(0, Math.min(left, streamOffset - at));
        if (skip < left && streamFailure == null) {
            fill(at + skip - streamOffset, source, from + skip, left - skip);
        }
    }

    /** Up to where bytes are staged before the next decision. */
    private long stagedLimit() {
        if (!prefixSeen) {
            return Math.min(messageBytes, ObjectRecord.PREFIX_BYTES);
        }
        return streamOffset == 0 ? messageBytes : streamOffset;
    }

    private void fill(long position, MemorySegment source, long sourceOffset, int length) {
        try {
            data.write(position, source, sourceOffset, length);
        } catch (OutOfMemoryError e) {
            // the receive fails, not the thread that happens to make progress
            streamFailure = new IOException("the memory of this JVM is exhausted (a larger -Xmx helps)", e);
        }
    }

    private void tryStreaming(SerializationBuffer buffer) {
        if ((prefixSeen && streamOffset == 0) || contiguousBytes < ObjectRecord.PREFIX_BYTES) {
            return;
        }
        try {
            if (!prefixSeen) {
                prefixSeen = true;
                prefix.read(buffer.bytes(), 0, messageBytes);
                boolean inPlace = prefix.lengthBytes == messageBytes
                        && prefix.elements <= capacity
                        && ObjectCodecs.withId(prefix.codecId).fillsLater();
                streamOffset = inPlace ? prefix.dataOffset() : 0;
                if (!inPlace) {
                    buffer.reserve(checkedLength(messageBytes));
                }
            }
            if (streamOffset > 0 && contiguousBytes == streamOffset) {
                streaming = true;
                data.limit(messageBytes - streamOffset);
                readElements(buffer.bytes(), 0);
                data.limitReached();
            }
        } catch (IOException | ClassNotFoundException e) {
            streaming = true;
            streamFailure = e instanceof IOException io ? io : new IOException(e);
        }
    }

    /**
     * Rebuilds the objects.
     *
     * @return how many, now in {@link #element}
     * @throws MpiFailure TRUNCATE if there are more than asked for; TYPE or OTHER if they cannot be rebuilt
     */
    int finish() {
        try {
            if (streaming) {
                if (streamFailure != null) {
                    throw streamFailure;
                }
                return prefix.elements;
            }
            return decodeAll(staging().bytes(), 0, messageBytes);
        } catch (IOException | ClassNotFoundException | RuntimeException | StackOverflowError e) {
            throw ObjectCodecs.readFailure(e);
        }
    }

    private int decodeAll(byte[] bytes, int offset, long length) throws IOException, ClassNotFoundException {
        int total = 0;
        long at = 0;
        while (at < length) {
            total += decodeOne(bytes, (int) (offset + at), length - at, total);
            at += prefix.lengthBytes;
        }
        return total;
    }

    /** Rebuilds one record after the elements that are there already; its length is in {@link #recordBytes}. */
    int decodeOne(byte[] bytes, int offset, long available, int before) throws IOException, ClassNotFoundException {
        prefix.read(bytes, offset, available);
        if (prefix.elements > capacity - before) {
            throw new MpiFailure(
                    ErrorClass.TRUNCATE,
                    "message truncated: it has " + (before + prefix.elements)
                            + " objects or more, the receive buffer has room for " + capacity);
        }
        data.fillFrom(
                MemorySegment.ofArray(bytes),
                offset + (long) prefix.dataOffset(),
                prefix.lengthBytes - prefix.dataOffset());
        readElements(bytes, offset, before);
        return prefix.elements;
    }

    /** Begins decoding from bytes that are all there. */
    void begin(int capacityElements, @Nullable ClassLoader contextLoader) {
        clear();
        capacity = capacityElements;
        loader = contextLoader;
    }

    long recordBytes() {
        return prefix.lengthBytes;
    }

    private void readElements(byte[] bytes, int offset) throws IOException, ClassNotFoundException {
        readElements(bytes, offset, 0);
    }

    private void readElements(byte[] bytes, int offset, int before) throws IOException, ClassNotFoundException {
        int count = prefix.elements;
        if (elements.length < before + count) {
            elements = Arrays.copyOf(elements, Math.max(before + count, elements.length * 2));
        }
        // arrays that are filled later are put where they are read to
        @Nullable Object[] read = before == 0 ? elements : new Object[count];
        used = before + count;
        ObjectCodecs.withId(prefix.codecId)
                .read(bytes, offset + ObjectRecord.PREFIX_BYTES, prefix.headerBytes, read, count, data, loader);
        long expected = prefix.lengthBytes - prefix.dataOffset();
        if (data.lengthBytes() != expected) {
            throw new StreamCorruptedException("an object message has " + expected
                    + " bytes of array data, its header names " + data.lengthBytes());
        }
        if (before > 0) {
            System.arraycopy(read, 0, elements, before, count);
        }
    }

    /** An element rebuilt by {@link #finish}. */
    @Nullable
    Object element(int index) {
        return elements[index];
    }

    /** Stores elements one after the other; false if one does not fit into the array. */
    boolean copyTo(@Nullable Object[] target, int offset, int count) {
        try {
            System.arraycopy(elements, 0, target, offset, count);
            return true;
        } catch (ArrayStoreException e) {
            return false;
        }
    }

    /** Lets go of objects and buffer. */
    void clear() {
        data.clear();
        Arrays.fill(elements, 0, used, null);
        used = 0;
        loader = null;
        streamFailure = null;
        streaming = false;
        prefixSeen = false;
        streamOffset = 0;
        contiguousBytes = 0;
        SerializationBuffer buffer = staging;
        if (buffer != null) {
            staging = null;
            kept = SerializationBuffers.keepOrGiveBack(buffer);
        }
    }

    private SerializationBuffer staging() {
        SerializationBuffer buffer = staging;
        if (buffer == null) {
            throw new IllegalStateException("no message is expected");
        }
        return buffer;
    }

    private static int checkedLength(long bytes) {
        if (bytes > Integer.MAX_VALUE - 16) {
            throw new MpiFailure(
                    ErrorClass.COUNT,
                    "an object message of more than " + bytes
                            + " bytes does not fit into a Java array: send it in parts");
        }
        return (int) bytes;
    }
}
