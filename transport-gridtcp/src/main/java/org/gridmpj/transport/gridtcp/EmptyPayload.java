package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import org.gridmpj.transport.PayloadSource;

/** No bytes. */
enum EmptyPayload implements PayloadSource {
    INSTANCE;

    @Override
    public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
        throw new IllegalStateException("an empty payload was read");
    }

    @Override
    public void released() {
        // Nobody waits for it.
    }
}
