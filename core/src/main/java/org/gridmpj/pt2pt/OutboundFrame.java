package org.gridmpj.pt2pt;

import java.lang.foreign.MemorySegment;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/** A frame that waits for room on its way to a peer. Pooled by {@link FrameOutlet}. */
final class OutboundFrame {
    /** The payload of a frame that has none. */
    static final PayloadSource NO_PAYLOAD = new PayloadSource() {
        @Override
        public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
            throw new IllegalStateException("a frame without payload was asked for " + lengthBytes + " bytes");
        }

        @Override
        public void released() {}
    };

    final FrameHeader header = new FrameHeader();
    PayloadSource payload = NO_PAYLOAD;
    /** The send that the frame starts, so that a cancel can take it back; null for answers. */
    @Nullable
    OperationRecord starts;
}
