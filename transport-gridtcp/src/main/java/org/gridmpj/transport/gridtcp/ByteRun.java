package org.gridmpj.transport.gridtcp;

import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/** An action of the channel, reused: these bytes are to be written next, or may be filled by reading. */
final class ByteRun {
    @Nullable
    WireBuffer buffer;

    /** Set instead of the buffer where the link takes payloads: the run is the rest of it. */
    @Nullable
    PayloadSource payload;

    /** Set instead of the buffer where the link takes arrays: the run is the rest of the payload in it. */
    @Nullable
    Object array;

    long arrayOffsetBytes;

    long payloadPositionBytes;
    long payloadBytes;

    /** The run is the image of one frame that the link may write as a {@link ShortFrame}; it takes all of it or nothing. */
    boolean isShortFrame;

    int offsetBytes;
    /** 0: nothing to do; of a payload, only that there is some. */
    int lengthBytes;

    ByteRun set(WireBuffer newBuffer, int newOffsetBytes, int newLengthBytes) {
        buffer = newBuffer;
        payload = null;
        array = null;
        isShortFrame = false;
        offsetBytes = newOffsetBytes;
        lengthBytes = newLengthBytes;
        return this;
    }

    ByteRun setShortFrame(WireBuffer newBuffer, int newOffsetBytes, int newLengthBytes) {
        set(newBuffer, newOffsetBytes, newLengthBytes);
        isShortFrame = true;
        return this;
    }

    ByteRun set(PayloadSource newPayload, long newPositionBytes, long newPayloadBytes) {
        setRest(newPayload, null, newPayloadBytes);
        payloadPositionBytes = newPositionBytes;
        return this;
    }

    ByteRun setArray(Object newArray, long newOffsetBytes, long newPayloadBytes) {
        setRest(null, newArray, newPayloadBytes);
        arrayOffsetBytes = newOffsetBytes;
        return this;
    }

    private void setRest(@Nullable PayloadSource newPayload, @Nullable Object newArray, long newPayloadBytes) {
        payload = newPayload;
        array = newArray;
        isShortFrame = false;
        payloadBytes = newPayloadBytes;
        lengthBytes = 1;
    }

    /** How many bytes the run has, or has room for; of a payload, or an array. */
    long mostBytes() {
        return payload == null && array == null ? lengthBytes : payloadBytes;
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
