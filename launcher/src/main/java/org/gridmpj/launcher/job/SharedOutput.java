package org.gridmpj.launcher.job;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One of the launcher's own streams, shared by all ranks: each call's bytes come out together. What is written is whole
 * lines, so no line is torn.
 */
final class SharedOutput {
    private final OutputStream out;
    private final Runnable whenClosed;
    private final ReentrantLock writing = new ReentrantLock();
    private boolean closed;

    /** @param whenClosed called once when nobody reads this stream any more */
    SharedOutput(OutputStream out, Runnable whenClosed) {
        this.out = out;
        this.whenClosed = whenClosed;
    }

    /** Writes and flushes; silent once the reader is gone. */
    void write(byte[] bytes, int offset, int length) {
        writing.lock();
        try {
            if (!closed) {
                out.write(bytes, offset, length);
                out.flush();
            }
        } catch (IOException e) {
            closed = true;
            whenClosed.run();
        } finally {
            writing.unlock();
        }
    }

    /** A line of the launcher's own. */
    void line(String text) {
        byte[] bytes = (text + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
        write(bytes, 0, bytes.length);
    }
}
