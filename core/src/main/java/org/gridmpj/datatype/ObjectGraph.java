package org.gridmpj.datatype;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Some objects with all that they refer to, taken apart for a snapshot: the graph without the data of its primitive
 * arrays, written at once, and these data, copied when the caller has memory for them. What is shared among the roots
 * stays shared. The data stand one array after the other, each padded to 8 bytes, in native byte order.
 *
 * <p>Between {@link #of} and {@link #copyData} the arrays must not change. Confined to one thread.
 */
public final class ObjectGraph {
    /** Bytes that are moved by one call of the data vector: a multiple of its alignment. */
    private static final int PIECE_BYTES = 1 << 30;
    /** Of a header that grows. */
    private static final int FIRST_BYTES = 1 << 12;

    private final int codecId;
    private final byte[] header;
    private final DataVector data;

    private ObjectGraph(int codecId, byte[] header, DataVector data) {
        this.codecId = codecId;
        this.header = header;
        this.data = data;
    }

    /**
     * Serializes everything but array data, with the fastest codec that gives the same result as java.io.
     *
     * @throws IOException if something cannot be serialized; a {@link java.io.NotSerializableException} names the class
     */
    public static ObjectGraph of(@Nullable Object[] roots) throws IOException {
        SerializationBuffer header = new SerializationBuffer(FIRST_BYTES);
        DataVector data = new DataVector();
        ObjectCodec codec;
        try {
            codec = ObjectCodecs.write(roots, 0, roots.length, header, data);
        } catch (StackOverflowError e) {
            throw new IOException(
                    "the graph is too deep for the stack of thread "
                            + Thread.currentThread().getName() + ": a long linked list, or a larger -Xss is needed",
                    e);
        }
        return new ObjectGraph(codec.id(), header.toByteArray(), data);
    }

    /** Number of the codec that wrote the header. */
    public int codecId() {
        return codecId;
    }

    /** The graph without array data; not to be changed. */
    public byte[] header() {
        return header;
    }

    /** Length of all array data. */
    public long dataBytes() {
        return data.lengthBytes();
    }

    /** Copies the array data to the start of a segment, and lets go of the arrays. */
    public void copyData(MemorySegment target) {
        long length = data.lengthBytes();
        for (long position = 0; position < length; position += PIECE_BYTES) {
            data.read(position, target, position, (int) Math.min(PIECE_BYTES, length - position));
        }
        data.clear();
    }

    /**
     * Builds the roots anew.
     *
     * @param count number of roots
     * @param data as {@link #copyData} left them
     * @param loader where the classes are looked up
     * @throws IOException if the codec is not there or the bytes are not what it wrote
     */
    public static @Nullable Object[] rebuild(
            int codecId, byte[] header, int count, MemorySegment data, @Nullable ClassLoader loader)
            throws IOException, ClassNotFoundException {
        @Nullable Object[] roots = new Object[count];
        DataVector vector = new DataVector();
        vector.fillFrom(data, data.byteSize());
        ObjectCodecs.withId(codecId).read(header, 0, header.length, roots, 0, count, vector, loader);
        return roots;
    }
}
