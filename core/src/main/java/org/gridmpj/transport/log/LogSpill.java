package org.gridmpj.transport.log;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Where parts of a message log go that memory has no room for. Confined to the holder of the progress lock. */
public interface LogSpill extends AutoCloseable {
    /**
     * Keeps bytes.
     *
     * @return where they are, for {@link #read} and {@link #free}
     * @throws IOException if there is no room for them either
     */
    long write(MemorySegment bytes, long lengthBytes) throws IOException;

    /** Brings bytes back; they stay kept. Whether they are those that were written is for the caller to find out. */
    void read(long position, MemorySegment target, long lengthBytes) throws IOException;

    /** What this is, for messages. */
    String name();

    /** The bytes are needed no more. */
    void free(long position, long lengthBytes);

    @Override
    void close();
}
