package org.gridmpj.pt2pt;

import java.util.ArrayDeque;
import org.gridmpj.transport.FrameHeader;

/** Keeps the buffers of unexpected messages for the next ones, up to a bound. Guarded by the progress lock. */
final class UnexpectedPool {
    private static final int KEPT = 512;
    private static final int KEPT_BYTES = 8 << 20;
    private static final int KEPT_BYTES_EACH = 1 << 20;

    private final ArrayDeque<UnexpectedMessage> free = new ArrayDeque<>();
    private int freeBytes;

    UnexpectedMessage take(FrameHeader header, int sourceRank, long payloadBytes) {
        UnexpectedMessage message = free.pollLast();
        if (message == null) {
            message = new UnexpectedMessage();
        } else {
            freeBytes -= message.capacityBytes();
        }
        message.prepare(header, sourceRank, payloadBytes);
        return message;
    }

    void giveBack(UnexpectedMessage message) {
        message.forget();
        int bytes = message.capacityBytes();
        if (free.size() < KEPT && bytes <= KEPT_BYTES_EACH && freeBytes + bytes <= KEPT_BYTES) {
            freeBytes += bytes;
            free.addLast(message);
        }
    }
}
