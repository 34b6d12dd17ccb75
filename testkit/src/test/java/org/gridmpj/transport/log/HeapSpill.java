package org.gridmpj.transport.log;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A spill that does not touch a disk. */
public final class HeapSpill implements LogSpill {
    private final Map<Long, byte[]> kept = new HashMap<>();
    private long next;

    @Override
    public long write(MemorySegment bytes, long lengthBytes) {
        byte[] copy = new byte[(int) lengthBytes];
        MemorySegment.copy(bytes, 0, MemorySegment.ofArray(copy), 0, lengthBytes);
        kept.put(next, copy);
        return next++;
    }

    @Override
    public void read(long position, MemorySegment target, long lengthBytes) {
        byte @Nullable [] bytes = kept.get(position);
        if (bytes == null) {
            throw new IllegalStateException("nothing is kept at " + position);
        }
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, target, 0, lengthBytes);
    }

    @Override
    public void free(long position, long lengthBytes) {
        kept.remove(position);
    }

    int kept() {
        return kept.size();
    }

    @Override
    public void close() {
        kept.clear();
    }
}
