package org.gridmpj.checkpoint;

import java.io.IOException;

/** Whether an image is whole is not known: who may have it so is there, and has not answered. */
public final class ImagesUnknownException extends IOException {
    private static final long serialVersionUID = 1L;

    public ImagesUnknownException(String message) {
        super(message);
    }
}
