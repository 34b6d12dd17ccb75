package org.gridmpj.transport.gridtcp;

/**
 * A connection that has shaken hands, as a pipe of bytes that never blocks. Confined to the holder of the progress lock; the
 * connection behind it may have threads of its own.
 */
interface Link {
    /** Sends the answer to the peer's hello, before anything else. */
    void writeHello(byte[] hello);

    /** Takes bytes to be sent: how many it took, 0 if it is full, −1 if it is broken. */
    int write(WireBuffer source, int offsetBytes, int lengthBytes);

    /** Puts received bytes: how many, fewer only if there are no more now, −1 if there will never be any. */
    int read(WireBuffer target, int offsetBytes, int lengthBytes);

    /** Closes the connection, after what was written has left if the peer still takes it. */
    void close();
}
