package org.gridmpj.launcher.job;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
    private final @Nullable Consumer<Loss> whenLost;
    private final OpenLine line;
    private volatile @Nullable Loss loss;

    /**
     * Why nothing more is written.
     *
     * @param isReaderGone whether it goes to a pipe that nobody reads any more
     * @param why the system's words
     */
    record Loss(boolean isReaderGone, String why) {
        static Loss of(IOException failure) {
            String why = String.valueOf(failure.getMessage());
            return new Loss(why.toLowerCase(Locale.ROOT).contains("pipe"), why);
        }
    }

    /**
     * A stream without which the job is not to go on: after one failure nothing more is written.
     *
     * @param whenLost called once
     * @param line of the screen that this stream goes to
     */
    SharedOutput(OutputStream out, Consumer<Loss> whenLost, OpenLine line) {
        this(out, line, whenLost);
    }

    private SharedOutput(OutputStream out, OpenLine line, @Nullable Consumer<Loss> whenLost) {
        this.out = out;
        this.whenLost = whenLost;
        this.line = line;
    }

    /** A stream without which the job goes on: it is tried again after a failure, unless nobody reads it any more. */
    static SharedOutput dispensable(OutputStream out, OpenLine line) {
        return new SharedOutput(out, line, null);
    }

    /** Why nothing more is written, or null. Any thread may call. */
    @Nullable
    Loss loss() {
        return loss;
    }

    /** Whether the job goes on without this stream. */
    boolean isDispensable() {
        return whenLost == null;
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
     * Writes whole lines, or the rest of a line that this writer began, and flushes. Only {@link #inTurn}.
     *
     * @return whether that is dealt with: it is written, or nobody will read it and the job goes on all the same
     */
    boolean write(Object writer, byte[] bytes) {
        SharedOutput begun = line.on;
        if (begun != null && (begun != this || !writer.equals(line.writer))) {
            boolean _ = begun.put(LINE_BREAK);
            line.on = null;
        }
        boolean written = put(bytes);
        if (written) {
            note(writer, bytes);
        }
        return written;
    }

    /**
     * Writes the beginning of a line, or more of it. Only {@link #inTurn}.
     *
     * @return false if nothing is written: no unfinished lines are wanted here, somebody else is in mid-line, or it cannot be
     */
    boolean writeUnfinished(Object writer, byte[] bytes) {
        SharedOutput begun = line.on;
        if (!line.allowed || (begun != null && (begun != this || !writer.equals(line.writer)))) {
            return false;
        }
        boolean written = put(bytes);
        if (written) {
            note(writer, bytes);
        }
        return written;
    }

    private void note(Object writer, byte[] bytes) {
        boolean ended = bytes.length > 0 && bytes[bytes.length - 1] == '\n';
        line.on = ended || !line.allowed ? null : this;
        line.writer = line.on == null ? null : writer;
    }

    private boolean put(byte[] bytes) {
        if (loss != null) {
            return isDispensable();
        }
        try {
            out.write(bytes);
            out.flush();
            return true;
        } catch (IOException e) {
            Loss now = Loss.of(e);
            if (whenLost != null) {
                loss = now;
                whenLost.accept(now);
                return false;
            }
            loss = now.isReaderGone ? now : null;
            return now.isReaderGone;
        }
    }

    /** A line of the launcher's own, in turn; any thread may call, and none waits for the reader. */
    void line(String text) {
        byte[] bytes = (text + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
        inTurn(() -> {
            boolean _ = write(this, bytes);
        });
    }
}
