package org.gridmpj.snapshot;

import java.io.IOException;
import java.io.OutputStream;

/** The frames that were sent before their sender's cut and came after the own one. Immutable. */
public interface InFlightFrames {
    /** How many. */
    int count();

    /** Length of what {@link #writeTo} writes. */
    long lengthBytes();

    /** Writes them as a section of the image. */
    void writeTo(OutputStream out) throws IOException;
}
