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
 * received in place instead, unless the message is short: once their header is complete their bytes go straight into them, and
 * each is allocated just before.
 */
final class ObjectDecoder {
    /** A shorter message is copied at once: to look into it first takes longer. */
    private static final int SHORT_BYTES = 512;

    private final ObjectRecord prefix = new ObjectRecord();
    private final DataVector data;
    private @Nullable Object[] elements = new Object[1];
    /** A small one stays here between messages. */
    private @Nullable SerializationBuffer staging;

    private boolean inUse;
    /** Of the last message; its stores into an object as old as this one are spared: see {@link MessageBuffer}. */
    private @Nullable ClassLoader loader;

    private @Nullable IOException streamFailure;
    private long messageBytes;
    private int capacity;
    /** Staged bytes without a gap from the start. */
    private long contiguousBytes;

    /** Whether all bytes are staged, whatever they are. */
    private boolean stagesAll;

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
        begin(capacityElements, contextLoader);
        messageBytes = bytes;
        stagesAll = bytes <= SHORT_BYTES;
        if (staging == null) {
            staging = SerializationBuffers.take();
        }
    }

    /**
     * The arrays of primitives that lie in a program's array are filled, where they fit, instead of new ones. Called after
     * {@link #expect}.
     */
    void fillInPlace(@Nullable Object[] there, int offset) {
        stagesAll = false;
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
                if (!stagesAll) {
                    tryStreaming(buffer);
                }
            }
        }
        int skip = (int) Math.max(0, Math.min(left, streamOffset - at));
        if (skip < left && streamFailure == null) {
            fill(at + skip - streamOffset, source, from + skip, left - skip);
        }
    }

    /** Up to where bytes are staged before the next decision. */
    private long stagedLimit() {
        if (!prefixSeen && !stagesAll) {
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
                makeRoom(prefix.elements);
                readElements(buffer.bytes(), 0, elements, 0);
                data.limitReached();
            }
        } catch (IOException | ClassNotFoundException e) {
            streaming = true;
            streamFailure = e instanceof IOException io ? io : new IOException(e);
        }
    }

    /**
     * Rebuilds the objects and stores them.
     *
     * @return how many
     * @throws MpiFailure TRUNCATE if there are more than asked for; TYPE or OTHER if they cannot be rebuilt or stored
     */
    int finish(@Nullable Object[] target, int offset, TypeMap type) {
        int count;
        try {
            if (streaming) {
                if (streamFailure != null) {
                    throw streamFailure;
                }
                count = prefix.elements;
            } else {
                byte[] bytes = staging().bytes();
                prefix.read(bytes, 0, messageBytes);
                // most messages: nothing is stored if it fails
                if (prefix.elements == 1
                        && capacity >= 1
                        && prefix.lengthBytes == messageBytes
                        && target.getClass() == Object[].class
                        && !ObjectCodecs.withId(prefix.codecId).fillsLater()) {
                    readRecord(
                            bytes,
                            0,
                            target,
                            type.isContiguous() ? offset : ObjectEncoder.elementIndex(offset, type, 0));
                    return 1;
                }
                count = decodeAll(bytes, 0, messageBytes);
            }
        } catch (IOException | ClassNotFoundException | RuntimeException | StackOverflowError e) {
            throw ObjectCodecs.readFailure(e);
        }
        store(count, target, offset, type);
        return count;
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
        makeRoom(before + prefix.elements);
        readRecord(bytes, offset, elements, before);
        return prefix.elements;
    }

    private void makeRoom(int count) {
        if (elements.length < count) {
            elements = Arrays.copyOf(elements, Math.max(count, elements.length * 2));
        }
        used = count;
    }

    /** Rebuilds the record whose prefix was read; it begins at an offset. */
    private void readRecord(byte[] bytes, int offset, @Nullable Object[] target, int from)
            throws IOException, ClassNotFoundException {
        data.fillFrom(bytes, offset + prefix.dataOffset(), prefix.lengthBytes - prefix.dataOffset());
        readElements(bytes, offset, target, from);
    }

    /** Begins decoding from bytes that are all there. */
    @SuppressWarnings("ReferenceEquality") // the same loader or not
    void begin(int capacityElements, @Nullable ClassLoader contextLoader) {
        clear();
        inUse = true;
        capacity = capacityElements;
        if (loader != contextLoader) {
            loader = contextLoader;
        }
    }

    long recordBytes() {
        return prefix.lengthBytes;
    }

    private void readElements(byte[] bytes, int offset, @Nullable Object[] target, int from)
            throws IOException, ClassNotFoundException {
        ObjectCodecs.withId(prefix.codecId)
                .read(
                        bytes,
                        offset + ObjectRecord.PREFIX_BYTES,
                        prefix.headerBytes,
                        target,
                        from,
                        prefix.elements,
                        data,
                        loader);
        long expected = prefix.lengthBytes - prefix.dataOffset();
        if (data.lengthBytes() != expected) {
            throw new StreamCorruptedException("an object message has " + expected
                    + " bytes of array data, its header names " + data.lengthBytes());
        }
    }

    /**
     * Stores the elements that were rebuilt.
     *
     * @throws MpiFailure TYPE if one does not fit into the array
     */
    void store(int count, @Nullable Object[] target, int offset, TypeMap type) {
        if (type.isContiguous() && copyTo(target, offset, count)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            try {
                target[ObjectEncoder.elementIndex(offset, type, i)] = elements[i];
            } catch (ArrayStoreException e) {
                throw new MpiFailure(
                        ErrorClass.TYPE,
                        "received a " + e.getMessage() + " as element " + i + ", but the buffer is a "
                                + target.getClass().getTypeName() + ": use an array of a common supertype",
                        e);
            }
        }
    }

    /** False if one does not fit into the array. */
    private boolean copyTo(@Nullable Object[] target, int offset, int count) {
        try {
            if (count == 1) {
                target[offset] = elements[0];
            } else {
                System.arraycopy(elements, 0, target, offset, count);
            }
            return true;
        } catch (ArrayStoreException e) {
            return false;
        }
    }

    /** Lets go of objects and buffer. */
    void clear() {
        if (!inUse) {
            return;
        }
        inUse = false;
        data.clear();
        if (used > 0) {
            Arrays.fill(elements, 0, used, null);
            used = 0;
        }
        if (streamFailure != null) {
            streamFailure = null;
        }
        streaming = false;
        prefixSeen = false;
        streamOffset = 0;
        contiguousBytes = 0;
        if (staging != null && !SerializationBuffers.keepOrGiveBack(staging)) {
            staging = null;
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
