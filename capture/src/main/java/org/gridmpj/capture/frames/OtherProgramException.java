package org.gridmpj.capture.frames;

import org.jspecify.annotations.Nullable;

/** A sound image of a program cannot be taken back, since the program of this process is not the one that it was taken of. */
public final class OtherProgramException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** @param cause null where there is none */
    public OtherProgramException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
