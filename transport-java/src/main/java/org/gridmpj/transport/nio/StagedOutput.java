package org.gridmpj.transport.nio;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/**
 * Frames on their way to one peer, in a permanent direct buffer.
 *
 * <pre>
 *   0             start                       end                capacity
 *   ┌─────────────┬───────────────────────────┬──────────────────────┐
 *   │ written     │ header, payload, header … │ free                 │
 *   └─────────────┴───────────────────────────┴──────────────────────┘
 *                                              ▲ of a long payload the next part comes here when all is written
 * </pre>
 *
 * A payload on the wire is filled up to a multiple of 8 bytes, so that headers and payloads stay aligned. At most one
 * long payload is under way; until its last byte is staged nothing else is taken, which bounds what is held: this buffer
 * and one reference. Confined to the holder of the progress lock.
 */
final class StagedOutput {
    /** A flush gives way to reading after so many buffers, however fast the peer is. */
    private static final int BUFFERS_PER_FLUSH = 16;

    private final ByteBuffer buffer;
    private final MemorySegment segment;
    private int start;
    private int end;

    private @Nullable PayloadSource streamed;
    private long streamedPosition;
    private long streamedBytes;

    StagedOutput(int capacityBytes) {
        buffer = ByteBuffer.allocateDirect(capacityBytes);
        segment = MemorySegment.ofBuffer(buffer);
    }

    /** Nothing staged, nothing under way. */
    boolean isEmpty() {
        return start == end && streamed == null;
    }

    /** Payloads up to this many bytes are staged whole or not at all. */
    int copiedPayloadLimitBytes() {
        return segmentBytes() / 4;
    }

    /** Stages a frame, or the beginning of a long one; false if there is no room now. */
    boolean stage(FrameHeader header, PayloadSource payload) {
        if (streamed != null) {
            return false;
        }
        long payloadBytes = header.payloadBytes;
        boolean whole = payloadBytes <= copiedPayloadLimitBytes();
        long neededBytes = FrameHeader.BYTES + (whole ? padded(payloadBytes) : Long.BYTES);
        if (!makeRoom(neededBytes)) {
            return false;
        }
        header.write(segment, end);
        end += FrameHeader.BYTES;
        streamed = payload;
        streamedPosition = 0;
        streamedBytes = payloadBytes;
        stream();
        return true;
    }

    /**
     * Stages a BYE, the transports' own frame, a header of zeros but for its kind and count: count 0, nothing more will be sent;
     * count 1, the same, and the other end's farewell has arrived. False if there is no room now.
     */
    boolean stageFarewell(boolean confirmation) {
        if (streamed != null || !makeRoom(FrameHeader.BYTES)) {
            return false;
        }
        segment.asSlice(end, FrameHeader.BYTES).fill((byte) 0);
        segment.set(ValueLayout.JAVA_BYTE, end + FrameHeader.KIND_OFFSET, (byte) FrameKind.BYE.code());
        segment.set(ValueLayout.JAVA_INT_UNALIGNED, end + FrameHeader.COUNT_OFFSET, confirmation ? 1 : 0);
        end += FrameHeader.BYTES;
        return true;
    }

    /**
     * Writes what the channel takes.
     *
     * @return whether it took anything
     */
    boolean flush(WritableByteChannel channel) throws IOException {
        boolean moved = false;
        for (int round = 0; round < BUFFERS_PER_FLUSH; round++) {
            if (start == end) {
                start = 0;
                end = 0;
                if (streamed == null) {
                    return moved;
                }
                stream();
            }
            buffer.limit(end).position(start);
            int written = channel.write(buffer);
            start += written;
            moved |= written > 0;
            if (start < end) {
                return moved;
            }
        }
        return moved;
    }

    /** Gives up all that is held. */
    void discard() {
        start = 0;
        end = 0;
        release();
    }

    private boolean makeRoom(long neededBytes) {
        if (segmentBytes() - end >= neededBytes) {
            return true;
        }
        // Moving is worth it only when it gains as much as it copies. It keeps the alignment of what follows.
        int movedBy = start & -Long.BYTES;
        if (start < segmentBytes() / 2 || segmentBytes() - (end - movedBy) < neededBytes) {
            return false;
        }
        Bytes.copy(segment, start, segment, start - movedBy, end - start);
        start -= movedBy;
        end -= movedBy;
        return true;
    }

    /** Copies as much of the payload under way as fits behind {@code end}. */
    private void stream() {
        PayloadSource payload = streamed;
        if (payload == null) {
            return;
        }
        int roomBytes = (segmentBytes() - end) & -Long.BYTES;
        long leftBytes = streamedBytes - streamedPosition;
        int lengthBytes = (int) Math.min(leftBytes, roomBytes);
        if (lengthBytes > 0) {
            int paddedBytes = (int) padded(lengthBytes);
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, end + paddedBytes - Long.BYTES, 0L);
            payload.read(streamedPosition, segment, end, lengthBytes);
            end += paddedBytes;
            streamedPosition += lengthBytes;
        }
        if (streamedPosition == streamedBytes) {
            release();
        }
    }

    private void release() {
        PayloadSource payload = streamed;
        streamed = null;
        if (payload != null) {
            payload.released();
        }
    }

    private int segmentBytes() {
        return buffer.capacity();
    }

    /** The length on the wire of a payload. */
    static long padded(long payloadBytes) {
        return (payloadBytes + Long.BYTES - 1) & -Long.BYTES;
    }
}
