package org.gridmpj.pt2pt;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.PayloadSink;

/**
 * A frame that was in flight at the cut, as it goes into the image: all of it, or the rest of one whose first bytes were
 * here already. Passes on what it copies. Guarded by the progress lock until its log is complete, then immutable.
 */
final class LoggedFrame implements PayloadSink {
    final int peerRank;
    final FrameHeader header = new FrameHeader();
    /** Where the frame goes in this process. */
    final PayloadSink target;
    /** Whether the state in the image knows this frame: only the rest is logged. */
    final boolean continuation;

    private byte[] payload = {};
    /** Position in the frame's payload of the first byte that is logged; −1 until it comes. */
    private long fromBytes;

    LoggedFrame(int peerRank, FrameHeader from, PayloadSink target, boolean continuation) {
        this.peerRank = peerRank;
        this.header.set(from);
        this.target = target;
        this.continuation = continuation;
        this.fromBytes = continuation ? -1 : 0;
        if (!continuation) {
            payload = new byte[(int) from.payloadBytes];
        }
    }

    /** Copies bytes that go to the target anyway. A transport may begin again from 0 after a reconnection. */
    void copy(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
        if (fromBytes < 0) {
            fromBytes = positionBytes;
            payload = new byte[(int) (header.payloadBytes - positionBytes)];
        }
        int known = (int) Math.max(0, Math.min(lengthBytes, fromBytes - positionBytes));
        if (known < lengthBytes) {
            MemorySegment.copy(
                    source,
                    ValueLayout.JAVA_BYTE,
                    sourceOffset + known,
                    payload,
                    (int) (positionBytes + known - fromBytes),
                    lengthBytes - known);
        }
    }

    @Override
    public void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
        copy(positionBytes, source, sourceOffset, lengthBytes);
        target.write(positionBytes, source, sourceOffset, lengthBytes);
    }

    byte[] payload() {
        return payload;
    }

    /** First position that is logged; the end of the payload if nothing was to come any more. */
    long fromBytes() {
        return fromBytes < 0 ? header.payloadBytes : fromBytes;
    }
}
