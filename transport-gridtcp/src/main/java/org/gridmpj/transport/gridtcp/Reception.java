package org.gridmpj.transport.gridtcp;

/** What the channel thinks of received bytes. All but OK break the link; the handshake of the next one puts it right. */
enum Reception {
    OK,
    /** Magic, checksum or lengths are wrong. */
    CORRUPT,
    /** Of another generation or an incarnation that has been replaced. */
    FENCED,
    /** Frames are missing before this one. */
    GAP
}
