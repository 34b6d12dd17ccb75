package org.gridmpj.transport;

import org.jspecify.annotations.Nullable;

/**
 * The way to one peer: first in, first out. Confined to the holder of the progress lock.
 */
public interface Endpoint {
    /** What became of an offered frame. */
    enum Offer {
        /** The frame will arrive, after all accepted before it. */
        ACCEPTED,
        /** No room: nothing was taken. Poll, then offer the same frame again before any other to this peer. */
        BACK_PRESSURED,
        /** The peer has said goodbye or is lost: nothing was taken, nothing ever will be. */
        CLOSED
    }

    /**
     * Offers a frame.
     *
     * @param header copied during the call
     * @param payload its {@code header.payloadBytes} bytes; kept until {@link PayloadSource#released()}
     */
    Offer offer(FrameHeader header, PayloadSource payload);

    /** Payloads up to this many bytes are copied during {@link #offer}, so the caller has its buffer back at once. */
    int copiedPayloadLimitBytes();

    /** The peer's short messages as they lie in memory that both processes share; null while there is no such memory. */
    default @Nullable ShortMessages shortMessages() {
        return null;
    }
}
