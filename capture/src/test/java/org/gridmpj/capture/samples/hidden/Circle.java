package org.gridmpj.capture.samples.hidden;

public final class Circle extends Base {
    public Circle(long side) {
        super(side);
    }

    @Override
    long times() {
        return 3;
    }
}
