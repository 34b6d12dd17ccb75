package org.gridmpj.capture.samples.awkward;

import mpj.Probe;

public final class Counter extends Counted {
    static final long SECOND = FIRST + Probe.Call(2);

    @Override
    public String toString() {
        return FIRST + " " + SECOND;
    }
}
