package org.gridmpj.launcher.job;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The line that the cursor stands in, of one or two {@link SharedOutput}s: stdout and stderr share one on a terminal. Its
 * lock guards it and the streams.
 */
final class OpenLine {
    final ReentrantLock writing = new ReentrantLock();

    /** Whether a line may be shown before its end: where a line break too many does no harm. */
    final boolean allowed;

    /** Who wrote the beginning of the line, or null at the beginning of a line. */
    @Nullable
    Object writer;

    /** Where that is. */
    @Nullable
    SharedOutput on;

    OpenLine(boolean allowed) {
        this.allowed = allowed;
    }
}
