package org.gridmpj.launcher.coordination;

import org.jspecify.annotations.Nullable;

/** The agreed state cannot be reached now: the job runs on, and nobody is declared dead because of it. */
public final class CoordinationFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CoordinationFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
