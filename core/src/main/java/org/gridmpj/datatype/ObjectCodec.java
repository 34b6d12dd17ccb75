package org.gridmpj.datatype;

import java.util.List;

/**
 * Objects ↔ bytes: the data-less header stream, with the data of primitive arrays apart, gathered in a data vector
 * (mpiJava, the serialization study of 1999).
 *
 * Shared references, cycles, jagged and null rows arrive as with java.io. Implementations: java.io here, Kryo in
 * {@code codec-kryo}, found by ServiceLoader.
 */
public interface ObjectCodec {
    /** Short name, for messages and settings. */
    String name();

    /** Whether this codec gives the same result as java.io for this graph; cheap, by class. */
    boolean handles(Object root);

    /** Serializes a graph to header bytes; primitive arrays met are appended to dataVector instead, in order. */
    byte[] write(Object root, List<Object> dataVector);

    /** Rebuilds a graph; primitive arrays are allocated, referenced from the graph and appended to dataVector, to be filled by the caller. */
    Object read(byte[] header, int offset, int length, List<Object> dataVector, ClassLoader loader);
}
