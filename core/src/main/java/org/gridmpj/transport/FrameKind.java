package org.gridmpj.transport;

/**
 * What a frame is for. The codes are on the wire and in snapshots: never reordered.
 */
public enum FrameKind {
    /** A whole message, sent before the receiver asked for it. */
    EAGER(1),
    /** As EAGER, but the sender waits for SYNC_ACK (synchronous mode). */
    EAGER_SYNC(2),
    /** Rendezvous: the envelope of a message whose data waits for CTS. */
    RTS(3),
    /** Rendezvous: the receiver has matched the RTS and has room. Idempotent. */
    CTS(4),
    /** Rendezvous: the data. */
    DATA(5),
    /** A synchronous-mode eager message was matched. Idempotent. */
    SYNC_ACK(6),
    /** The sender wants a message back that may not be matched yet (MPI_Cancel of a send). */
    CANCEL_SEND(7),
    /** Answer to CANCEL_SEND; {@code count} is 1 if the message was still unmatched and is now gone, else 0. */
    CANCEL_REPLY(8),
    /** Snapshot marker: what follows on this channel belongs after the cut; {@code messageId} is the epoch. */
    MARKER(9),
    /** The epoch in {@code messageId} is abandoned. Idempotent. */
    EPOCH_ABORT(10),
    /** The transport's own orderly end, in {@link Transport#drain}: the sender will send nothing more. */
    BYE(11),
    /** The sender's program has called Finalize: it starts nothing more, but still answers until all have. */
    FINALIZED(12),
    /** Between the logs at both ends of a channel that begins anew; see {@code org.gridmpj.transport.log}. */
    STATE(13),
    /** Determinants of the sender for the peer to hold; see {@code org.gridmpj.transport.log}. */
    DETERMINANTS(14),
    /** The sender holds all of the peer's determinants before the one in {@code messageId}. Idempotent. */
    DETERMINANTS_HELD(15),
    /**
     * The sender is going to make its cut of the epoch in {@code messageId}: the receiver may begin with its own, sooner than by
     * the marker. Idempotent; nothing depends on it.
     */
    EPOCH_WANTED(16);

    private static final FrameKind[] BY_CODE = new FrameKind[17];

    static {
        for (FrameKind kind : values()) {
            BY_CODE[kind.code] = kind;
        }
    }

    private final int code;

    FrameKind(int code) {
        this.code = code;
    }

    /** Whether it is about the snapshot epoch in {@code messageId}, not about a message. */
    public boolean isOfEpoch() {
        return this == MARKER || this == EPOCH_ABORT || this == EPOCH_WANTED;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /**
     * The kind of a number on the wire.
     *
     * @throws IllegalArgumentException if there is none: the stream is corrupt
     */
    public static FrameKind of(int code) {
        if (code <= 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("no frame kind has code " + code);
        }
        return BY_CODE[code];
    }
}
