package org.gridmpj.launcher.job;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The line that the cursor stands in, of one or two {@link SharedOutput}s: stdout and stderr share one on a terminal.
 *
 * <p>It and the streams are confined to a thread of their own, which does what it is handed in turn: whoever reads the
 * launcher's output slowly, or has stopped reading, holds up nobody but that thread.
 */
final class OpenLine {
    private final Executor writing;

    /** Whether a line may be shown before its end: where a line break too many does no harm. */
    final boolean allowed;

    /** Who wrote the beginning of the line, or null at the beginning of a line. */
    @Nullable
    Object writer;

    /** Where that is. */
    @Nullable
    SharedOutput on;

    OpenLine(boolean allowed) {
        this(allowed, Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(null, task, "output", 256 << 10);
            thread.setDaemon(true);
            return thread;
        }));
    }

    /** @param writing does one task after the other, in the order in which it gets them */
    OpenLine(boolean allowed, Executor writing) {
        this.allowed = allowed;
        this.writing = writing;
    }

    /** Has something done after all that was handed over before; does not wait for it. */
    void inTurn(Runnable task) {
        writing.execute(task);
    }

    /**
     * Waits until all that was handed over before is done.
     *
     * @return whether it is, after so much time
     */
    boolean flush(long nanos) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        inTurn(done::countDown);
        return done.await(nanos, TimeUnit.NANOSECONDS);
    }
}
