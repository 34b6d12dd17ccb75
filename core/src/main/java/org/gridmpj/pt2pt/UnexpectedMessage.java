package org.gridmpj.pt2pt;

import java.lang.foreign.MemorySegment;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.FrameHeader;
import org.jspecify.annotations.Nullable;

/**
 * A message that came before its receive: its envelope, and its payload unless that waits at the sender. Pooled; guarded
 * by the progress lock.
 */
final class UnexpectedMessage implements ArrivalSink {
    private static final int SMALLEST_BYTES = 256;
    private static final byte[] NO_BYTES = {};

    /** Envelope; {@code sourceRank} is the sender's world rank. */
    final FrameHeader header = new FrameHeader();

    private byte[] bytes = NO_BYTES;
    private MemorySegment segment = MemorySegment.ofArray(bytes);

    /** Whether all of the payload is here. */
    boolean arrived;

    /** The receive that has taken this message while its payload is still on the way. */
    @Nullable
    OperationRecord receiver;

    /** A message to the own rank whose data still lies in the user's array. */
    @Nullable
    OperationRecord selfSender;

    private @Nullable LoggedFrame tap;

    // ---- links: of the same source, and of all sources, both in order of arrival
    @Nullable
    UnexpectedMessage previousOfSource;

    @Nullable
    UnexpectedMessage nextOfSource;

    @Nullable
    UnexpectedMessage previousOfAll;

    @Nullable
    UnexpectedMessage nextOfAll;

    void prepare(FrameHeader from, int sourceRank, long payloadBytes) {
        header.set(from);
        header.sourceRank = sourceRank;
        arrived = false;
        receiver = null;
        selfSender = null;
        if (payloadBytes > bytes.length) {
            int capacity = SMALLEST_BYTES;
            while (capacity < payloadBytes && capacity < 1 << 30) {
                capacity <<= 1;
            }
            bytes = new byte[(int) Math.max(capacity, payloadBytes)];
            segment = MemorySegment.ofArray(bytes);
        }
    }

    /** The payload is in the first {@code header.messageBytes} of it. */
    MemorySegment payload() {
        return segment;
    }

    int capacityBytes() {
        return bytes.length;
    }

    void forget() {
        receiver = null;
        selfSender = null;
    }

    @Override
    public void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
        LoggedFrame log = tap;
        if (log != null) {
            log.copy(positionBytes, source, sourceOffset, lengthBytes);
        }
        Bytes.copy(source, sourceOffset, segment, positionBytes, lengthBytes);
    }

    @Override
    public void tap(@Nullable LoggedFrame log) {
        tap = log;
    }
}
