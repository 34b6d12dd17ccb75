package org.gridmpj.launcher.coordination;

import org.jspecify.annotations.Nullable;

/** The agreed state cannot be reached now: the job runs on, and nobody is declared dead because of it. */
public final class CoordinationFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean isSilence;

    public CoordinationFailure(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    /** @param isSilence whether nobody has answered, who may do so another time */
    public CoordinationFailure(String message, @Nullable Throwable cause, boolean isSilence) {
        super(message, cause);
        this.isSilence = isSilence;
    }

    /** Whether nobody has answered, who may do so another time. */
    public boolean isSilence() {
        return isSilence;
    }
}
