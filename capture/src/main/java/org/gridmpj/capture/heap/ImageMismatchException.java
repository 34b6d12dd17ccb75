package org.gridmpj.capture.heap;

import java.io.IOException;

/** An image does not fit this process: other classes, another byte order, a missing token. The message says what to do. */
public final class ImageMismatchException extends IOException {
    private static final long serialVersionUID = 1L;

    ImageMismatchException(String message) {
        super(message);
    }

    ImageMismatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
