package org.gridmpj.datatype;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Objects ↔ bytes: the data-less header stream, with the data of primitive arrays apart, gathered in a data vector
 * (mpiJava, the serialization study of 1999).
 *
 * <p>Shared references, cycles, jagged and null rows arrive as with java.io, and across all elements of one message.
 * Implementations: java.io and arrays of primitives here, Kryo in {@code codec-kryo}, found by ServiceLoader. Each is
 * thread-safe.
 */
public interface ObjectCodec {
    /** Short name, for messages and settings. */
    String name();

    /** The number on the wire, 1 … 255, never reused. */
    int id();

    /** Whether this codec may give the same result as java.io for elements[from …]; cheap, by their classes. */
    boolean handles(@Nullable Object[] elements, int from, int count);

    /**
     * Serializes elements[from …] behind what the header has; the data of primitive arrays goes into the data vector instead, in order.
     *
     * @return false if an object was met for which the result could differ from java.io's: what was written is thrown
     *     away and java.io takes over. So nothing of the program may run before that is known
     * @throws IOException a {@link java.io.NotSerializableException} names the class
     */
    boolean write(@Nullable Object[] elements, int from, int count, SerializationBuffer header, DataVector data)
            throws IOException;

    /**
     * Rebuilds elements[from …]; each array of the data vector is allocated and handed to {@link DataVector#add}, in the
     * order of writing. An element is stored when it is complete, unless it {@link #fillsLater}.
     */
    void read(
            byte[] header,
            int offset,
            int length,
            @Nullable Object[] elements,
            int from,
            int count,
            DataVector data,
            @Nullable ClassLoader loader)
            throws IOException, ClassNotFoundException;

    /**
     * Whether arrays may be filled after {@link #read} has returned, because nothing looks into them before and no code
     * of the program runs: then they are received in place.
     */
    default boolean fillsLater() {
        return false;
    }
}
