package org.gridmpj.transport.gridtcp;

/**
 * The rules of the channel of which each is there because leaving it out loses, doubles or reorders messages, or never ends.
 * A test leaves out one after the other and demands that the simulator notices.
 */
enum ChannelRule {
    /** A frame whose link number was received before is dropped. */
    DROP_DUPLICATES,
    /** A frame beyond the next expected number breaks the link: the peer is to send again from there. */
    RESYNC_ON_GAP,
    /** A frame counts as received when its last byte is, not when its header is. */
    COUNT_WHEN_COMPLETE,
    /** What is retained in a link's memory is staged before the link is forgotten. */
    STAGE_WHEN_THE_LINK_GOES,
    /** A frame is retained until it is acknowledged, not until it is written. */
    RETAIN_UNTIL_ACKNOWLEDGED,
    /** After reconnection everything is sent anew from what the peer expects next. */
    RESEND_AFTER_RECONNECTION,
    /** Sending anew begins at the first byte of a frame, wherever the cut fell. */
    RESEND_WHOLE_FRAMES,
    /** Bytes of a broken link are forgotten before the next one's are decoded. */
    FORGET_PARTIAL_FRAMES,
    /** The handshake tells the true number that is expected next. */
    TELL_TRUE_EXPECTATION,
    /** The peer's number in the handshake acknowledges what came before. */
    HANDSHAKE_ACKNOWLEDGES,
    /** A frame that was announced to the engine before the cut is not announced again. */
    ANNOUNCE_ONCE,
    /** A handshake of a lower incarnation is refused: it is of a process that was replaced. */
    FENCE_HANDSHAKES,
    /** Every frame is checked for the incarnation of its sender, too. */
    FENCE_FRAMES,
    /** A frame or handshake of another generation of the job is refused. */
    FENCE_GENERATIONS,
    /** Retained frames are readdressed when the peer has a new incarnation. */
    READDRESS_RETAINED,
    /** A sender whose room runs short asks for acknowledgement at once. */
    ASK_FOR_ACKNOWLEDGEMENT,
    /** What is owed is acknowledged in the end though no frame goes back and none asks. */
    ACKNOWLEDGE_WHEN_IDLE,
    /** Who has said nothing for some time speaks, so that a sound connection is never taken for a broken one. */
    SPEAK_WHEN_QUIET,
    /** A payload is released once. */
    RELEASE_ONCE,
    /** A head whose checksum is wrong breaks the link. */
    VERIFY_CHECKSUMS
}
