package org.gridmpj.capture.samples.hidden;

import mpj.Probe;

/** What all shapes are, and no other package may name. */
abstract class Base implements Shape {
    final long side;

    Base(long side) {
        this.side = side;
    }

    @Override
    public long area() {
        return Probe.Call(side) + times() * side;
    }

    abstract long times();
}
