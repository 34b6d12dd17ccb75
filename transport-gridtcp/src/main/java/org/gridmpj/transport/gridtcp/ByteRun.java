package org.gridmpj.transport.gridtcp;

import org.jspecify.annotations.Nullable;

/** An action of the channel, reused: these bytes are to be written next, or may be filled by reading. */
final class ByteRun {
    @Nullable
    WireBuffer buffer;

    int offsetBytes;
    /** 0: nothing to do. */
    int lengthBytes;

    ByteRun set(WireBuffer newBuffer, int newOffsetBytes, int newLengthBytes) {
        buffer = newBuffer;
        offsetBytes = newOffsetBytes;
        lengthBytes = newLengthBytes;
        return this;
    }

    ByteRun none() {
        lengthBytes = 0;
        return this;
    }

    /** The memory of a run that is not empty. */
    WireBuffer memory() {
        if (buffer == null) {
            throw new IllegalStateException("an empty run has no memory");
        }
        return buffer;
    }
}
