package org.gridmpj.capture.samples.hidden;

public final class Square extends Base {
    public Square(long side) {
        super(side);
    }

    @Override
    long times() {
        return side;
    }
}
