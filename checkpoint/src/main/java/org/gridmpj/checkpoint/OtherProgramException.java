package org.gridmpj.checkpoint;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A sound image cannot be taken back, since the program on the class path is not the one that it was taken of. */
final class OtherProgramException extends IOException {
    private static final long serialVersionUID = 1L;

    OtherProgramException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
