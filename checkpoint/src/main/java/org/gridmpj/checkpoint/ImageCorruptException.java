package org.gridmpj.checkpoint;

import java.io.IOException;

/** The bytes of an image or manifest are not those that were written; the epoch cannot be restored. */
public final class ImageCorruptException extends IOException {
    private static final long serialVersionUID = 1L;

    public ImageCorruptException(String message) {
        super(message);
    }
}
