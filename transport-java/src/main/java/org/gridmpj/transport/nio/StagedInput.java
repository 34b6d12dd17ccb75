package org.gridmpj.transport.nio;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;

/**
 * Frames that arrive from one peer: read to a permanent direct buffer, decoded there, poured into the sinks that the
 * engine names. Between two reads the buffer holds less than a header, at its beginning, so everything stays aligned to 8
 * bytes. Confined to the holder of the progress lock.
 */
final class StagedInput {
    /** After so many full buffers from one peer the others have their turn. */
    private static final int BUFFERS_PER_POLL = 8;

    /** Takes the payload of a frame whose onFrame has thrown. */
    private static final PayloadSink NOWHERE = (positionBytes, source, sourceOffset, lengthBytes) -> {};

    /** What reading came to. */
    enum Outcome {
        NOTHING,
        PROGRESS,
        END_OF_STREAM
    }

    /** The frame that is the transport's own. */
    interface Farewell {
        /** The peer will offer nothing more; or it has confirmed that all that we sent has arrived. */
        void onFarewell(boolean confirmation);
    }

    private final int peerRank;
    private final FrameSink frames;
    private final Farewell farewell;
    private final ByteBuffer buffer;
    private final MemorySegment segment;
    private int filledBytes;

    private final FrameHeader header = new FrameHeader();
    private PayloadSink sink = NOWHERE;
    private boolean inPayload;
    private long positionBytes;

    StagedInput(int peerRank, FrameSink frames, Farewell farewell, int capacityBytes) {
        this.peerRank = peerRank;
        this.frames = frames;
        this.farewell = farewell;
        buffer = ByteBuffer.allocateDirect(capacityBytes);
        segment = MemorySegment.ofBuffer(buffer);
    }

    /**
     * Reads what is there and decodes it.
     *
     * @throws IllegalArgumentException if what has arrived is no frame of the peer
     */
    Outcome read(ReadableByteChannel channel) throws IOException {
        Outcome outcome = Outcome.NOTHING;
        for (int round = 0; round < BUFFERS_PER_POLL; round++) {
            buffer.limit(buffer.capacity()).position(filledBytes);
            int readBytes = channel.read(buffer);
            if (readBytes < 0) {
                return Outcome.END_OF_STREAM;
            }
            if (readBytes == 0) {
                return outcome;
            }
            outcome = Outcome.PROGRESS;
            filledBytes += readBytes;
            boolean full = filledBytes == buffer.capacity();
            decode();
            if (!full) {
                return outcome;
            }
        }
        return outcome;
    }

    /** Whether a frame has arrived in part. */
    boolean midFrame() {
        return inPayload || filledBytes > 0;
    }

    private void decode() {
        int start = 0;
        try {
            while (true) {
                int availableBytes = filledBytes - start;
                if (!inPayload) {
                    if (availableBytes < FrameHeader.BYTES) {
                        return;
                    }
                    int at = start;
                    start += FrameHeader.BYTES;
                    begin(at);
                } else {
                    long leftBytes = header.payloadBytes - positionBytes;
                    int takenBytes = (int) Math.min(availableBytes & -Long.BYTES, StagedOutput.padded(leftBytes));
                    if (takenBytes == 0) {
                        return;
                    }
                    int at = start;
                    start += takenBytes;
                    pour(at, (int) Math.min(takenBytes, leftBytes));
                }
            }
        } finally {
            filledBytes -= start;
            if (filledBytes > 0 && start > 0) {
                Bytes.copy(segment, start, segment, 0, filledBytes);
            }
        }
    }

    private void begin(int at) {
        if (segment.get(ValueLayout.JAVA_BYTE, at + FrameHeader.KIND_OFFSET) == FrameKind.BYE.code()) {
            farewell.onFarewell(segment.get(ValueLayout.JAVA_INT_UNALIGNED, at + FrameHeader.COUNT_OFFSET) != 0);
            return;
        }
        header.read(segment, at);
        if (header.sourceRank != peerRank) {
            throw new IllegalArgumentException("a frame of another sender: " + header);
        }
        sink = NOWHERE;
        positionBytes = 0;
        inPayload = header.payloadBytes > 0;
        sink = frames.onFrame(peerRank, header);
        if (!inPayload) {
            frames.onFrameComplete(peerRank, header, sink);
        }
    }

    private void pour(int at, int lengthBytes) {
        long position = positionBytes;
        positionBytes += lengthBytes;
        inPayload = positionBytes < header.payloadBytes;
        sink.write(position, segment, at, lengthBytes);
        if (!inPayload) {
            frames.onFrameComplete(peerRank, header, sink);
        }
    }
}
