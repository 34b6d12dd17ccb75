package org.gridmpj.transport.log;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The memory of all message logs of a rank: bounded, what is beyond it is spilled, oldest first. It lies outside the heap,
 * where no collection copies it, and what a committed snapshot sets free is used again, the last first: it may still be in a
 * cache. Guarded by the progress lock.
 */
public final class LogMemory implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int ALIGNMENT_BYTES = 64;
    /** Payloads from this part of a chunk on are given to the transport before they are copied. */
    private static final int AHEAD_PART = 128;

    private final long budgetBytes;
    private final int chunkBytes;
    private final LogSpill spill;
    private final LogRules rules;
    private final LogPace pace;
    /** Chunks that are full, oldest first. */
    private final ArrayDeque<LogChunk> full = new ArrayDeque<>();

    /** Free memory by its length. */
    private final Map<Integer, ArrayDeque<MemorySegment>> pool = new HashMap<>();

    private long pooledBytes;
    private long memoryBytes;
    private long spilledBytes;

    /** @param budgetBytes about so much stays in memory */
    public LogMemory(long budgetBytes, LogSpill spill, LogPace pace) {
        this(budgetBytes, CHUNK_BYTES, spill, pace, LogRules.ALL);
    }

    /** As {@link #LogMemory(long, LogSpill, LogPace)}, in chunks of this length, under these rules. */
    public LogMemory(long budgetBytes, int chunkBytes, LogSpill spill, LogPace pace, LogRules rules) {
        this.budgetBytes = budgetBytes;
        this.chunkBytes = chunkBytes;
        this.spill = spill;
        this.pace = pace;
        this.rules = rules;
    }

    /** How fast it fills. */
    LogPace pace() {
        return pace;
    }

    /** A chunk for at least so many bytes. */
    LogChunk open(int atLeastBytes) throws IOException {
        // whole chunks, so that few lengths are in use
        int chunks = Math.ceilDiv(atLeastBytes, chunkBytes);
        int capacity = chunks <= Integer.MAX_VALUE / chunkBytes ? chunks * chunkBytes : atLeastBytes;
        makeRoom(capacity);
        memoryBytes += capacity;
        return new LogChunk(memory(capacity), capacity);
    }

    private MemorySegment memory(int capacityBytes) {
        ArrayDeque<MemorySegment> free = pool.get(capacityBytes);
        MemorySegment pooled = free == null ? null : free.pollLast();
        if (pooled != null) {
            pooledBytes -= capacityBytes;
            return pooled;
        }
        if (memoryBytes + pooledBytes > budgetBytes) {
            pool.clear();
            pooledBytes = 0;
        }
        return Arena.ofAuto().allocate(capacityBytes, ALIGNMENT_BYTES);
    }

    private void makeRoom(long bytes) throws IOException {
        Iterator<LogChunk> oldest = full.iterator();
        while (memoryBytes + bytes > budgetBytes && oldest.hasNext()) {
            LogChunk chunk = oldest.next();
            if (chunk.inTransit == 0) {
                if (chunk.spilledAt < 0) {
                    chunk.spilledCrc32c = LogChunk.crc32c(chunk.inMemory(), chunk.usedBytes);
                    chunk.spilledAt = spill.write(chunk.inMemory(), chunk.capacityBytes);
                    spilledBytes += chunk.capacityBytes;
                }
                oldest.remove();
                giveBack(chunk);
            }
        }
    }

    private void giveBack(LogChunk chunk) {
        MemorySegment memory = chunk.memory;
        chunk.memory = null;
        if (memory != null) {
            memoryBytes -= chunk.capacityBytes;
            if (chunk.inTransit == 0 && memoryBytes + pooledBytes + chunk.capacityBytes <= budgetBytes) {
                pool.computeIfAbsent(chunk.capacityBytes, bytes -> new ArrayDeque<>())
                        .addLast(memory);
                pooledBytes += chunk.capacityBytes;
            }
        }
    }

    /** Nothing more is appended to a chunk: it may be spilled. */
    void sealed(LogChunk chunk) {
        full.addLast(chunk);
    }

    /**
     * Brings a chunk back to memory if it is spilled.
     *
     * @param mayWait whether something will be set free without it: then it is brought back only if there is room
     * @return whether it is in memory
     * @throws IOException if it cannot be read, or is not what was spilled: a wrong message must not reach anybody
     */
    boolean load(LogChunk chunk, boolean mayWait) throws IOException {
        if (chunk.memory != null) {
            return true;
        }
        makeRoom(chunk.capacityBytes);
        if (mayWait && memoryBytes + chunk.capacityBytes > budgetBytes) {
            return false;
        }
        MemorySegment memory = memory(chunk.capacityBytes);
        spill.read(chunk.spilledAt, memory, chunk.capacityBytes);
        if (LogChunk.crc32c(memory, chunk.usedBytes) != chunk.spilledCrc32c
                && rules.hold(LogRule.CHECK_WHAT_COMES_BACK)) {
            throw new IOException(spill.name() + " is damaged: its checksum is wrong in the " + chunk.usedBytes
                    + " bytes from byte " + chunk.spilledAt + " on");
        }
        chunk.memory = memory;
        memoryBytes += chunk.capacityBytes;
        full.addLast(chunk);
        return true;
    }

    /** A chunk is needed no more. */
    void free(LogChunk chunk) {
        boolean _ = full.remove(chunk);
        MemorySegment memory = chunk.memory;
        giveBack(chunk);
        if (chunk.inTransit > 0) {
            // the transport reads to the end of what it has begun
            chunk.memory = memory;
        }
        if (chunk.spilledAt >= 0) {
            spill.free(chunk.spilledAt, chunk.capacityBytes);
            spilledBytes -= chunk.capacityBytes;
            chunk.spilledAt = -1;
        }
    }

    int aheadFromBytes() {
        return chunkBytes / AHEAD_PART;
    }

    long memoryBytes() {
        return memoryBytes;
    }

    long spilledBytes() {
        return spilledBytes;
    }

    @Override
    public void close() {
        spill.close();
    }
}
