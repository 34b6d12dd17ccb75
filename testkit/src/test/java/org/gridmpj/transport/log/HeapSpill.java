package org.gridmpj.transport.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.gridmpj.memory.Bytes;
import org.jspecify.annotations.Nullable;

/** A spill that does not touch a disk, but may be as bad as one: some of what it gives back has a flipped bit. */
public final class HeapSpill implements LogSpill {
    /** Of so many reads one is bad. */
    private static final int BAD_READ = 8;

    private final @Nullable Random damage;
    private final Map<Long, byte[]> kept = new HashMap<>();
    private long next;

    /** @param damage null: all that it gives back is what it was given */
    public HeapSpill(@Nullable Random damage) {
        this.damage = damage;
    }

    @Override
    public long write(MemorySegment bytes, long lengthBytes) {
        byte[] copy = new byte[(int) lengthBytes];
        Bytes.copy(bytes, 0, MemorySegment.ofArray(copy), 0, lengthBytes);
        kept.put(next, copy);
        return next++;
    }

    @Override
    public void read(long position, MemorySegment target, long lengthBytes) {
        byte @Nullable [] bytes = kept.get(position);
        if (bytes == null) {
            throw new IllegalStateException("nothing is kept at " + position);
        }
        Bytes.copy(MemorySegment.ofArray(bytes), 0, target, 0, lengthBytes);
        if (damage != null && damage.nextInt(BAD_READ) == 0) {
            long at = damage.nextInt((int) lengthBytes);
            int bit = 1 << damage.nextInt(Byte.SIZE);
            target.set(ValueLayout.JAVA_BYTE, at, (byte) (target.get(ValueLayout.JAVA_BYTE, at) ^ bit));
        }
    }

    @Override
    public String name() {
        return "the log of messages";
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
