package org.gridmpj.pt2pt;

import java.lang.foreign.MemorySegment;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.PayloadSink;
import org.jspecify.annotations.Nullable;

/** A frame behind a snapshot marker, kept as it came until the cut is made. Guarded by the progress lock. */
final class HeldFrame implements PayloadSink {
    final FrameHeader header = new FrameHeader();
    final MemorySegment payload;
    /** Whether all of the payload is here; else the transport goes on pouring. */
    boolean arrived;
    /** Where the frame went that was let go while its payload was still on the way. */
    @Nullable
    PayloadSink releasedTo;

    HeldFrame(FrameHeader from) {
        if (from.payloadBytes > Integer.MAX_VALUE - 16) {
            throw new MpiFailure(
                    ErrorClass.INTERN, "a frame of " + from.payloadBytes + " bytes behind a snapshot marker: " + from);
        }
        header.set(from);
        payload = MemorySegment.ofArray(new byte[(int) from.payloadBytes]);
    }

    @Override
    public void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
        Bytes.copy(source, sourceOffset, payload, positionBytes, lengthBytes);
    }
}
