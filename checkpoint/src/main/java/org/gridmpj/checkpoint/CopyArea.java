package org.gridmpj.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.gridmpj.memory.FreshMemory;

/**
 * Native memory into which the arrays of a program are copied while it stands still; kept from one snapshot to the next,
 * as memory that nobody has written to yet costs page faults. Owned by one snapshot at a time: the program's thread fills it,
 * hands it to the writer, and touches it again only when that one is done.
 */
final class CopyArea implements AutoCloseable {
    private Arena arena = Arena.ofShared();
    private MemorySegment segment = MemorySegment.NULL;

    /** Memory of that many bytes, its content undefined; what was given before is void. */
    MemorySegment of(long bytes) {
        if (segment.byteSize() < bytes) {
            arena.close();
            segment = MemorySegment.NULL;
            arena = Arena.ofShared();
            segment = FreshMemory.of(bytes, arena);
        }
        return segment.asSlice(0, bytes);
    }

    @Override
    public void close() {
        arena.close();
    }
}
