package org.gridmpj.transport.log;

import java.lang.foreign.MemorySegment;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/**
 * A payload that the transport reads in the log; one that was given to it ahead, in the program's buffer until the log has a
 * copy. Guarded by the progress lock.
 */
final class LoggedPayload implements PayloadSource {
    private @Nullable PayloadSource buffer;
    private @Nullable LogChunk chunk;
    private @Nullable Reader reader;
    private long start;
    private boolean released;
    /** The log has no copy: who has the buffer back when the transport needs it no more. */
    private boolean releasesBuffer;

    /** In a buffer of which there is no copy yet. */
    LoggedPayload(PayloadSource buffer) {
        this.buffer = buffer;
    }

    /** In the log. */
    LoggedPayload(LogChunk chunk, long start, Reader reader) {
        isAt(chunk, start, reader);
    }

    /** The way to one life of a peer; what it was given and has not released when that life ends, it may never release. */
    static final class Reader {
        /** Payloads that it reads in the log. */
        int payloads;
    }

    /** From here on it is read where the log has it. */
    void isAt(LogChunk copy, long copyStart, Reader by) {
        buffer = null;
        if (!released) {
            chunk = copy;
            start = copyStart;
            reader = by;
            copy.inTransit++;
            by.payloads++;
        }
    }

    /** There will be no copy: the buffer is released when the transport needs it no more. */
    void isNowhereElse() {
        releasesBuffer = true;
        if (released) {
            releaseBuffer();
        }
    }

    private void releaseBuffer() {
        PayloadSource source = buffer;
        buffer = null;
        if (source != null) {
            source.released();
        }
    }

    @Override
    public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
        LogChunk copy = chunk;
        PayloadSource source = buffer;
        if (copy != null) {
            Bytes.copy(copy.inMemory(), start + positionBytes, target, targetOffset, lengthBytes);
        } else if (source != null) {
            source.read(positionBytes, target, targetOffset, lengthBytes);
        } else {
            throw new IllegalStateException("a payload was released, and is asked for " + lengthBytes + " bytes");
        }
    }

    @Override
    public void released() {
        released = true;
        LogChunk copy = chunk;
        chunk = null;
        Reader by = reader;
        reader = null;
        if (copy != null && by != null) {
            copy.inTransit--;
            by.payloads--;
        }
        if (releasesBuffer) {
            releaseBuffer();
        }
    }
}
