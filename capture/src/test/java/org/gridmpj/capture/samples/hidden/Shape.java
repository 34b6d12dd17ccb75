package org.gridmpj.capture.samples.hidden;

public interface Shape {
    long area();
}
