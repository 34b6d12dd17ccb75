package org.gridmpj.job.control;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What control messages travel on between a rank and its parent: a connection of their own ({@link ControlLink}), or a
 * part of one that an agent relays. Any thread may send; one thread at a time receives.
 */
public interface ControlLine extends AutoCloseable {
    /** Sends a message; it is on its way when the call returns. */
    void send(ControlMessage message) throws IOException;

    /** Waits for the next message; null when the peer has closed the line. */
    @Nullable
    ControlMessage receive() throws IOException;

    /** Closes the line; a receive under way ends. */
    @Override
    void close();
}
