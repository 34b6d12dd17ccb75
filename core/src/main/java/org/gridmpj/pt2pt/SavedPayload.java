package org.gridmpj.pt2pt;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.gridmpj.transport.PayloadSource;

/** The payload of a frame that came out of an image. */
final class SavedPayload implements PayloadSource {
    private final byte[] bytes;

    SavedPayload(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
        MemorySegment.copy(bytes, (int) positionBytes, target, ValueLayout.JAVA_BYTE, targetOffset, lengthBytes);
    }

    @Override
    public void released() {
        // the garbage collector has the rest
    }
}
