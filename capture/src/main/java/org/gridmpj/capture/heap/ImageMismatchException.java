package org.gridmpj.capture.heap;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An image does not fit this process: other classes, another byte order, a missing token. The message says what to do. */
public final class ImageMismatchException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean ofAnotherProgram;

    ImageMismatchException(String message) {
        this(message, null);
    }

    ImageMismatchException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private ImageMismatchException(String message, @Nullable Throwable cause, boolean ofAnotherProgram) {
        super(message, cause);
        this.ofAnotherProgram = ofAnotherProgram;
    }

    /** @param cause null where there is none */
    static ImageMismatchException ofAnotherProgram(String message, @Nullable Throwable cause) {
        return new ImageMismatchException(message, cause, true);
    }

    /** Whether the image is sound and would fit a process with the classes that it was taken of. */
    public boolean isOfAnotherProgram() {
        return ofAnotherProgram;
    }
}
