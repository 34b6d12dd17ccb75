package org.gridmpj.transport.log;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.PayloadSource;

/**
 * All frames that were sent to one peer since the last cut that is committed, with copies of their payloads; and how far
 * they are with the transport (sender-based logging, Johnson and Zwaenepoel 1987; cut at coordinated snapshots).
 *
 * <pre>
 *   chunks    │ … │ MARKER(7) a b c │ d MARKER(8) e f g │ h i
 *                            └ refill from snapshot 7    └─┴── cursor: given to the transport up to here
 *                                            └ refill from snapshot 8; committed(8): what is before goes
 * </pre>
 *
 * A position is a chunk's number and an offset in it. Guarded by the progress lock.
 */
final class MessageLog {
    private static final long OFFSET_MASK = 0xFFFF_FFFFL;

    /** Position behind the marker of an epoch. */
    private record Barrier(int epoch, long position) {}

    private final LogMemory memory;
    private final List<LogChunk> chunks = new ArrayList<>();
    /** Number of the first chunk. */
    private long firstChunk;

    private final List<Barrier> barriers = new ArrayList<>();
    private long cursor;
    /** What is before this position was sent to the peer's earlier life; its markers are of no concern to this one. */
    private long skipMarkersBelow;

    private boolean skipsMarkers;
    /** Of what the peer's present life is given. */
    private LoggedPayload.Reader reader = new LoggedPayload.Reader();

    MessageLog(LogMemory memory) {
        this.memory = memory;
    }

    private static long padded(long bytes) {
        return (bytes + 7) & -8;
    }

    private static long position(long chunk, int offset) {
        return (chunk << 32) | offset;
    }

    /** Where the next frame will be, or before it. */
    long end() {
        return chunks.isEmpty()
                ? position(firstChunk, 0)
                : position(firstChunk + chunks.size() - 1, chunks.getLast().usedBytes);
    }

    /**
     * Appends a frame.
     *
     * @throws IOException if there is no room for it
     */
    void append(FrameHeader header, PayloadSource payload) throws IOException {
        long recordBytes = FrameHeader.BYTES + padded(header.payloadBytes);
        if (recordBytes > Integer.MAX_VALUE - 16) {
            throw new IOException("a message of " + header.payloadBytes + " bytes is too long for the log");
        }
        LogPace pace = memory.pace();
        long began = pace.begin(recordBytes);
        LogChunk chunk = chunks.isEmpty() ? null : chunks.getLast();
        if (chunk == null || chunk.capacityBytes - chunk.usedBytes < recordBytes) {
            boolean atEnd = isAtEnd();
            LogChunk next = memory.open((int) recordBytes);
            if (chunk != null) {
                memory.sealed(chunk);
            }
            chunks.add(next);
            chunk = next;
            if (atEnd) {
                cursor = end();
            }
        }
        MemorySegment target = chunk.inMemory();
        header.write(target, chunk.usedBytes);
        if (header.payloadBytes > 0) {
            payload.read(0, target, chunk.usedBytes + FrameHeader.BYTES, (int) header.payloadBytes);
        }
        chunk.usedBytes += (int) recordBytes;
        pace.copied(recordBytes, began);
    }

    /** The peer may go back to here: the marker of an epoch was the last frame, or this rank itself begins at its image. */
    void barrier(int epoch) {
        barriers.removeIf(barrier -> barrier.epoch >= epoch);
        barriers.add(new Barrier(epoch, end()));
    }

    /** An epoch is committed: nobody goes back behind it alone. */
    void committed(int epoch) {
        for (Iterator<Barrier> each = barriers.iterator(); each.hasNext(); ) {
            Barrier barrier = each.next();
            if (barrier.epoch < epoch) {
                each.remove();
            } else if (barrier.epoch == epoch) {
                trim(Math.min(barrier.position, cursor));
                return;
            }
        }
    }

    private void trim(long below) {
        while (chunks.size() > 1 && firstChunk < below >>> 32) {
            memory.free(chunks.removeFirst());
            firstChunk++;
        }
    }

    /**
     * The peer goes back to an epoch: all that was sent behind its marker is to be given to the transport again.
     *
     * @param withoutMarkers whether markers are left out
     * @return false if the log does not reach so far back
     */
    boolean rewind(int epoch, boolean withoutMarkers) {
        for (Barrier barrier : barriers) {
            if (barrier.epoch == epoch) {
                cursor = barrier.position;
                reader = new LoggedPayload.Reader();
                skipMarkersBelow = end();
                skipsMarkers = withoutMarkers;
                return true;
            }
        }
        return false;
    }

    /** Whether the transport has been given again what was sent before the peer went back. */
    boolean isRefilled() {
        return cursor >= skipMarkersBelow;
    }

    /** Where the frame is that the transport is to be given next, or before it. */
    long cursor() {
        return cursor;
    }

    /** Whether the transport has been given everything. */
    boolean isAtEnd() {
        return cursor == end();
    }

    /**
     * Reads the header of the next frame that the transport is to be given; false if there is none, or if it has to wait until
     * the transport is done with some of those before: what was spilled comes back within the budget.
     *
     * @throws IOException if what was spilled cannot be read
     */
    boolean next(FrameHeader header) throws IOException {
        while (true) {
            skipToNextChunk();
            if (isAtEnd()) {
                return false;
            }
            LogChunk chunk = chunk();
            if (chunk.memory == null && !memory.load(chunk, reader.payloads > 0)) {
                return false;
            }
            header.read(chunk.inMemory(), cursor & OFFSET_MASK);
            if (!header.kind.isOfEpoch() || !skipsMarkers || cursor >= skipMarkersBelow) {
                return true;
            }
            given(header);
        }
    }

    private LogChunk chunk() {
        return chunks.get((int) ((cursor >>> 32) - firstChunk));
    }

    private void skipToNextChunk() {
        while (!isAtEnd() && (cursor & OFFSET_MASK) == chunk().usedBytes) {
            cursor = position((cursor >>> 32) + 1, 0);
        }
    }

    /** The payload of the frame whose header was read last. */
    PayloadSource payload(FrameHeader header) {
        return new LoggedPayload(chunk(), (cursor & OFFSET_MASK) + FrameHeader.BYTES, reader);
    }

    /** Whether copying a payload takes so long that the transport should have it meanwhile. */
    boolean isWorthGivingAhead(FrameHeader header) {
        return header.payloadBytes >= memory.aheadFromBytes();
    }

    /**
     * The frame that was appended last has been given to the transport already, with this payload: the transport reads on in
     * the copy.
     */
    void givenAhead(FrameHeader header, LoggedPayload payload) {
        LogChunk last = chunks.getLast();
        cursor = end();
        payload.isAt(last, last.usedBytes - padded(header.payloadBytes), reader);
    }

    /** The transport has taken the frame whose header was read last. */
    void given(FrameHeader header) {
        cursor += FrameHeader.BYTES + padded(header.payloadBytes);
    }

    /** Forgets everything. */
    void clear() {
        chunks.forEach(memory::free);
        firstChunk += chunks.size();
        chunks.clear();
        barriers.clear();
        cursor = end();
    }

    long lengthBytes() {
        return chunks.stream().mapToLong(chunk -> chunk.usedBytes).sum();
    }
}
