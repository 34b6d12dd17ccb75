package org.gridmpj.transport.log;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a message log: records one behind the other, in memory or spilled.
 *
 * <pre>
 *   record   header (64 bytes) · payload, padded to a multiple of 8
 * </pre>
 *
 * Guarded by the progress lock.
 */
final class LogChunk {
    /** Null while it is spilled. */
    @Nullable
    MemorySegment memory;

    final int capacityBytes;
    int usedBytes;
    /** Place in the spill, −1 for none. */
    long spilledAt = -1;
    /** Checksum of what was spilled. It stays in memory: beside the bytes it could be wrong together with them. */
    int spilledCrc32c;
    /** Payloads that a transport still reads where they lie. */
    int inTransit;

    LogChunk(MemorySegment memory, int capacityBytes) {
        this.memory = memory;
        this.capacityBytes = capacityBytes;
    }

    MemorySegment inMemory() {
        MemorySegment there = memory;
        if (there == null) {
            throw new IllegalStateException("a part of the message log is read while it is spilled");
        }
        return there;
    }

    /** CRC32C of the records. */
    static int crc32c(MemorySegment bytes, int usedBytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.asSlice(0, usedBytes).asByteBuffer());
        return (int) checksum.getValue();
    }
}
