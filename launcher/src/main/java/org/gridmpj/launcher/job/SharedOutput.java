package org.gridmpj.launcher.job;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One of the launcher's own streams, shared by all ranks: each call's bytes come out together. What is written is whole
 * lines, so no line is torn. Confined to the thread of its {@link OpenLine}.
 *
 * <p>A line may be shown before its end where {@link OpenLine#allowed}: a prompt. If somebody else writes before it ends,
 * a line break comes first, and the rest of the line stands on a line of its own:
 *
 * <pre>
 *   rank 0  n = ........5
 *   rank 1        ready
 *   shown   n =         a line break before "ready", and "5" follows it
 * </pre>
 *
 * Holding the others back until the line ends would hang a job whose prompt nobody answers.
 */
final class SharedOutput {
    private static final byte[] LINE_BREAK = {'\n'};

    private final OutputStream out;
    private final Runnable whenClosed;
    private final OpenLine line;
    private boolean closed;

    /**
     * @param whenClosed called once when nobody reads this stream any more
     * @param line of the screen that this stream goes to
     */
    SharedOutput(OutputStream out, Runnable whenClosed, OpenLine line) {
        this.out = out;
        this.whenClosed = whenClosed;
        this.line = line;
    }

    /** Has something done on the thread that writes, after all that was handed over before; does not wait for it. */
    void inTurn(Runnable task) {
        line.inTurn(task);
    }

    /**
     * Waits until all that was handed over before is written, or nobody reads it any more.
     *
     * @return whether it is, after so much time
     */
    boolean flush(long nanos) throws InterruptedException {
        return line.flush(nanos);
    }

    /**
     * Writes whole lines, or the rest of a line that this writer began, and flushes; silent once the reader is gone. Only
     * {@link #inTurn}.
     */
    void write(Object writer, byte[] bytes) {
        SharedOutput begun = line.on;
        if (begun != null && (begun != this || !writer.equals(line.writer))) {
            begun.put(LINE_BREAK);
            line.on = null;
        }
        put(bytes);
        note(writer, bytes);
    }

    /**
     * Writes the beginning of a line, or more of it. Only {@link #inTurn}.
     *
     * @return false, and nothing is written, if no unfinished lines are wanted here or somebody else is in mid-line
     */
    boolean writeUnfinished(Object writer, byte[] bytes) {
        SharedOutput begun = line.on;
        if (!line.allowed || (begun != null && (begun != this || !writer.equals(line.writer)))) {
            return false;
        }
        put(bytes);
        note(writer, bytes);
        return true;
    }

    private void note(Object writer, byte[] bytes) {
        boolean ended = bytes.length > 0 && bytes[bytes.length - 1] == '\n';
        line.on = ended || !line.allowed ? null : this;
        line.writer = line.on == null ? null : writer;
    }

    private void put(byte[] bytes) {
        if (closed) {
            return;
        }
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            closed = true;
            whenClosed.run();
        }
    }

    /** A line of the launcher's own, in turn; any thread may call, and none waits for the reader. */
    void line(String text) {
        byte[] bytes = (text + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
        inTurn(() -> write(this, bytes));
    }
}
